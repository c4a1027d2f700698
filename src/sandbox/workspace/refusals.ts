// The refusals of snapshots and clones, in order of precedence.
import { defineRefusals, type RefusalSpec } from '../../core/refusal.ts';

export const refusals = defineRefusals({
  SNAPSHOT_NOT_FOUND: {
    status: 404,
    sentence: 'There is no such snapshot.',
    act: 'caller',
    retry: false,
    cites: 'G-64',
  },
  WORLD_NOT_FOUND: {
    status: 404,
    sentence: 'There is no such sandbox workspace.',
    act: 'caller',
    retry: false,
    cites: 'G-64',
  },
  WORLD_IN_USE: {
    status: 409,
    sentence: 'The main workspace and the workspace of the calling client cannot be archived.',
    act: 'caller',
    retry: false,
    cites: 'G-64',
  },
  WORLD_NOT_BEGUN: {
    status: 409,
    sentence: 'The initial snapshot of this workspace was deleted. Roll back to another snapshot.',
    act: 'caller',
    retry: false,
    cites: 'G-64',
  },
  SNAPSHOT_OUTDATED: {
    status: 409,
    sentence: 'The snapshot was taken by a release with a different schema. Take a new one.',
    act: 'caller',
    retry: false,
    cites: 'G-64',
  },
  SNAPSHOT_TOO_LARGE: {
    status: 409,
    sentence: 'The workspace has more rows than a snapshot can hold.',
    act: 'caller',
    retry: false,
    cites: 'G-64',
  },
  SNAPSHOT_LIMIT: {
    status: 409,
    sentence: 'The tenant has reached the maximum number of snapshots. Delete one first.',
    act: 'caller',
    retry: false,
    cites: 'G-64',
  },
  WORLD_LIMIT: {
    status: 409,
    sentence: 'The tenant has reached the maximum number of sandbox workspaces. Archive one first.',
    act: 'caller',
    retry: false,
    cites: 'G-64',
  },
  WORLD_BUSY: {
    status: 409,
    sentence: 'Another sandbox workspace is being cloned; nothing was changed. Try again.',
    act: 'caller',
    retry: true,
    cites: 'G-64',
  },
});

/** For a snapshot named by a body. */
export const snapshotUnknown: RefusalSpec = { ...refusals.SNAPSHOT_NOT_FOUND, status: 400 };
