// Escrows: a purchase in two phases. The money is held from the payment until one outcome, commit
// or cancel. What is sold, and how it is paid, is the invoice's.
export { operations } from './api.ts';
export { cancelEscrow, endOverdueEscrow, settleEscrowCancel } from './cancel.ts';
export { commitEscrow, createEscrow, payEscrow, settleEscrowPayment } from './decide.ts';
export { endDisputeOf, takeFromEscrow, wantDisputed } from './dispute.ts';
export { messages } from './events.ts';
export { laws } from './laws.ts';
export { escrowMachine, type EscrowState } from './machine.ts';
export { escrowByInvoice, escrowPaymentRecords, escrowRecords, readEscrow } from './read.ts';
export { refusals } from './refusals.ts';
export { escrowRecord, renderEscrow } from './schema.ts';
export { escrowTable, invoiceOf } from './tables.ts';
export type { EscrowRow } from './tables.ts';
