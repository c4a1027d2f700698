// Finds out whether a transaction committed whose COMMIT got no answer, by looking for a row that
// only this transaction can have written. The database's transaction status is trusted for
// "aborted" only.
import { isTrouble, type Queryable, type Statement } from '../db/index.ts';
import { Refusal } from '../core/refusal.ts';
import type { Writes } from './unit-of-work.ts';
import { stepTable, type StepRow } from './history.ts';
import { engineRefusals } from './refusals.ts';
import type { IdRow, Table } from '../core/table.ts';

/** The connection was lost during COMMIT and the outcome could not be found out. */
export class CommitUnknown extends Error {}

/** The error a caller gets: database trouble becomes a refusal, anything else stays as it is. */
export function answerTo(error: unknown): unknown {
  if (error instanceof CommitUnknown) return new Refusal(engineRefusals.OUTCOME_UNKNOWN, {}, 1);
  return isTrouble(error) ? new Refusal(engineRefusals.DATABASE_UNAVAILABLE, {}, 1) : error;
}

/** As long as a request waits for a connection. */
const LOOK_FOR_MS = 5_000;
const BETWEEN_LOOKS_MS = 100;

/** The engine's clock and pause. */
export interface CommitWait {
  now(): number;
  pause(ms: number): Promise<void>;
}

/** True if the transaction committed; throws `CommitUnknown` if five seconds do not settle it. */
export async function wasCommitted(
  db: Queryable,
  xid: string,
  writes: Pick<Writes, 'inserts'>,
  { now, pause }: CommitWait,
): Promise<boolean> {
  const mark = markOf(writes);
  const end = now() + LOOK_FOR_MS;
  do {
    const committed = await look(db, xid, mark).catch((error: unknown) => {
      if (error instanceof CommitUnknown) throw error;
      // The database is unreachable for now.
      return null;
    });
    if (committed !== null) return committed;
    await pause(BETWEEN_LOOKS_MS);
  } while (now() < end);
  throw new CommitUnknown('the outcome of a commit is not known yet');
}

/**
 * True or false if the outcome is known; null while the transaction is in progress. A status
 * "committed" proves nothing: after a crash PostgreSQL reuses transaction ids that never reached
 * the disk, so it may be another's (seen with kill -9 under load: an answer went out for rows that
 * did not exist).
 */
async function look(db: Queryable, xid: string, mark: Statement | null): Promise<boolean | null> {
  if (mark !== null && (await isThere(db, mark))) return true;
  const rows = await db.query<{ status: string | null }>({
    text: 'select pg_xact_status($1::xid8) as status',
    values: [xid],
  });
  const status = rows[0]?.status ?? null;
  if (status === 'aborted') return false;
  if (status === 'in progress') return null;
  if (mark === null) throw new CommitUnknown('a commit left no row that tells it from others');
  // It may have committed between the two queries.
  return isThere(db, mark);
}

async function isThere(db: Queryable, mark: Statement): Promise<boolean> {
  return (await db.query<{ there: boolean }>(mark))[0]?.there === true;
}

/** Query for a row that only this transaction wrote: a step with time and actor, or a fresh id. */
function markOf(writes: Pick<Writes, 'inserts'>): Statement | null {
  const step = writes.inserts.get(stepTable as unknown as Table)?.[0] as StepRow | undefined;
  if (step !== undefined) {
    return {
      text: `select exists (select from step where workspace = $1 and resource_id = $2
        and version = $3
        and at = $4 and actor = $5) as there`,
      values: [step.workspace, step.resource_id, step.version, step.at, step.actor],
    };
  }
  for (const [table, rows] of writes.inserts) {
    const row = rows[0] as IdRow | undefined;
    if (row === undefined || !('id' in table.columns)) continue;
    return {
      text: `select exists (select from ${table.name} where workspace = $1 and id = $2) as there`,
      values: [row.workspace, row.id],
    };
  }
  return null;
}
