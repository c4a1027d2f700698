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
  tax_collected: 'tax that buyers paid, less what refunds returned: for the integrator to remit',
  processor_clearing: 'captured by the card processor and not yet available (negative: owed)',
  processor_available: 'at the card processor and available to be paid out (negative: there)',
  in_transit: 'sent by the processor to our bank account and not yet arrived (negative: under way)',
  bank: 'our own bank account by its statements (negative: there)',
  opening_balances: 'moved in with accounts; lies where it lay before (negative: there)',
  sandbox_funding: 'invented sandbox money (negative: issued)',
  escrow: 'money of buyers held in escrow until it is committed, cancelled or charged back',
  refund_pending: 'refunds to buyers that the processor has not confirmed yet',
  payout_pending: 'taken from wallets for payouts that are not paid yet',
  payout_handed_over: 'payouts handed to the bank in a file and not confirmed by its statement yet',
  bank_unallocated: 'arrived at the bank and not yet credited to a wallet',
  payout_fees: 'fees charged for payouts',
  processor_fees: 'fees that the processor kept (negative: paid)',
  unreturned_fees: 'fees that the processor kept of payments that were refunded (negative: paid)',
  dispute_fees: 'fees that the processor kept for disputes and bank returns (negative: paid)',
  bank_fees: 'fees of our own bank, less its interest (negative: paid)',
  own_payments: 'our own money, taken out of or paid into our bank account (negative: out)',
  bank_reversals: 'credits that our bank took back after a wallet had them (negative: lost)',
  reversals: 'charged back by processors and not yet covered by the integrator (negative)',
  unexplained: 'reported by the processor and not yet explained by the books',
} as const;
export type SystemAccountKind = keyof typeof SYSTEM_ACCOUNT_KINDS;

/**
 * What each kind of account says about money: where it `lies`, to whom it is `owed`, or that it is
 * our `own`. In each currency what lies somewhere equals what is owed plus what is our own.
 */
export const STANDING: Readonly<
  Record<SystemAccountKind | (typeof TRACKED_KINDS)[number], 'lies' | 'owed' | 'own'>
> = {
  processor_clearing: 'lies',
  processor_available: 'lies',
  in_transit: 'lies',
  bank: 'lies',
  opening_balances: 'lies',
  sandbox_funding: 'lies',
  wallet: 'owed',
  kept_back: 'owed',
  holding: 'owed',
  escrow: 'owed',
  refund_pending: 'owed',
  payout_pending: 'owed',
  payout_handed_over: 'owed',
  bank_unallocated: 'owed',
  unexplained: 'owed',
  integrator_share: 'own',
  tax_collected: 'own',
  payout_fees: 'own',
  processor_fees: 'own',
  unreturned_fees: 'own',
  dispute_fees: 'own',
  bank_fees: 'own',
  own_payments: 'own',
  bank_reversals: 'own',
  reversals: 'own',
};

/** The kinds of accounts where money lies, or that owe it to somebody. */
export function kindsThat(stand: 'lies' | 'owed'): readonly string[] {
  return Object.entries(STANDING).flatMap(([kind, standing]) => (standing === stand ? [kind] : []));
}

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
