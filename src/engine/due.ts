// Rows whose time has come. Answers for due being judged by the time of each row's own world, as
// the engine stamps it; refuses to know what is done with them.
import type { Queryable } from '../db/index.ts';
import type { IdRow, Table } from './table.ts';
import type { Instant } from '../kernel/time.ts';

/** A row that the clock may act on; `due` is null while there is nothing to do. */
interface DueRow extends IdRow {
  readonly due: Instant | null;
}

/**
 * At most `most` rows of live worlds that are due, the longest overdue first. The table has an
 * index on world and due, of the rows that have one.
 */
export async function dueRows<R extends DueRow>(
  db: Queryable,
  { name }: Table<R>,
  most: number,
): Promise<readonly { readonly world: number; readonly id: string }[]> {
  return db.query({
    name: `due:${name}`,
    text: `select w.world, d.id from world w
      cross join lateral (select id, due from ${name}
        where world = w.world and due is not null
          and due <= clock_timestamp() + w.clock_offset
        order by due limit $1) d
      where w.ended is null
      order by d.due limit $1`,
    values: [most],
  });
}
