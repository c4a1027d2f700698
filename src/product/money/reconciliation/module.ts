// What the catalogue lists of this module.
import { jobQueue } from '../../../core/queue.ts';
import type { Module } from '../../context.ts';
import { operations } from './api.ts';
import { laws } from './laws.ts';
import { lists } from './list.ts';
import { discrepancyMachine } from './machine.ts';
import { refusals } from './refusals.ts';

export const module: Module = {
  name: 'money/reconciliation',
  lists,
  operations,
  machines: [discrepancyMachine],
  laws,
  refusals,
  queues: [jobQueue('statement_cursor', 'Statements of the processor to read')],
};
