// The history of an account: what it bought, sold, paid out and got back, as its owner sees it.
// Reads only; it owns no table.
export { transactionPageOf } from './page.ts';
export { receiptOf, recipientsOf } from './receipt.ts';
export type { Receipt } from './receipt.ts';
