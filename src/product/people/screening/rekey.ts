// Makes the keys of entries anew that an earlier release stored: it compared names otherwise. Then
// everybody is screened again. An entry keeps its import, so no hit is found twice.
import { prepared, raw, type Database } from '../../../db/index.ts';
import type { Entry } from './entry.ts';
import { KEYED, keysOf } from './import.ts';

const BATCH = 1_000;

interface Row {
  readonly list: string;
  readonly entry: string;
  readonly digest: string;
  readonly body: string;
}

/** Keys entries anew; gives how many. Safe in several processes, and beside an import. */
export async function keyAgain(db: Database): Promise<number> {
  let keyed = 0;
  for (;;) {
    const rows = await db.query<Row>(prepared('screening_entries_old')`
      select list, entry, digest, body from screening_entry where not keys @> ${[KEYED]}::text[]
      limit ${raw(BATCH)}`);
    if (rows.length === 0) break;
    await store(db, rows);
    keyed += rows.length;
  }
  if (keyed === 0) return 0;
  await db.execute(`update screening_run set base = 0, cursor = null, screened = 0, found = 0,
    started = $now, ended = null, leased_until = null`);
  return keyed;
}

async function store(db: Database, rows: readonly Row[]): Promise<void> {
  await db.execute({
    name: 'screening_entries_key',
    text: `update screening_entry e set keys = string_to_array(g.keys, '|')
      from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as g (list, entry, digest, keys)
      where e.list = g.list and e.entry = g.entry and e.digest = g.digest`,
    values: [
      rows.map(({ list }) => list),
      rows.map(({ entry }) => entry),
      rows.map(({ digest }) => digest),
      rows.map(({ body }) => keysOf(JSON.parse(body) as Entry).join('|')),
    ],
  });
}
