// Finds rows whose due time has passed, each by the clock of its own workspace.
import type { Queryable } from '../db/index.ts';
import type { IdRow, Table } from '../core/table.ts';
import type { Instant } from '../core/time.ts';

/** A row for the clock to act on; `due` is null while there is nothing to do. */
interface DueRow extends IdRow {
  readonly due: Instant | null;
}

/**
 * At most `most` due rows of active workspaces, the longest overdue first. The table needs a
 * partial index on (workspace, due).
 */
export async function dueRows<R extends DueRow>(
  db: Queryable,
  { name }: Table<R>,
  most: number,
): Promise<readonly { readonly workspace: number; readonly id: string }[]> {
  return db.query({
    name: `due:${name}`,
    text: `select w.workspace, d.id from workspace w
      cross join lateral (select id, due from ${name}
        where workspace = w.workspace and due is not null
          and due <= clock_timestamp() + w.clock_offset
        order by due limit $1) d
      where w.ended is null
      order by d.due limit $1`,
    values: [most],
  });
}
