// Reads reports of the books, each in one snapshot; null where that takes too long.
import { inTime, type Database } from '../../../db/index.ts';
import { accountId, uuidOfWireId } from '../../../core/ids.ts';
import type { Instant } from '../../../core/time.ts';
import { movedIn } from './entries.ts';
import {
  balancesOf,
  kindsOf,
  monthSpan,
  statementOf,
  trialBalanceOf,
  untilSpan,
  type Balances,
  type MonthlyStatement,
  type TrialBalance,
} from './reports.ts';
import {
  sellerTotals,
  type SellerTotalsPage,
  type SellerTotalsQuestion,
} from './seller-totals.ts';
import { sumNow } from './sums.ts';

/** The trial balance at a moment; null: now. */
export async function readTrialBalance(
  db: Database,
  workspace: number,
  at: Instant | null,
): Promise<TrialBalance | null> {
  if (at === null) {
    const sums = await inTime(db, true, (tx) => sumNow(tx, workspace));
    return sums && trialBalanceOf(sums.at, sums.kinds);
  }
  const moved = await inTime(db, true, (tx) => movedIn(tx, workspace, untilSpan(at)));
  return moved && trialBalanceOf(at, kindsOf(moved));
}

/** What an account, named by its UUID, had at a moment. */
export async function readBalances(
  db: Database,
  workspace: number,
  account: string,
  at: Instant,
): Promise<Balances | null> {
  const moved = await inTime(db, false, (tx) => movedIn(tx, workspace, untilSpan(at), account));
  return moved && balancesOf(accountId(account), at, moved);
}

/** The statement of a month, `YYYY-MM`, of an account's UUID; null: of the whole tenant. */
export async function readStatement(
  db: Database,
  workspace: number,
  month: string,
  account: string | null = null,
): Promise<MonthlyStatement | null> {
  const span = monthSpan(month);
  const whole = account === null;
  const moved = await inTime(db, whole, (tx) => movedIn(tx, workspace, span, account));
  return moved && statementOf(whole ? '' : accountId(account), span, moved);
}

/** Totals of the sellers among the accounts after one, named by its wire id; '': from the first. */
export function readSellerTotals(
  db: Database,
  workspace: number,
  asked: SellerTotalsQuestion,
): Promise<SellerTotalsPage | null> {
  const after = uuidOfWireId('acct', asked.after) ?? '';
  return inTime(db, false, (tx) => sellerTotals(tx, workspace, { ...asked, after }));
}
