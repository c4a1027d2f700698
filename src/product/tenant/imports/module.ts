// What the catalogue lists of this module.
import { peopleQueue } from '../../../core/queue.ts';
import type { Module } from '../../context.ts';
import { laws } from './laws.ts';
import { openingMachine } from './machine.ts';

export const module: Module = {
  name: 'tenant/imports',
  machines: [openingMachine],
  laws,
  queues: [
    peopleQueue('opening', 'Opening balances to confirm', '/openings',
      `select updated as at from opening where workspace = w.workspace and state = 'prepared'
      order by updated`),
  ],
};
