// The refusals of snapshots and clones, in order of precedence.
import { defineRefusals, no, notYet, type RefusalSpec } from '../../core/refusal.ts';

export const refusals = defineRefusals({
  SNAPSHOT_NOT_FOUND: no(404, 'caller', 'G-64', 'There is no such snapshot.'),
  WORLD_NOT_FOUND: no(404, 'caller', 'G-64', 'There is no such sandbox workspace.'),
  WORLD_IN_USE: no(409, 'caller', 'G-64',
    'The main workspace and the workspace of the calling client cannot be archived.'),
  WORLD_NOT_BEGUN: no(409, 'caller', 'G-64',
    'The initial snapshot of this workspace was deleted. Roll back to another snapshot.'),
  SNAPSHOT_OUTDATED: no(409, 'caller', 'G-64',
    'The snapshot was taken by a release with a different schema. Take a new one.'),
  SNAPSHOT_TOO_LARGE: no(409, 'caller', 'G-64',
    'The workspace has more rows than a snapshot can hold.'),
  SNAPSHOT_LIMIT: no(409, 'caller', 'G-64',
    'The tenant has reached the maximum number of snapshots. Delete one first.'),
  WORLD_LIMIT: no(409, 'caller', 'G-64',
    'The tenant has reached the maximum number of sandbox workspaces. Archive one first.'),
  WORLD_BUSY: notYet(409, 'caller', 'G-64',
    'Another sandbox workspace is being cloned; nothing was changed. Try again.'),
});

/** For a snapshot named by a body. */
export const snapshotUnknown: RefusalSpec = { ...refusals.SNAPSHOT_NOT_FOUND, status: 400 };
