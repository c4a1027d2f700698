// What the catalogue lists of this module.
import { sealedPlace } from '../../../core/labels.ts';
import { peopleQueue } from '../../../core/queue.ts';
import type { Module } from '../../context.ts';
import { operations } from './api.ts';
import { laws } from './laws.ts';
import { lists } from './list.ts';
import { bookingMachine, incomingMachine } from './machine.ts';
import { refusals } from './refusals.ts';

export const module: Module = {
  name: 'money/bank',
  lists,
  operations,
  machines: [incomingMachine, bookingMachine],
  laws,
  refusals: { BANK_ACCOUNT_NOT_CONFIGURED: refusals.BANK_ACCOUNT_NOT_CONFIGURED },
  wrapped: [
    {
      table: 'bank_statement',
      key: ['workspace', 'id'],
      column: 'wrapped_key',
      context: ({ lineage, id = '' }) => sealedPlace('bankStatement', Number(lineage), id),
    },
  ],
  queues: [
    peopleQueue('incoming_transfer', 'Bank transfers to allocate', '/transfers',
      `select created as at from incoming_transfer where workspace = w.workspace
      and state in ('proposed', 'unallocated', 'allocating', 'returning') order by created`),
    peopleQueue('bank_row', 'Rows of bank statements to explain', '/transfers',
      `select s.created as at from bank_entry e
      join bank_statement s on s.workspace = e.workspace and s.id = e.statement_id
      where e.workspace = w.workspace and e.direction = 'debit' and e.settles is null
      order by s.created`, 'bank_entry'),
  ],
};
