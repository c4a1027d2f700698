// A queue as a row: something that waits for a worker or for people, and the SQL that shows since
// when. The console and the metrics read the same rows, so that no queue is seen by one alone.

/** One queue. */
export interface Queue {
  /** The label of its figures. */
  readonly name: string;
  /** What waits, for people. */
  readonly title: string;
  /** The table that it is in. */
  readonly table: string;
  /** Who works on it. */
  readonly by: 'worker' | 'people';
  /** The page of the console where people do, or see it; absent: none. */
  readonly path?: string;
  /** SQL: since when each entry of the workspace `w` waits, as `at`, the oldest first. */
  readonly rows: string;
  /** True where entries are of no tenant: there is no `w`, and `at` is in real time. */
  readonly tenantless?: true;
  /** True where `at` is in real time, not by the workspace's clock. */
  readonly real?: true;
}

/** Jobs that are taken when their `due` comes; late ones show a worker that does not follow. */
export function jobQueue(table: string, title: string): Queue {
  const rows = `select due as at from ${table} q
    where q.workspace = w.workspace and due < 'infinity' order by due`;
  return { name: table.replace(/_job$/, ''), title, table, by: 'worker', rows, real: true };
}

/** Rows whose `due` has come by the workspace's clock. */
export function dueQueue(table: string, title: string): Queue {
  const rows = `select due as at from ${table} q where q.workspace = w.workspace
    and due is not null and due <= clock_timestamp() + w.clock_offset order by due`;
  return { name: `${table}_due`, title, table, by: 'worker', rows };
}

/** What waits for a person; `name` is the label, `rows` as in `Queue`. */
export function peopleQueue(
  name: string,
  title: string,
  path: string,
  rows: string,
  table = name,
): Queue {
  return { name, title, path, rows, table, by: 'people' };
}
