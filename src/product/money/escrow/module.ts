// What the catalogue lists of this module.
import { dueQueue } from '../../../core/queue.ts';
import type { Module } from '../../context.ts';
import { operations } from './api.ts';
import { laws } from './laws.ts';
import { lists } from './list.ts';
import { escrowMachine } from './machine.ts';
import { escrowPaymentRecords, escrowRecords } from './read.ts';
import { refusals } from './refusals.ts';

export const module: Module = {
  name: 'money/escrow',
  lists,
  operations,
  machines: [escrowMachine],
  laws,
  records: [escrowRecords, escrowPaymentRecords],
  refusals,
  queues: [dueQueue('escrow', 'Escrows at their holding limit')],
};
