// The integrator's balance. Debits lock the balance row; credits are only appended and folded in
// later, so that concurrent payments do not wait for one row. A debit can never exceed the folded
// balance. [G-43]
import type { Database, Queryable } from '../db/index.ts';
import type { Decision, LedgerEntry, ReadSet } from '../core/command.ts';
import { systemAccount, systemAccountId } from './chart.ts';
import { integratorBalanceTable } from './tables.ts';

/** Adds to the read set what `debitIntegrator` needs: the balance, locked. */
export function needIntegrator(rows: ReadSet, currency: string): void {
  rows.lock(integratorBalanceTable, systemAccountId(rows.lineage, 'integrator_share', currency));
}

/** Minor units that can be debited now; credits not folded yet do not count. */
export function integratorHolds(decision: Decision, currency: string): bigint {
  const id = systemAccountId(decision.lineage, 'integrator_share', currency);
  return decision.get(integratorBalanceTable, id)?.amount ?? 0n;
}

/** Debits `amount` minor units, at most `integratorHolds`, and returns the ledger entry. */
export function debitIntegrator(decision: Decision, currency: string, amount: bigint): LedgerEntry {
  const id = systemAccountId(decision.lineage, 'integrator_share', currency);
  const row = decision.get(integratorBalanceTable, id);
  if (row === null || row.amount < amount) throw new Error('the integrator holds too little');
  const next = { amount: row.amount - amount, version: row.version + 1, updated: decision.now };
  decision.update(integratorBalanceTable, id, next);
  return systemAccount(decision.lineage, 'integrator_share', currency, -amount);
}

/** Folds the credits of one account into its balance; returns how many there were. */
export async function foldCredits(db: Database, workspace: number, id: string): Promise<number> {
  return db.transaction(async (tx) => {
    const values = [workspace, id];
    // Locked in a statement of its own, so that the next one no longer sees what another fold took.
    await tx.query({
      text: `select 1 from integrator_balance where workspace = $1 and id = $2 for no key update`,
      values,
    });
    const rows = await tx.query<{ n: bigint }>({
      text: `with gone as (
          delete from integrator_credit where workspace = $1 and account_id = $2 returning amount
        ), folded as (
          update integrator_balance set amount = amount + (select sum(amount) from gone),
            version = version + 1, updated = $now
          where workspace = $1 and id = $2 and exists (select from gone)
        )
        select count(*) as n from gone`,
      values,
    });
    return Number(rows[0]?.n ?? 0n);
  });
}

/** Folds every account that has waiting credits, which keeps their table small. Returns 0. */
export async function foldAllCredits(db: Database): Promise<number> {
  const rows = await accountsWithCredits(db);
  for (const { workspace, account_id } of rows) await foldCredits(db, workspace, account_id);
  return 0;
}

async function accountsWithCredits(
  db: Queryable,
): Promise<readonly { workspace: number; account_id: string }[]> {
  return db.query(`select distinct workspace, account_id from integrator_credit
    join workspace using (workspace) where ended is null`);
}
