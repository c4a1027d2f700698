// Escrows: a purchase in two phases. The money is held from the payment until one outcome, commit
// or cancel. What is sold, and how it is paid, is the invoice's.
export { cancelEscrow, endOverdueEscrow, settleEscrowCancel } from './cancel.ts';
export { commitEscrow, createEscrow, payEscrow, settleEscrowPayment } from './decide.ts';
export { endDisputeOf, takeFromEscrow, loadDisputed } from './dispute.ts';
export { type EscrowState } from './machine.ts';
export { escrowByInvoice, readEscrow } from './read.ts';
export { escrowRecord, renderEscrow } from './schema.ts';
export { escrowTable, invoiceOf } from './tables.ts';
