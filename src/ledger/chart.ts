// The chart of ledger accounts: which kinds exist and how lines name them. Wallets and money kept
// back carry a running balance; the house accounts of a world are one for each kind and currency,
// named by a hash, so that nobody has to look them up. Knows nothing of invoices.
import { derivedUuid } from '../kernel/ids.ts';
import type { Line } from '../engine/command.ts';

/** Kinds with a running balance that no decision may overdraw. */
export const TRACKED_KINDS = ['wallet', 'kept_back'] as const;

/** One account for each kind, world and currency; each with its one sentence. */
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
 * Id of a house account: a UUID (version 8) from a hash of kind, currency and the world's line, so
 * that a copy of a world has the same accounts.
 */
export function houseAccountId(line: number, kind: HouseKind, currency: string): string {
  const name = `${line}/${kind}/${currency}`;
  let id = names.get(name);
  if (id === undefined) {
    names.set(name, (id = derivedUuid(`ledger/${name}`)));
  }
  return id;
}

/** A line on a house account of a world whose own line is `of`. */
export function house(of: number, kind: HouseKind, currency: string, amount: bigint): Line {
  return { account_id: houseAccountId(of, kind, currency), tracked: false, currency, amount };
}

/** A line on a wallet or on its account of money kept back; the row must be locked. */
export function tracked(accountId: string, currency: string, amount: bigint): Line {
  return { account_id: accountId, tracked: true, currency, amount };
}
