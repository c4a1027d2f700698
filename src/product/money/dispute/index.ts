// Disputes: charges that cardholders and banks took back, from opening to end, and the escrow that
// is frozen meanwhile. Submitting evidence is not offered. [G-93]
export { operations } from './api.ts';
export { changeDispute, openDispute } from './decide.ts';
export type { DisputeChange, NewDispute } from './decide.ts';
export { messages } from './events.ts';
export { laws } from './laws.ts';
export { isDisputed, wantDisputes } from './standing.ts';
export { disputeMachine } from './machine.ts';
export { disputeRecords } from './read.ts';
export { refusals } from './refusals.ts';
export { disputeTable } from './tables.ts';
