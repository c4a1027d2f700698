// What the catalogue lists of this module.
import { dueQueue, peopleQueue } from '../../../core/queue.ts';
import type { Module } from '../../context.ts';
import { operations } from './api.ts';
import { laws } from './laws.ts';
import { lists } from './list.ts';
import { disagreementMachine } from './machine.ts';
import { disagreementRecords } from './read.ts';
import { refusals } from './refusals.ts';

export const module: Module = {
  name: 'money/disagreement',
  lists,
  operations,
  machines: [disagreementMachine],
  laws,
  records: [disagreementRecords],
  refusals,
  queues: [
    peopleQueue('disagreement_open', 'Disagreements to decide', '/lists/open_disagreements',
      `select created as at from disagreement where workspace = w.workspace
      and state = 'open' order by created`, 'disagreement'),
    dueQueue('disagreement', 'Disagreements whose limit is near or has passed'),
  ],
};
