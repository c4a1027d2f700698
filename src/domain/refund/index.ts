// Refunds and reversals: what of a charge goes back to the buyer, and what banks take back. Answers
// for nobody getting back more than they were charged and for the integrator bearing it; refuses to
// know how a processor is asked and how its statement is read.
import type { Machine } from '../../kernel/machine.ts';
import { refundMachine, reversalMachine } from './machine.ts';
export { operations } from './api.ts';
export { events, refundMessages } from './events.ts';
export { fundWaiting } from './funding.ts';
export { laws } from './laws.ts';
export { refundRecords } from './read.ts';
export { refusals } from './refusals.ts';
export { giveBackReversal, takeBack, wantReversal } from './reversal.ts';
export type { NewReversal } from './reversal.ts';
export { settleRefund } from './settle.ts';
export { reversalTable } from './tables.ts';
export { chargedBackOf, wantTally } from './tally-row.ts';

export const machines: readonly Machine[] = [refundMachine, reversalMachine];
