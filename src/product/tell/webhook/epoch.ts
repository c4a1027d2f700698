// The epoch of the event stream. It changes when the database is restored to an earlier time,
// because sequence numbers are then assigned again. A reader of an older epoch is told so, and from
// which number to read again. [G-63, docs/decisions/0019]
import { prepared, raw, sql, type Database, type Queryable } from '../../../db/index.ts';
import { refuse } from '../../../core/refusal.ts';
import { audit } from '../audit/index.ts';
import { webhookRefusals as no } from './refusals.ts';

/** The epoch of a stream that was never restored. */
const FIRST = 'first';

interface EpochRow {
  readonly epoch: string;
  readonly after: bigint;
}

/**
 * The current epoch of a workspace's stream. Throws a Refusal for a number of another epoch; its
 * fields are the current epoch and the number to go on with.
 */
export async function requireEpoch(
  db: Queryable,
  workspace: number,
  read: { readonly epoch?: string | undefined; readonly after: number },
): Promise<string> {
  const rows = await db.query<EpochRow>(prepared('event_epochs')`
    select epoch, after from event_epoch where workspace = ${workspace} order by number`);
  const epoch = rows.at(-1)?.epoch ?? FIRST;
  if (read.epoch === undefined || read.epoch === epoch) return epoch;
  // An unknown epoch was itself lost by a restore: every restore counts.
  const known = read.epoch === FIRST ? -1 : rows.findIndex((row) => row.epoch === read.epoch);
  const since = rows.slice(known + 1).map(({ after }) => Number(after));
  const after = Math.min(read.after, ...(since.length === 0 ? [0] : since));
  throw refuse(no.EVENTS_EPOCH_CHANGED, { epoch, after: String(after) });
}

/** Events this close before `to` count as after it: they may have been numbered later. */
const MARGIN = '1 minute';

/**
 * Begins a new epoch for every workspace and gives its name. What was sealed until `to`, by the
 * clock of each workspace, stays valid; null: all that is there.
 */
export async function beginEpoch(
  db: Database,
  newEpoch: string,
  to: Date | null,
): Promise<{ readonly epoch: string; readonly streams: number }> {
  return db.transaction(async (tx) => {
    // Waits for streams that are being sealed, and blocks others from beginning.
    await tx.query('select from seal order by workspace for update');
    const rows = await tx.query(sql`insert into event_epoch (workspace, number, epoch, after, began)
      select w.workspace, 1 + coalesce(
          (select max(number) from event_epoch e where e.workspace = w.workspace), 0),
        ${newEpoch}, coalesce((select min(v.sequence) - 1 from event v
        where v.workspace = w.workspace
          and v.at > ${to}::timestamptz + w.clock_offset - interval '${raw(MARGIN)}'), s.sequence),
        clock_timestamp()
      from workspace w join seal s on s.workspace = w.workspace where w.ended is null
      returning workspace`);
    const detail = { to: to === null ? null : to.toISOString(), streams: rows.length };
    await audit(tx, {
      workspace: 0,
      actor: 'operator',
      act: 'restored',
      subject: newEpoch,
      detail,
    });
    return { epoch: newEpoch, streams: rows.length };
  });
}
