// Disputes: charges that cardholders and banks took back, from opening to end, the escrow that is
// frozen meanwhile, and the evidence that the processor is given. [G-93]
export { answerQueue } from './answer-queue.ts';
export { collectEvidence, submitCollected } from './collect.ts';
export { openPiece } from './open.ts';
export { readDispute, waitingDisputes } from './read.ts';
export type { DisputeRecord } from './schema.ts';
export { changeDispute, openDispute } from './decide.ts';
export type { DisputeChange, NewDispute } from './decide.ts';
export { isDisputed, loadDisputes } from './standing.ts';
export { settleAnswer } from './evidence.ts';
export { watchDispute } from './deadline.ts';
export { disputeTable } from './tables.ts';
