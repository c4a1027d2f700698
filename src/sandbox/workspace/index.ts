// Snapshots of a sandbox's workspace, its clones (clones, rollbacks, resets) and its end. A clone
// is exact, and nothing of the original changes. Absent in production.
import { refusals as of, snapshotUnknown } from './refusals.ts';
export { operations } from './api.ts';
export { rememberBeginning } from './creation.ts';
export { WORKSPACES_MAX } from './clone.ts';
export { ROWS_MAX, SNAPSHOTS_MAX } from './snapshot.ts';
export { COPIED, NOT_COPIED, onStored } from './tables.ts';

/** The id of a snapshot may be in a path or in a body. */
export const refusals = { ...of, SNAPSHOT_NOT_FOUND_IN_BODY: snapshotUnknown };
