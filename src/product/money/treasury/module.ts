// What the catalogue lists of this module.
import { dueQueue } from '../../../core/queue.ts';
import type { Module } from '../../context.ts';
import { laws } from './laws.ts';
import { settlementMachine } from './machine.ts';

export const module: Module = {
  name: 'money/treasury',
  machines: [settlementMachine],
  laws,
  queues: [dueQueue('settlement', 'Money at the processor that becomes available')],
};
