// What the catalogue lists of this module.
import { jobQueue } from '../../../core/queue.ts';
import type { Module } from '../../context.ts';
import { operations } from './api.ts';
import { laws } from './laws.ts';
import { payeeMachine } from './machine.ts';
import { refusals } from './refusals.ts';

export const module: Module = {
  name: 'money/payee',
  operations,
  machines: [payeeMachine],
  laws,
  refusals,
  queues: [jobQueue('payee_job', 'Accounts of sellers at the processor')],
};
