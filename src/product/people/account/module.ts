// What the catalogue lists of this module.
import { jobQueue } from '../../../core/queue.ts';
import type { Module } from '../../context.ts';
import { operations } from './api.ts';
import { messages } from './events.ts';
import { lists } from './list.ts';
import { blockMachine } from './machine.ts';
import { wrappedPersonKeys } from './person.ts';
import { refusals } from './refusals.ts';

export const module: Module = {
  name: 'people/account',
  lists,
  operations,
  machines: [blockMachine],
  messages,
  refusals,
  wrapped: [wrappedPersonKeys],
  queues: [jobQueue('erasure_job', 'Persons to erase')],
};
