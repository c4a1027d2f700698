// The chart of ledger accounts. Wallet and restricted accounts carry a running balance; system
// accounts exist once per workspace, kind and currency, under an id derived by hash, so they need
// no look-up.
import { derivedUuid } from '../core/ids.ts';
import type { LedgerEntry } from '../core/command.ts';

/** Kinds with a running balance, which no decision may overdraw. */
export const TRACKED_KINDS = ['wallet', 'kept_back'] as const;

/** One account per kind, workspace and currency, with its description. */
export const SYSTEM_ACCOUNT_KINDS = {
  holding: 'money of buyers in transit: taken from a wallet, not yet credited to a seller',
  integrator_share: 'earnings of the integrator: its own line items and its fees',
  processor_clearing: 'captured by the card processor and owed to this platform (negative: owed)',
  opening_balances: 'moved in with accounts; lies where it lay before (negative: there)',
  sandbox_funding: 'invented sandbox money (negative: issued)',
  escrow: 'money of buyers held in escrow until it is committed, cancelled or charged back',
  refund_pending: 'refunds to buyers that the processor has not confirmed yet',
  payout_pending: 'taken from wallets for payouts that are not paid yet',
  payout_fees: 'fees charged for payouts',
  reversals: 'charged back by processors and not yet covered by the integrator (negative)',
  unexplained: 'reported by the processor and not yet explained by the books',
} as const;
export type SystemAccountKind = keyof typeof SYSTEM_ACCOUNT_KINDS;

const names = new Map<string, string>();

/**
 * Id of a system account: a UUID (version 8) hashed from kind, currency and the lineage, so that a
 * clone of a workspace has the same accounts.
 */
export function systemAccountId(
  lineage: number,
  kind: SystemAccountKind,
  currency: string,
): string {
  const name = `${lineage}/${kind}/${currency}`;
  let id = names.get(name);
  if (id === undefined) {
    names.set(name, (id = derivedUuid(`ledger/${name}`)));
  }
  return id;
}

/** A ledger entry on a system account; `of` is the workspace's lineage. */
export function systemAccount(
  of: number,
  kind: SystemAccountKind,
  currency: string,
  amount: bigint,
): LedgerEntry {
  return { account_id: systemAccountId(of, kind, currency), tracked: false, currency, amount };
}

/** A ledger entry on a wallet or its restricted account; the balance row must be locked. */
export function tracked(accountId: string, currency: string, amount: bigint): LedgerEntry {
  return { account_id: accountId, tracked: true, currency, amount };
}
