// Payout files: payouts to accounts by IBAN, collected for a bank, confirmed by a second operator,
// handed over once, and settled or returned by what the bank says.
export { bytesOf, cancelFile, confirmFile, handOverFile, makeFile } from './act.ts';
export type { FileParts, MadeFile } from './act.ts';
export { csvMapping, PLAIN_MAPPING } from './mapping.ts';
export type { CsvMapping } from './mapping.ts';
export { bankId, uuidOfBankId } from './content.ts';
export { fileRow, fileView, itemsIn, lastMapping, listFiles, waitingTotals } from './read.ts';
export type { FileItem, FileView } from './read.ts';
export { waitingPayouts } from './waiting.ts';
export type { WaitingPayout } from './waiting.ts';
export { settleWord } from './settle.ts';
export type { BankWord } from './settle.ts';
export { oddEntries, settleStatements } from './statement.ts';
export type { OddEntry } from './statement.ts';
export { FORMATS } from './tables.ts';
