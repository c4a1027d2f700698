// What the catalogue lists of this module.
import type { Module } from '../../context.ts';
import { operations } from './api.ts';
import { laws } from './laws.ts';
import { refusals } from './refusals.ts';
import { wrappedSigningKeys } from './signing-keys.ts';

export const module: Module = {
  name: 'access/oauth',
  operations,
  refusals,
  laws,
  wrapped: [wrappedSigningKeys],
  queues: [
    {
      name: 'client',
      title: 'Secrets of API clients to confirm',
      table: 'client',
      by: 'people',
      path: '/clients',
      rows: `select pending_since as at from client q
        where q.workspace = w.workspace and pending_since is not null order by pending_since`,
      real: true,
    },
  ],
};
