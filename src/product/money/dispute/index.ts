// Disputes: charges that cardholders and banks took back, from opening to end, and the escrow that
// is frozen meanwhile. Submitting evidence is not offered. [G-93]
export { changeDispute, openDispute } from './decide.ts';
export type { DisputeChange, NewDispute } from './decide.ts';
export { isDisputed, loadDisputes } from './standing.ts';
export { disputeTable } from './tables.ts';
