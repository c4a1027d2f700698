// The balance of each kind of ledger account of a tenant, summed once a minute however many ask:
// it reads all entries of the tenant's system accounts.
import { onceAMinute, sql, type Queryable } from '../../../db/index.ts';
import type { Instant } from '../../../core/time.ts';

/** The balance of all accounts of one kind in a currency, as the books have it. */
export interface KindSum {
  readonly kind: string;
  readonly currency: string;
  /** Minor units. */
  readonly amount: bigint;
}

/** The books at one moment. */
export interface Sums {
  /** By the workspace's clock. */
  readonly at: Instant;
  readonly kinds: readonly KindSum[];
}

/** The sums as they are now. */
export async function sumNow(tx: Queryable, workspace: number): Promise<Sums> {
  const kinds = await tx.query<KindSum>(sql`select a.kind, a.currency, sum(s.amount)::int8 as amount
    from (
      select id, amount from balance where workspace = ${workspace}
      union all select account_id, sum(amount) from posting
        where workspace = $1 and account_version is null group by account_id) s
    join ledger_account a on a.workspace = $1 and a.id = s.id
    group by a.currency, a.kind order by a.currency, a.kind`);
  return { at: await timeOf(tx, workspace), kinds };
}

/** The sums as of the last minute; null where summing takes too long. */
export const sumsOf = onceAMinute(true, sumNow);

/** The time of a workspace. */
export async function timeOf(db: Queryable, workspace: number): Promise<Instant> {
  const text = 'select workspace_now($1) as at';
  const [now] = await db.query<{ at: Instant }>({ text, values: [workspace] });
  if (now === undefined) throw new Error('the database gave no time');
  return now.at;
}
