// What the catalogue lists of this module.
import { dueQueue, peopleQueue } from '../../../core/queue.ts';
import type { Module } from '../../context.ts';
import { operations } from './api.ts';
import { laws } from './laws.ts';
import { lists } from './list.ts';
import { agentMachine, entityMachine } from './machine.ts';
import { agentNotFoundInBody, entityNotStarted, refusals } from './refusals.ts';
import { statusMessage } from './schema.ts';

export const module: Module = {
  name: 'people/business',
  lists,
  operations,
  machines: [entityMachine, agentMachine],
  laws,
  messages: { entityChanged: statusMessage },
  refusals: { ...refusals, agentNotFoundInBody, entityNotStarted },
  queues: [
    peopleQueue('entity_review', 'Businesses to review', '/businesses',
      `select updated as at from entity where workspace = w.workspace and state = 'PROCESSING'
      and course = 'people' order by updated, id`, 'entity'),
    dueQueue('entity', 'Businesses that did not hand in what is missing'),
  ],
};
