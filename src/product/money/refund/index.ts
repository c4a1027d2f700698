// Refunds and reversals (chargebacks and bank returns). Nobody gets back more than they were
// charged, and the integrator bears what goes back.
import type { Machine } from '../../../core/machine.ts';
import { refundMachine, reversalMachine } from './machine.ts';
export { operations } from './api.ts';
export { forgetRefundNotes } from './erase.ts';
export { messages, refundMessages } from './events.ts';
export { fundWaiting } from './funding.ts';
export { laws } from './laws.ts';
export { refundRecords } from './read.ts';
export { refusals } from './refusals.ts';
export { giveBackReversal, takeBack, wantReversal } from './reversal.ts';
export type { NewReversal } from './reversal.ts';
export { settleRefund } from './settle.ts';
export { refundTable, reversalTable } from './tables.ts';
export { chargedBackOf, readRefunded } from './refunded-row.ts';

export const machines: readonly Machine[] = [refundMachine, reversalMachine];
