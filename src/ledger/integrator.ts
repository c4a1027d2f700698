// What the integrator holds: a balance that debits lock, and credits that nobody waits for. Answers
// for debits never passing what is there, and for folding the credits in; refuses to know what the
// money is for. [G-43]
import type { Database, Queryable } from '../db/index.ts';
import type { Decision, Line, Want } from '../engine/command.ts';
import { house, houseAccountId } from './chart.ts';
import { integratorBalanceTable } from './tables.ts';

/** Names what `debitIntegrator` needs: the balance, under lock. */
export function needIntegrator(want: Want, currency: string): void {
  want.lock(integratorBalanceTable, houseAccountId(want.line, 'integrator_share', currency));
}

/** Minor units that can be debited now; credits that are not folded yet do not count. */
export function integratorHolds(decision: Decision, currency: string): bigint {
  const id = houseAccountId(decision.line, 'integrator_share', currency);
  return decision.get(integratorBalanceTable, id)?.amount ?? 0n;
}

/** Takes `amount` minor units, which `integratorHolds` must cover, and gives the line of it. */
export function debitIntegrator(decision: Decision, currency: string, amount: bigint): Line {
  const id = houseAccountId(decision.line, 'integrator_share', currency);
  const row = decision.get(integratorBalanceTable, id);
  if (row === null || row.amount < amount) throw new Error('the integrator holds too little');
  const next = { amount: row.amount - amount, version: row.version + 1, updated: decision.now };
  decision.update(integratorBalanceTable, id, next);
  return house(decision.line, 'integrator_share', currency, -amount);
}

/** Folds the credits of one account into its balance; gives how many there were. */
export async function foldCredits(db: Database, world: number, id: string): Promise<number> {
  return db.transaction(async (tx) => {
    const values = [world, id];
    // The lock comes in a statement of its own: what another fold took is gone in the next.
    await tx.query({
      text: `select 1 from integrator_balance where world = $1 and id = $2 for no key update`,
      values,
    });
    const rows = await tx.query<{ n: bigint }>({
      text: `with gone as (
          delete from integrator_credit where world = $1 and account_id = $2 returning amount
        ), folded as (
          update integrator_balance set amount = amount + (select sum(amount) from gone),
            version = version + 1, updated = clock_timestamp()
          where world = $1 and id = $2 and exists (select from gone)
        )
        select count(*) as n from gone`,
      values,
    });
    return Number(rows[0]?.n ?? 0n);
  });
}

/** Folds every account that has credits waiting, so that their table stays small. Gives 0. */
export async function foldAllCredits(db: Database): Promise<number> {
  const rows = await accountsWithCredits(db);
  for (const { world, account_id } of rows) await foldCredits(db, world, account_id);
  return 0;
}

async function accountsWithCredits(
  db: Queryable,
): Promise<readonly { world: number; account_id: string }[]> {
  return db.query('select distinct world, account_id from integrator_credit');
}
