// What the catalogue lists of this module.
import { dueQueue, peopleQueue } from '../../../core/queue.ts';
import type { Module } from '../../context.ts';
import { operations } from './api.ts';
import { payoutMessages } from './events.ts';
import { laws } from './laws.ts';
import { lists } from './list.ts';
import { payoutMachine } from './machine.ts';
import { payoutRecords } from './read.ts';
import { refusals } from './refusals.ts';

export const module: Module = {
  name: 'money/payout',
  lists,
  operations,
  machines: [payoutMachine],
  laws,
  records: [payoutRecords, payoutMessages],
  refusals,
  queues: [
    peopleQueue('payout_on_hold', 'Payouts on hold', '/lists/payouts?on_hold=true',
      `select created as at from payout where workspace = w.workspace and due is not null
      order by due`, 'payout'),
    dueQueue('payout', 'Payouts after their review, or a week after they failed'),
  ],
};
