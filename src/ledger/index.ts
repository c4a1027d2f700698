// The ledger: an append-only book of postings that sum to zero, and running balances that cannot go
// below zero. Answers for the chart, the rows and the proofs; refuses to know why money moves.
export { HOUSE_KINDS, TRACKED_KINDS, house, houseAccountId, tracked } from './chart.ts';
export type { HouseKind } from './chart.ts';
export {
  debitIntegrator,
  foldAllCredits,
  foldCredits,
  integratorHolds,
  needIntegrator,
} from './integrator.ts';
export {
  balanceTable,
  integratorBalanceTable,
  ledgerAccountTable,
  postingTable,
} from './tables.ts';
export type { BalanceRow, LedgerAccountRow, PostingRow } from './tables.ts';
export { PROOFS, runProofs } from './proofs.ts';
export type { Proof, ProofResult } from './proofs.ts';
