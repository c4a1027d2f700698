// Copies of a sandbox's worlds: snapshots on the shelf, forks, roll backs, resets, and the end of a
// world. Not there in production. Answers for a copy being exact and for nothing of the original
// changing. Refuses to know what the copied rows mean.
import { refusals as of, snapshotUnknown } from './refusals.ts';
export { operations } from './api.ts';
export { rememberBeginning } from './birth.ts';
export { WORLDS_MAX } from './copy.ts';
export { ROWS_MAX, SNAPSHOTS_MAX } from './snapshot.ts';
export { COPIED, NOT_COPIED, onShelf } from './tables.ts';

/** Every no; an id of a snapshot may stand in a path or in a body. */
export const refusals = { ...of, SNAPSHOT_NOT_FOUND_IN_BODY: snapshotUnknown };
