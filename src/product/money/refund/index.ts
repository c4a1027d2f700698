// Refunds and reversals (chargebacks and bank returns). Nobody gets back more than they were
// charged, and the integrator bears what goes back.
export { forgetRefundNotes } from './erase.ts';
export { fundWaiting } from './funding.ts';
export { saleLeft } from './left.ts';
export type { LineLeft } from './left.ts';
export { readRefund } from './read.ts';
export { giveBackReversal, takeBack, loadReversal } from './reversal.ts';
export { settleRefund } from './settle.ts';
export { REASONS, reversalTable } from './tables.ts';
export { chargedBackOf, readRefunded } from './refunded-row.ts';
