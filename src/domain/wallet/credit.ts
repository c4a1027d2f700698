// Where a credit goes: into the wallet, or into the account beside it while the owner may not
// accrue. Answers for that choice, under lock; refuses to know why the money comes and why it is
// kept. [G-38]
import type { Decision, Line, Want } from '../../engine/index.ts';
import { balanceTable, tracked } from '../../ledger/index.ts';
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
