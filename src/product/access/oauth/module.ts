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
};
