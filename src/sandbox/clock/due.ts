// Reads what is due in a workspace: items with their times, and those in progress. Each read is one
// snapshot.
import { prepared, type Queryable } from '../../db/index.ts';
import { engineRefusals } from '../../engine/index.ts';
import { wireId } from '../../core/ids.ts';
import { refuse } from '../../core/refusal.ts';
import type { Instant } from '../../core/time.ts';
import { SOURCES, UNDER_WAY, type DueKind } from './sources.ts';

/** An item that waits for its time, by the workspace's clock. */
export interface DueThing {
  readonly at: Instant;
  readonly what: string;
  readonly id: string;
  readonly kind: DueKind;
}

/** The clock goes no further; nothing later is waited for. */
export const END_OF_TIME: Instant = '2200-01-01T00:00:00.000000Z';

const THINGS = SOURCES.map(
  ({ what, kind, rows }) => `(select d.at, '${what}' as what, d.id::text as id, '${kind}' as kind
    from workspace w cross join lateral (${rows}) d
    where w.workspace = $1 and d.at > coalesce($2::timestamptz, workspace_now($1)) and d.at <= $3
    order by d.at, d.id limit $4)`,
).join(' union all ');

const PREFIXES = new Map(SOURCES.map(({ what, prefix }) => [what, prefix]));

/** A range of time. */
export interface Span {
  readonly from: Instant | null;
  readonly to: Instant;
  readonly most: number;
}

/**
 * Items due after `from` (null: the workspace's now) and until `to`: the `most` nearest of each
 * kind, all in order.
 */
export async function thingsDue(
  db: Queryable,
  workspace: number,
  { from, to, most }: Span,
): Promise<readonly DueThing[]> {
  const rows = await db.query<DueThing>({
    name: 'clock_things',
    text: `select * from (${THINGS}) as t order by at, what, id`,
    values: [workspace, from, to, most],
  });
  return rows.map((row) => {
    const prefix = PREFIXES.get(row.what);
    return prefix === undefined ? row : { ...row, id: wireId(prefix, row.id) };
  });
}

/** How many items in progress are shown of each kind. */
const NAMED = 5;

const LEFT = Object.entries(UNDER_WAY)
  .map(([what, text]) => `(select '${what}' as what, id from (${text}) u limit ${NAMED})`)
  .join(' union all ');

/** What is due or in progress: a few of each kind. */
export function leftUndone(
  db: Queryable,
  workspace: number,
): Promise<readonly { readonly what: string; readonly id: string }[]> {
  return db.query({ name: 'clock_left', text: LEFT, values: [workspace] });
}

/** The state of a clock. */
export interface ClockFace {
  readonly now: Instant;
  /** Seconds ahead of real time. */
  readonly ahead: number;
  /** Its workspace is archived, such as by a rollback: nothing becomes due there any more. */
  readonly ended: boolean;
}

export async function readClock(db: Queryable, workspace: number): Promise<ClockFace> {
  const [face] = await db.query<ClockFace>(prepared('clock_face')`
    select clock_timestamp() + clock_offset as now,
    extract(epoch from clock_offset)::float8 as ahead,
    ended is not null as ended from workspace where workspace = ${workspace}`);
  if (face === undefined) throw new Error('a clock was asked for of no workspace');
  return face;
}

/** Reads a clock that is to be advanced. Throws a Refusal for an archived workspace. */
export async function readRunning(db: Queryable, workspace: number): Promise<ClockFace> {
  const face = await readClock(db, workspace);
  if (face.ended) throw refuse(engineRefusals.WORLD_ENDED, {}, 1);
  return face;
}
