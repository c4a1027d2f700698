// Refunds and reversals (chargebacks and bank returns). Nobody gets back more than they were
// charged, and the integrator bears what goes back.
export { forgetRefundNotes } from './erase.ts';
export { fundWaiting } from './funding.ts';
export { giveBackReversal, takeBack, loadReversal } from './reversal.ts';
export { settleRefund } from './settle.ts';
export { reversalTable } from './tables.ts';
export { chargedBackOf, readRefunded } from './refunded-row.ts';
