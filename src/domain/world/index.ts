// Copies of a sandbox's worlds: snapshots on the shelf, forks, roll backs, resets, and the end of a
// world. Not there in production. Answers for a copy being exact and for nothing of the original
// changing. Refuses to know what the copied rows mean.
export { operations } from './api.ts';
export { rememberBeginning } from './birth.ts';
export { WORLDS_MAX } from './copy.ts';
export { refusals } from './refusals.ts';
export { ROWS_MAX, SNAPSHOTS_MAX } from './snapshot.ts';
export { COPIED, NOT_COPIED, onShelf } from './tables.ts';
