// What the catalogue lists of this module.
import { jobQueue } from '../../../core/queue.ts';
import type { Module } from '../../context.ts';
import { laws } from './laws.ts';

export const module: Module = {
  name: 'people/matching',
  laws,
  queues: [jobQueue('match_job', 'Applications to compare')],
};
