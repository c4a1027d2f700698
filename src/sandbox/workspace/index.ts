// Snapshots of a sandbox's workspace, its clones (clones, rollbacks, resets) and its end. A clone
// is exact, and nothing of the original changes. Absent in production.
export { rememberBeginning } from './creation.ts';
export { prepareStorage } from './snapshot-storage.ts';
export { WORKSPACES_MAX } from './clone.ts';
export { SNAPSHOTS_MAX } from './snapshot.ts';
export { COPIED, NOT_COPIED, inSnapshots } from './tables.ts';
