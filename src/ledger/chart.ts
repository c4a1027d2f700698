// The chart of ledger accounts. Wallet and restricted accounts carry a running balance; system
// accounts exist once per workspace, kind and currency, under an id derived by hash, so they need
// no look-up.
import { derivedUuid } from '../kernel/ids.ts';
import type { Line } from '../engine/command.ts';

/** Kinds with a running balance, which no decision may overdraw. */
export const TRACKED_KINDS = ['wallet', 'kept_back'] as const;

/** One account per kind, workspace and currency, with its description. */
export const HOUSE_KINDS = {
  holding: 'money of buyers that is on its way: taken from a wallet, not yet with a seller',
  integrator_share: 'what the integrator earned: its own lines and the fees out of lines',
  processor_clearing: 'what the card processor has taken for us and owes us (negative: owes)',
  sandbox_funding: 'money that the sandbox makes from nothing (negative: made)',
  escrow: 'money of buyers that an escrow holds until it is committed, cancelled or charged back',
  refund_pending: 'money on its way back to buyers, which the processor has not confirmed',
  payout_pending: 'money taken from wallets for payouts that are not paid yet',
  payout_fees: 'what payouts cost those who asked for them',
  reversals: 'what processors took back and the integrator has not covered (negative: so much)',
  unexplained: 'money that the processor shows and our books cannot explain yet',
} as const;
export type HouseKind = keyof typeof HOUSE_KINDS;

const names = new Map<string, string>();

/**
 * Id of a system account: a UUID (version 8) hashed from kind, currency and the lineage, so that a
 * clone of a workspace has the same accounts.
 */
export function houseAccountId(line: number, kind: HouseKind, currency: string): string {
  const name = `${line}/${kind}/${currency}`;
  let id = names.get(name);
  if (id === undefined) {
    names.set(name, (id = derivedUuid(`ledger/${name}`)));
  }
  return id;
}

/** A ledger entry on a system account; `of` is the workspace's lineage. */
export function house(of: number, kind: HouseKind, currency: string, amount: bigint): Line {
  return { account_id: houseAccountId(of, kind, currency), tracked: false, currency, amount };
}

/** A ledger entry on a wallet or its restricted account; the balance row must be locked. */
export function tracked(accountId: string, currency: string, amount: bigint): Line {
  return { account_id: accountId, tracked: true, currency, amount };
}
