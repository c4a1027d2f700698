// Disputes: what the processor tells of charges that cardholders and banks took back, from the
// opening to the end, with the escrow that waits for it. Handing in evidence is not offered. [G-93]
export { operations } from './api.ts';
export { changeDispute, openDispute } from './decide.ts';
export type { DisputeChange, NewDispute } from './decide.ts';
export { events } from './events.ts';
export { laws } from './laws.ts';
export { isDisputed, wantDisputes } from './standing.ts';
export { disputeMachine } from './machine.ts';
export { disputeRecords } from './read.ts';
export { refusals } from './refusals.ts';
export { disputeTable } from './tables.ts';
