// What the catalogue lists of this module.
import { peopleQueue } from '../../../core/queue.ts';
import type { Module } from '../../context.ts';
import { laws } from './laws.ts';
import { lists } from './list.ts';
import { moneyActMachine } from './machine.ts';

export const module: Module = {
  name: 'money/act',
  lists,
  machines: [moneyActMachine],
  laws,
  queues: [
    peopleQueue('money_act', 'Acts on money to confirm', '/money',
      `select created as at from money_act where workspace = w.workspace
      and state in ('proposed', 'agreed', 'running') order by created`),
  ],
};
