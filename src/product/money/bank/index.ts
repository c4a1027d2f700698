// Money at the bank: deposit instructions, bank accounts, statement files, and incoming transfers
// until they are in a wallet or were sent back. [G-91]
export {
  activeBankAccount,
  bankAccounts,
  faultOf,
  latestBalance,
  setBankAccount,
} from './accounts.ts';
export { bankBalances } from './balance.ts';
export type { BankBalance } from './balance.ts';
export { incomingStates } from './machine.ts';
export { unitsOf } from './statement.ts';
export { OWN_KINDS, REASONS } from './tables.ts';
export type { BankAccount, BankAccountFacts } from './accounts.ts';
export { csvColumns } from './csv.ts';
export type { CsvColumns } from './csv.ts';
export { importStatement } from './import.ts';
export type { Imported } from './import.ts';
export { allocate, record, same, second, sendBack } from './operate.ts';
export type { BankOperator } from './operate.ts';
export {
  incomingTransfer,
  incomingTransfers,
  openEntries,
  openPayer,
  recordedAlike,
  transferOfReference,
} from './read.ts';
export type { IncomingSeen, OpenEntry, Payer } from './read.ts';
export {
  bankRow,
  decideBankRow,
  secondBankRow,
  takenBackPerhaps,
  undecidedRows,
} from './rows.ts';
export type { BankRow, RowKind } from './rows.ts';
export { entriesOf, latestStatements, statementOf } from './statements.ts';
export type { EntrySeen, StatementSeen } from './statements.ts';
