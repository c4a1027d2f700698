// Drops a watch-list: its entries go, nobody is screened against it any more, and its open hits end
// with a step that says so. Its versions stay, so that a decided hit still names one. [G-51]
import { prepared, raw, sql, type Database } from '../../../db/index.ts';
import { command, type Engine } from '../../../engine/index.ts';
import { audit } from '../../tell/audit/index.ts';
import { hitMachine } from './machine.ts';
import { hitTable } from './tables.ts';

const BATCH = 200;

/** What was dropped. */
interface Dropped {
  readonly list: string;
  readonly entries: number;
  /** Open hits that ended. */
  readonly hits: number;
}

/** Ends an open hit of a list that is no longer in force; a decided one stays. */
const dropHit = command({
  name: 'drop_screening_hit',
  batchable: true,
  load(rows, { id }: { readonly id: string }) {
    rows.read(hitTable, id);
    return rows.lock(hitTable, id);
  },
  decide(decision, { id }, hit) {
    const open = hit?.state === 'open';
    if (open) decision.move(hitMachine, hitTable, id, 'drop', 'dropped');
    return { status: 200, payload: open };
  },
});

/**
 * Drops a list, or goes on with a drop that was interrupted; null where no such list was imported.
 */
export async function dropList(
  { db, engine }: { readonly db: Database; readonly engine: Engine },
  list: string,
  actor: string,
): Promise<Dropped | null> {
  const entries = await db.transaction(async (tx) => {
    await tx.execute(`select pg_advisory_xact_lock(hashtext('screening_list'))`);
    const known = await tx.query<{ dropped: boolean }>(sql`
      select dropped is not null as dropped from screening_list where list = ${list}
      order by version desc limit 1`);
    if (known[0] === undefined) return null;
    const values = [list];
    await tx.execute({ text: 'delete from screening_sighting where list = $1', values });
    const gone = await tx.execute({ text: 'delete from screening_entry where list = $1', values });
    if (known[0].dropped) return gone;
    await tx.execute({
      text: `update screening_list set dropped = $now
        where list = $1 and dropped is null`,
      values,
    });
    const entry = { workspace: 0, actor, act: 'watch_list_dropped' } as const;
    await audit(tx, { ...entry, detail: { list, entries: gone } });
    return gone;
  });
  if (entries === null) return null;
  return { list, entries, hits: await endOpenHits({ db, engine }, list, actor) };
}

async function endOpenHits(
  { db, engine }: { readonly db: Database; readonly engine: Engine },
  list: string,
  actor: string,
): Promise<number> {
  let ended = 0;
  for (;;) {
    const open = await db.query<{ workspace: number; id: string }>(prepared('open_hits_of_list')`
      select h.workspace, h.id from screening_hit h
      join workspace w on w.workspace = h.workspace and w.ended is null
      where h.state = 'open' and h.list = ${list} limit ${raw(BATCH)}`);
    if (open.length === 0) return ended;
    for (const { workspace, id } of open) {
      const { payload } = await engine.run(dropHit, { id }, { workspace, actor });
      ended += Number(payload === true);
    }
  }
}
