// Moving in from another service: accounts, saved cards by their tokens, and opening balances that a
// second operator confirms. It stands above registration, wallets and the books.
export { accounts } from './accounts.ts';
export { importFile } from './import-file.ts';
export type { ImportListener, ImportSummary } from './import-file.ts';
export { methodsAt } from './methods.ts';
export type { RowRefusal } from './row-codes.ts';
export { HeaderRefused } from './table-file.ts';
