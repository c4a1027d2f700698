// What became of a transaction whose COMMIT lost its answer. A row that only this transaction can
// have written is looked for first: where it is, the transaction committed, whatever is said of it.
// The database's word about the transaction's id is for the rest, and is never enough for a yes: an
// id that was given out and never reached the disk is given out again after a crash, and then
// "committed" speaks of somebody else's. (Seen with kill -9 of the server under load: an answer
// went out for rows that were not there.)
import { isTrouble, type Queryable, type Statement } from '../db/index.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Effects } from './effects.ts';
import { stepTable, type StepRow } from './history.ts';
import { engineRefusals } from './refusals.ts';
import type { IdRow, Table } from './table.ts';

/** The connection was lost while COMMIT was under way and the outcome could not be learnt. */
export class CommitUnknown extends Error {}

/** What a caller hears of a fault; what is no trouble with the database stays what it is. */
export function answerTo(error: unknown): unknown {
  if (error instanceof CommitUnknown) return new Refusal(engineRefusals.OUTCOME_UNKNOWN, {}, 1);
  return isTrouble(error) ? new Refusal(engineRefusals.DATABASE_UNAVAILABLE, {}, 1) : error;
}

/** A look itself may take as long as a connection is waited for. */
const LOOK_FOR_MS = 5_000;
const BETWEEN_LOOKS_MS = 100;

/** Time as the engine has it. */
export interface Patience {
  now(): number;
  pause(ms: number): Promise<void>;
}

/** True when the transaction committed; throws `CommitUnknown` when that cannot be told. */
export async function wasCommitted(
  db: Queryable,
  xid: string,
  effects: Pick<Effects, 'inserts'>,
  { now, pause }: Patience,
): Promise<boolean> {
  const mark = markOf(effects);
  const end = now() + LOOK_FOR_MS;
  do {
    const committed = await look(db, xid, mark).catch((error: unknown) => {
      if (error instanceof CommitUnknown) throw error;
      // The database is away for now.
      return null;
    });
    if (committed !== null) return committed;
    await pause(BETWEEN_LOOKS_MS);
  } while (now() < end);
  throw new CommitUnknown('the outcome of a commit is not known yet');
}

/** One look; null while the transaction is under way. */
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
  // It may have ended between the two questions.
  return isThere(db, mark);
}

async function isThere(db: Queryable, mark: Statement): Promise<boolean> {
  return (await db.query<{ there: boolean }>(mark))[0]?.there === true;
}

/** A look for one row of the transaction: a step with its stamp, or a row with a fresh id. */
function markOf(effects: Pick<Effects, 'inserts'>): Statement | null {
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
