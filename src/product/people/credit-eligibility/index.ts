// Credit eligibility: whether an account's credits reach its wallets, and the release of restricted
// funds. It lies between identity and wallet, so that neither imports the other. [G-38,
// architecture rule 20]
import type { Decision, LedgerEntry, ReadSet } from '../../../engine/index.ts';
import { balanceTable, tracked } from '../../../ledger/index.ts';
import { heldInReserve, lockReserve } from '../../money/reserve/index.ts';
import { walletsOfAccount } from '../../money/wallet/index.ts';

/** Locks what `setAccrual` needs: the balances of the account's wallets. */
export function requireCreditEligibility(rows: ReadSet, accountUuid: string): void {
  for (const wallet of rows.find(walletsOfAccount, accountUuid)) {
    rows.lock(balanceTable, wallet.id);
    if (wallet.kept_back_id === null) continue;
    lockReserve(rows, wallet.kept_back_id);
    rows.lock(balanceTable, wallet.kept_back_id);
  }
}

/**
 * Sets whether credits of the account reach its wallets. When they may, restricted funds are
 * released by a ledger entry of the step (account, version), except what is in reserve; nothing
 * ever moves the other way.
 */
export function setCreditEligibility(
  decision: Decision,
  accountUuid: string,
  accrues: boolean,
  version: number,
): void {
  const lines: LedgerEntry[] = [];
  for (const wallet of decision.find(walletsOfAccount, accountUuid)) {
    if (wallet.kept_back_id === null) continue;
    const kept = decision.get(balanceTable, wallet.kept_back_id);
    const own = decision.get(balanceTable, wallet.id);
    if (kept === null || own === null) throw new Error('a wallet has no balances');
    if (own.accrues !== accrues) decision.update(balanceTable, wallet.id, { accrues });
    if (kept.accrues !== accrues) decision.update(balanceTable, kept.id, { accrues });
    const freed = kept.amount - heldInReserve(decision, kept.id);
    if (!accrues || freed === 0n) continue;
    lines.push(tracked(kept.id, wallet.currency, -freed));
    lines.push(tracked(wallet.id, wallet.currency, freed));
  }
  decision.post(accountUuid, version, lines);
}
