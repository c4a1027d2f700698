// The history of an account: what it bought, sold, paid out and got back, as its owner sees it.
// Reads only; it owns no table.
export { transactionPageOf } from './page.ts';
export { accountAsked } from './account-asked.ts';
export { receiptAsked } from './api.ts';
export { openReceipt, receiptPath } from './receipt-link.ts';
export { amountOf, receiptAnswer, receiptRecordOf } from './receipt-record.ts';
export { refusals as historyRefusals } from './refusals.ts';
export { onePath } from './schema.ts';
export { isEscrowed, receiptOf, recipientsOf } from './receipt.ts';
export type { Receipt, ReceiptRow } from './receipt.ts';
