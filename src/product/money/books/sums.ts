// The balance of each kind of ledger account of a tenant, summed once a minute however many ask:
// it reads all entries of the tenant's system accounts.
import type { Database, Queryable } from '../../../db/index.ts';
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

const KEEP_MS = 60_000;
/** What reading may take: of what everybody sees, and of what somebody asked for. */
const SUMS = '5s';
const REPORT = '30s';
const WHOLE_TABLES = `, set_config('enable_seqscan', 'on', true),
  set_config('enable_hashjoin', 'on', true)`;
const TIMED_OUT = '57014';

interface Kept {
  readonly until: number;
  readonly sums: Promise<Sums | null>;
}

const databases = new WeakMap<Database, Map<number, Kept>>();

/** The sums as of the last minute; null where summing takes too long. */
export function sumsOf(db: Database, workspace: number): Promise<Sums | null> {
  const kept = databases.get(db) ?? new Map<number, Kept>();
  databases.set(db, kept);
  const now = performance.now();
  const found = kept.get(workspace);
  if (found !== undefined && found.until > now) return found.sums;
  const sums = inTime(db, true, (tx) => sumNow(tx, workspace), SUMS);
  kept.set(workspace, { until: now + KEEP_MS, sums });
  sums.catch(() => kept.delete(workspace));
  return sums;
}

/**
 * Reads in one snapshot; null where that takes too long. `whole`: all of a tenant is read, for
 * which the settings of the pool, made for reads by key, are wrong.
 */
export async function inTime<T>(
  db: Database,
  whole: boolean,
  read: (tx: Queryable) => Promise<T>,
  timeout = REPORT,
): Promise<T | null> {
  try {
    return await db.transaction(async (tx) => {
      await tx.query(`select set_config('statement_timeout', '${timeout}', true)
        ${whole ? WHOLE_TABLES : ''}`);
      return read(tx);
    }, 'begin isolation level repeatable read read only');
  } catch (error) {
    if ((error as { code?: unknown }).code === TIMED_OUT) return null;
    throw error;
  }
}

/** The sums as they are now. */
export async function sumNow(tx: Queryable, workspace: number): Promise<Sums> {
  const kinds = await tx.query<KindSum>({
    text: `select a.kind, a.currency, sum(s.amount)::int8 as amount
      from (
        select id, amount from balance where workspace = $1
        union all select account_id, sum(amount) from posting
          where workspace = $1 and account_version is null group by account_id) s
      join ledger_account a on a.workspace = $1 and a.id = s.id
      group by a.currency, a.kind order by a.currency, a.kind`,
    values: [workspace],
  });
  return { at: await timeOf(tx, workspace), kinds };
}

/** The time of a workspace. */
export async function timeOf(db: Queryable, workspace: number): Promise<Instant> {
  const text = 'select workspace_now($1) as at';
  const [now] = await db.query<{ at: Instant }>({ text, values: [workspace] });
  if (now === undefined) throw new Error('the database gave no time');
  return now.at;
}
