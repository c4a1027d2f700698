// Whether a credit goes into the wallet or into its restricted ledger account, while the owner is
// not eligible for credits. Decided with the balances locked. [G-38]
import type { Decision, LedgerEntry, ReadSet } from '../../../engine/index.ts';
import { TOTAL_CAP } from '../../../core/money.ts';
import { refuse } from '../../../core/refusal.ts';
import { balanceTable, tracked } from '../../../ledger/index.ts';
import { refusals } from './refusals.ts';
import { walletTable, type WalletRow } from './tables.ts';

/** Reads the wallet and locks its balances, for a credit. */
export function needCredit(rows: ReadSet, walletId: string): void {
  const wallet = rows.read(walletTable, walletId);
  if (!wallet || wallet.kept_back_id === null) return;
  rows.lock(balanceTable, wallet.id);
  rows.lock(balanceTable, wallet.kept_back_id);
}

/** The ledger entry that credits a wallet, or its restricted account, with `amount` minor units. */
export function creditLine(decision: Decision, wallet: WalletRow, amount: bigint): LedgerEntry {
  const { currency, kept_back_id } = wallet;
  // The integrator's wallet is a system account, without a running balance.
  if (kept_back_id === null) return { account_id: wallet.id, tracked: false, currency, amount };
  const accrues = decision.get(balanceTable, wallet.id)?.accrues === true;
  return tracked(accrues ? wallet.id : kept_back_id, currency, amount);
}

/**
 * False for a deposit of `amount` minor units that would lift the wallet above the largest total.
 * Restricted funds count, since they come into the wallet later. `held` is the balance of the
 * integrator's wallet, which has no running one. [G-30]
 */
export function hasRoom(
  decision: Decision,
  wallet: WalletRow,
  amount: bigint,
  held = 0n,
): boolean {
  let sum = held + amount;
  for (const id of wallet.kept_back_id === null ? [] : [wallet.id, wallet.kept_back_id]) {
    sum += decision.get(balanceTable, id)?.amount ?? 0n;
  }
  return sum <= TOTAL_CAP;
}

/** Throws a Refusal where the wallet has no room. */
export function requireRoom(...room: Parameters<typeof hasRoom>): void {
  if (!hasRoom(...room)) throw refuse(refusals.DEPOSIT_TOO_LARGE);
}
