// An entry that balances the books: money of the tenant's own that belongs on another of its own
// ledger accounts. What lies somewhere, what is owed to people, and costs that follow from the
// processor's statement are out of reach. [G-88]
import type { Decision, LedgerEntry, ReadSet } from '../../../engine/index.ts';
import { refuse } from '../../../core/refusal.ts';
import {
  debitIntegrator,
  integratorHolds,
  needIntegrator,
  systemAccount,
  type SystemAccountKind,
} from '../../../ledger/index.ts';
import { refusals as no } from './refusals.ts';
import type { MoneyActRow } from './tables.ts';

/** The ledger accounts that people may move money between. */
export const BALANCED = [
  ...(['integrator_share', 'payout_fees', 'bank_fees', 'own_payments', 'bank_reversals'] as const),
] as const satisfies readonly SystemAccountKind[];
type Balanced = (typeof BALANCED)[number];

/** From which ledger account to which other. */
export interface BalancedPair {
  readonly from: Balanced;
  readonly to: Balanced;
}

/** The pair that a form names; null for any other. */
export function pairOf(from: string, to: string): BalancedPair | null {
  const known = (name: string): Balanced | null => BALANCED.find((one) => one === name) ?? null;
  const [a, b] = [known(from), known(to)];
  return a === null || b === null || a === b ? null : { from: a, to: b };
}

/** Adds to the read set what `balance` needs. */
export function needBalance(rows: ReadSet, { currency }: MoneyActRow): void {
  needIntegrator(rows, currency);
}

/** The two ledger entries. Throws a Refusal where the tenant's share would fall below zero. */
export function balance(
  decision: Decision,
  { fields, currency, amount }: MoneyActRow,
): readonly LedgerEntry[] {
  const { from, to } = JSON.parse(fields) as BalancedPair;
  const isShare = from === 'integrator_share';
  if (isShare && integratorHolds(decision, currency) < amount) throw refuse(no.BALANCING_TOO_MUCH);
  return [
    isShare
      ? debitIntegrator(decision, currency, amount)
      : systemAccount(decision.lineage, from, currency, -amount),
    systemAccount(decision.lineage, to, currency, amount),
  ];
}
