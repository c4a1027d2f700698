// Moving in from another service: accounts, saved cards by their tokens, and opening balances that
// a second operator confirms. It stands above registration, wallets and the books.
export { accounts } from './accounts.ts';
export { forgetImports } from './erase.ts';
export { importFile } from './import-file.ts';
export type { ImportListener } from './import-file.ts';
export { methodsAt } from './methods.ts';
export type { RowRefusal } from './row-codes.ts';
export { openingMachine } from './machine.ts';
export { bookBlock, openOpenings } from './opening-lines.ts';
export type { OpeningAnswer } from './opening.ts';
export { cancel, confirm, listOpenings } from './openings.ts';
export type { OperatorAct, ShownOpening } from './openings.ts';
export { prepareFile } from './prepare-opening.ts';
