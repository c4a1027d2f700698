// What the catalogue lists of this module.
import type { Module } from '../../context.ts';
import { laws } from './laws.ts';
import { hitMachine } from './machine.ts';

export const module: Module = {
  name: 'people/screening',
  machines: [hitMachine],
  laws,
  queues: [
    {
      name: 'screening_run',
      title: 'Persons to screen against a new watch-list',
      table: 'screening_run',
      by: 'worker',
      rows: `select started as at from screening_run
        where workspace = w.workspace and ended is null`,
      real: true,
    },
  ],
};
