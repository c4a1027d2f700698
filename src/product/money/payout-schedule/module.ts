// What the catalogue lists of this module.
import { dueQueue } from '../../../core/queue.ts';
import type { Module } from '../../context.ts';
import { operations } from './api.ts';

export const module: Module = {
  name: 'money/payout-schedule',
  operations,
  queues: [dueQueue('payout_schedule', 'Payouts by schedule')],
};
