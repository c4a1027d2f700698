// What the catalogue lists of this module.
import { dueQueue } from '../../../core/queue.ts';
import type { Module } from '../../context.ts';
import { operations } from './api.ts';
import { laws } from './laws.ts';
import { reserveMachine } from './machine.ts';

export const module: Module = {
  name: 'money/reserve',
  operations,
  machines: [reserveMachine],
  laws,
  queues: [dueQueue('reserve', 'Reserves whose days have passed')],
};
