// What became of a transaction whose COMMIT lost its answer. The database knows by the id of the
// transaction, but its word alone is not enough: an id that was given out and never reached the
// disk is given out again after a crash, and then "committed" speaks of somebody else's
// transaction. (Seen with kill -9 of the server under load: an answer went out for rows that were
// not there.) So a row that only this transaction can have written must be there too.
import type { Database, Statement } from '../db/index.ts';
import type { Effects } from './effects.ts';
import { stepTable, type StepRow } from './history.ts';
import type { IdRow, Table } from './table.ts';

/** The connection was lost while COMMIT was under way and the outcome could not be learnt. */
export class CommitUnknown extends Error {}

const MOST_LOOKS = 50;
const BETWEEN_LOOKS_MS = 100;

/** True when the transaction committed; throws `CommitUnknown` when that cannot be told. */
export async function wasCommitted(
  db: Database,
  xid: string,
  effects: Effects,
  pause: (ms: number) => Promise<void>,
): Promise<boolean> {
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    try {
      const rows = await db.query<{ status: string | null }>({
        text: 'select pg_xact_status($1::xid8) as status',
        values: [xid],
      });
      const status = rows[0]?.status ?? null;
      if (status === 'aborted') return false;
      if (status !== 'in progress') return await isThere(db, effects);
    } catch (error) {
      if (error instanceof CommitUnknown) throw error;
      // The database is away for now.
    }
    await pause(BETWEEN_LOOKS_MS);
  }
  throw new CommitUnknown('the outcome of a commit is not known yet');
}

async function isThere(db: Database, effects: Effects): Promise<boolean> {
  const mark = markOf(effects);
  if (mark === null) throw new CommitUnknown('a commit left no row that tells it from others');
  const rows = await db.query<{ there: boolean }>(mark);
  return rows[0]?.there === true;
}

/** A look for one row of the transaction: a step with its stamp, or a row with a fresh id. */
function markOf(effects: Effects): Statement | null {
  const step = effects.inserts.get(stepTable as unknown as Table)?.[0] as StepRow | undefined;
  if (step !== undefined) {
    return {
      text: `select exists (select from step where world = $1 and resource_id = $2 and version = $3
        and at = $4 and actor = $5) as there`,
      values: [step.world, step.resource_id, step.version, step.at, step.actor],
    };
  }
  for (const [table, rows] of effects.inserts) {
    const row = rows[0] as IdRow | undefined;
    if (row === undefined || !('id' in table.columns)) continue;
    return {
      text: `select exists (select from ${table.name} where world = $1 and id = $2) as there`,
      values: [row.world, row.id],
    };
  }
  return null;
}
