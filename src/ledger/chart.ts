// The chart of ledger accounts: which kinds exist and how lines name them. Wallets and money kept
// back carry a running balance; the house accounts of a world are one for each kind and currency,
// named by a hash, so that nobody has to look them up. Knows nothing of invoices.
import { createHash } from 'node:crypto';
import type { Line } from '../engine/command.ts';

/** Kinds with a running balance that no decision may overdraw. */
export const TRACKED_KINDS = ['wallet', 'kept_back'] as const;

/** One account for each kind, world and currency; each with its one sentence. */
export const HOUSE_KINDS = {
  holding: 'money of buyers that is on its way: taken from a wallet, not yet with a seller',
  integrator_share: 'what the integrator earned: its own lines and the fees out of lines',
  processor_clearing: 'what the card processor has taken for us and owes us (negative: owes)',
  sandbox_funding: 'money that the sandbox makes from nothing (negative: made)',
} as const;
export type HouseKind = keyof typeof HOUSE_KINDS;

const names = new Map<string, string>();

/** Id of a house account: a UUID (version 8) from a hash of world, kind and currency. */
export function houseAccountId(world: number, kind: HouseKind, currency: string): string {
  const name = `${world}/${kind}/${currency}`;
  let id = names.get(name);
  if (id === undefined) {
    const hex = createHash('sha256').update(`holdfast/ledger/${name}`).digest('hex');
    id = [
      hex.slice(0, 8),
      hex.slice(8, 12),
      `8${hex.slice(13, 16)}`,
      `8${hex.slice(17, 20)}`,
      hex.slice(20, 32),
    ].join('-');
    names.set(name, id);
  }
  return id;
}

/** A line on a house account. */
export function house(world: number, kind: HouseKind, currency: string, amount: bigint): Line {
  return { account_id: houseAccountId(world, kind, currency), tracked: false, currency, amount };
}

/** A line on a wallet or on its account of money kept back; the row must be locked. */
export function tracked(accountId: string, currency: string, amount: bigint): Line {
  return { account_id: accountId, tracked: true, currency, amount };
}
