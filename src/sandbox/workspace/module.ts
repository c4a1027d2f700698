// What the catalogue lists of this module.
import type { Module } from '../../product/context.ts';
import { operations } from './api.ts';
import { refusals, snapshotUnknown } from './refusals.ts';

export const module: Module = {
  name: 'workspace',
  operations,
  // The id of a snapshot may be in a path or in a body.
  refusals: { ...refusals, SNAPSHOT_NOT_FOUND_IN_BODY: snapshotUnknown },
};
