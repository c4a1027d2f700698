// What the catalogue lists of this module.
import { jobQueue } from '../../../core/queue.ts';
import type { Module } from '../../context.ts';
import { operations } from './api.ts';
import { attemptMachine } from './attempt-machine.ts';
import { debtLaws } from './debt-read.ts';
import { messages } from './events.ts';
import { lists } from './list.ts';
import { depositMachine } from './machine.ts';
import { refusals } from './refusals.ts';
import { transferMachine } from './transfer-machine.ts';

export const module: Module = {
  name: 'money/wallet',
  lists,
  operations,
  machines: [depositMachine, attemptMachine, transferMachine],
  laws: debtLaws,
  messages,
  refusals,
  queues: [
    jobQueue('attempt_job', 'Payments at the processor'),
    jobQueue('transfer_job', 'Refunds and payouts at the processor'),
  ],
};
