// The ledger entries of a merge: all that the wallets of one account hold goes to the wallets of
// another, currency by currency.
import { EngineFault, type Decision, type LedgerEntry } from '../../../engine/index.ts';
import { balanceTable, tracked } from '../../../ledger/index.ts';
import { creditLine, walletsOfAccount, type WalletRow } from '../../money/wallet/index.ts';

/** An amount in minor units. */
export interface Moved {
  readonly currency: string;
  readonly amount: bigint;
}

/**
 * All that is in the source's wallets, and the ledger entries that move it; balances must be
 * locked. A destination that is not eligible for credits gets it as restricted funds. [G-38]
 */
export function moveBalances(
  decision: Decision,
  source: string,
  destination: string,
): { readonly moved: readonly Moved[]; readonly lines: readonly LedgerEntry[] } {
  const moved: Moved[] = [];
  const lines: LedgerEntry[] = [];
  const targets = decision.find(walletsOfAccount, destination);
  for (const wallet of decision.find(walletsOfAccount, source)) {
    const { id, currency } = wallet;
    const amount = heldIn(decision, id);
    if (amount === 0n) continue;
    const target = targets.find((one) => one.currency === currency);
    if (target === undefined) throw new EngineFault('an account lacks a wallet');
    moved.push({ currency, amount });
    lines.push(tracked(id, currency, -amount), creditLine(decision, target, amount));
  }
  moved.sort((a, b) => (a.currency < b.currency ? -1 : 1));
  return { moved, lines };
}

/** True while the account has restricted funds. */
export function keepsBack(decision: Decision, account: string): boolean {
  const kept = ({ kept_back_id }: WalletRow): bigint => heldIn(decision, kept_back_id);
  return decision.find(walletsOfAccount, account).some((wallet) => kept(wallet) > 0n);
}

function heldIn(decision: Decision, id: string | null): bigint {
  return id === null ? 0n : (decision.get(balanceTable, id)?.amount ?? 0n);
}
