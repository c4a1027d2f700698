// The lines of openings that are confirmed, as the booking takes them block by block, and what is
// left of cancelled ones.
import { prepared, raw, sql, type Queryable } from '../../../db/index.ts';
import type { Engine } from '../../../engine/index.ts';
import { bookOpening, type OpeningAnswer, type OpeningLine } from './opening.ts';
import type { OpeningState } from './machine.ts';

/** Wallets locked by one commit, so that their owners never wait long. */
const BLOCK = 200;

/** An opening with lines to book. */
export interface OpenOpening {
  readonly workspace: number;
  readonly id: string;
}

/** Openings that were confirmed and are not wholly booked, in workspaces that live. */
export function openOpenings(db: Queryable, most: number): Promise<OpenOpening[]> {
  return db.query(prepared('open_openings')`select o.workspace, o.id from opening o
    join workspace w on w.workspace = o.workspace and w.ended is null
    where o.state in ('confirmed', 'booking') order by o.workspace, o.id limit ${most}`);
}

interface Next extends OpeningLine {
  readonly booked: number;
}

/**
 * Books the next block; gives the state after it. Two processes may do this at once, and one may be
 * killed: the row tells how far the lines are booked, and a block that was booked changes nothing.
 */
export async function bookBlock(
  { db, engine }: { readonly db: Queryable; readonly engine: Engine },
  { workspace, id }: OpenOpening,
): Promise<OpeningState> {
  const rows = await db.query<Next>(prepared('opening_block')`
    select l.line, l.wallet_id, l.amount, o.booked from opening o
    join opening_line l on l.workspace = o.workspace and l.opening_id = o.id
      and l.line > o.last_line
    where o.workspace = ${workspace} and o.id = ${id} order by l.line limit ${raw(BLOCK)}`);
  const lines = rows.map(({ line, wallet_id, amount }) => ({ line, wallet_id, amount }));
  const input = { id, booked: rows[0]?.booked ?? 0, lines };
  const { payload } = await engine.run(bookOpening, input, { workspace, actor: 'system' });
  return (payload as OpeningAnswer).state;
}

/** Removes the lines of cancelled openings, whose wallets can then be opened by another file. */
export async function forgetCancelled(db: Queryable, workspace: number): Promise<void> {
  await db.query(sql`delete from opening_line l using opening o
    where l.workspace = ${workspace} and o.workspace = l.workspace and o.id = l.opening_id
      and o.state = 'cancelled'`);
}
