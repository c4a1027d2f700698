// Escrows: a purchase in two phases. The money is held from the payment until one outcome, commit
// or cancel. What is sold, and how it is paid, is the invoice's.
export { cancelEscrow, settleEscrowCancel } from './cancel.ts';
export { createEscrow, payEscrow, requireEscrow, settleEscrowPayment } from './decide.ts';
export type { Escrow, LoadedEscrow } from './decide.ts';
export { load as loadReturning } from './cancel.ts';
export { disputesOf, movedAt, type Course, type LineSums } from './course.ts';
export { warningSeconds } from './clock.ts';
export { endOverdueEscrow } from './due.ts';
export { deliverEscrow } from './deliver.ts';
export { viewFor, type EscrowView, type SeenEscrow } from './party.ts';
export { heldOf } from './part.ts';
export { scheduleEscrow } from './schedule.ts';
export { refusals } from './refusals.ts';
export { commitEscrow, loadReleasing, releaseEscrow, returnEscrow } from './release.ts';
export type { Split } from './dispute.ts';
export { divide, endDisputeOf, loadDisputed, setDisagreement, takeFromEscrow } from './dispute.ts';
export { type EscrowState } from './machine.ts';
export { escrowByInvoice, escrowCurrencies, readEscrow } from './read.ts';
export { readInvoicesOf, readSeenEscrow } from './read.ts';
export { escrowRecord, renderEscrow } from './schema.ts';
export { escrowTable, invoiceOf } from './tables.ts';
export { soldOf, type Sold } from './sold.ts';
export { readWhole, type WholeEscrow } from './whole.ts';
