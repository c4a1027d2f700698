// What the catalogue lists of this module.
import { peopleQueue } from '../../../core/queue.ts';
import type { Module } from '../../context.ts';
import { HIT_WAITS } from './hit.ts';
import { laws } from './laws.ts';
import { proposalMachine } from './machine.ts';

export const module: Module = {
  name: 'people/review',
  machines: [proposalMachine],
  laws,
  queues: [
    peopleQueue('screening_hit', 'Watch-list hits to decide', '/hits',
      `select h.created as at from screening_hit h
      where h.workspace = w.workspace and ${HIT_WAITS} order by h.created`),
  ],
};
