// The ledger: append-only entries that sum to zero per step and currency, running balances that
// cannot go below zero, and the laws that `holdfast verify` checks. Why money moves is the domain's
// business.
export {
  SYSTEM_ACCOUNT_KINDS,
  kindsThat,
  STANDING,
  systemAccount,
  systemAccountId,
  tracked,
} from './chart.ts';
export type { SystemAccountKind } from './chart.ts';
export {
  debitIntegrator,
  foldAllCredits,
  foldCredits,
  integratorHolds,
  needIntegrator,
} from './integrator.ts';
export { ledgerLists } from './list.ts';
export { openHouse, openMissing, openTracked } from './open.ts';
export { balanceTable, integratorBalanceTable, ledgerAccountTable } from './tables.ts';
export type { PostingRow } from './tables.ts';
export { entryLaws, integratorLaws, runProofs } from './proofs.ts';
export type { ProofResult } from './proofs.ts';
