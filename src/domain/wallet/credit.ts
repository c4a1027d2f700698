// Where a credit goes: into the wallet, or into the account beside it while the owner may not
// accrue. Answers for that choice, under lock; refuses to know why the money comes and why it is
// kept. [G-38]
import type { Decision, Line, Want } from '../../engine/index.ts';
import { TOTAL_CAP } from '../../kernel/money.ts';
import { refuse } from '../../kernel/refusal.ts';
import { balanceTable, tracked } from '../../ledger/index.ts';
import { refusals } from './refusals.ts';
import { walletTable, type WalletRow } from './tables.ts';

/** Names what a credit to the wallet needs: the wallet, and its running balances under lock. */
export function needCredit(want: Want, walletId: string): void {
  const wallet = want.read(walletTable, walletId);
  if (!wallet || wallet.kept_back_id === null) return;
  want.lock(balanceTable, wallet.id);
  want.lock(balanceTable, wallet.kept_back_id);
}

/** The line that credits a wallet with `amount` minor units, wherever it must go now. */
export function creditLine(decision: Decision, wallet: WalletRow, amount: bigint): Line {
  const { currency, kept_back_id } = wallet;
  // The integrator's wallet is a house account, without a running balance.
  if (kept_back_id === null) return { account_id: wallet.id, tracked: false, currency, amount };
  const accrues = decision.get(balanceTable, wallet.id)?.accrues === true;
  return tracked(accrues ? wallet.id : kept_back_id, currency, amount);
}

/**
 * Refuses a deposit of `amount` minor units that would lift the wallet above the largest total.
 * What is kept back counts, since it comes into the wallet later. `held` is the balance of a wallet
 * without a running one, the integrator's. [G-30]
 */
export function requireRoom(
  decision: Decision,
  wallet: WalletRow,
  amount: bigint,
  held = 0n,
): void {
  let sum = held + amount;
  for (const id of wallet.kept_back_id === null ? [] : [wallet.id, wallet.kept_back_id]) {
    sum += decision.get(balanceTable, id)?.amount ?? 0n;
  }
  if (sum > TOTAL_CAP) throw refuse(refusals.DEPOSIT_TOO_LARGE);
}
