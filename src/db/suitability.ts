// What an installation needs of its database beyond the version: sessions that last, room for the
// connections of its nodes, and a standby that has every commit.
import { randomUUID } from 'node:crypto';
import { sqlState } from './errors.ts';
import type { Queryable, Transaction } from './statement.ts';

/** The database cannot be used as it is; the message says what to do. */
export class Unsuitable extends Error {}

/** What of a pool is needed to tell sessions apart. */
interface Sessions {
  connection(): Promise<Transaction & { release(): void }>;
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
}

/** How many connections there are for us, and how many nodes share them. */
export interface Room {
  readonly connections: number;
  /** Nodes that run, without one that is only starting. */
  readonly nodes: number;
}

const POOLED =
  'DATABASE_URL leads to a pooler that changes the session with each transaction. Set ' +
  'pool_mode = session in pgbouncer, or connect to PostgreSQL itself.';
const FULL =
  'The database accepts no more connections: raise max_connections, or stop what uses them.';
export const ALONE =
  'Nothing is synchronous: if the host of the database is lost, so are the last payments that ' +
  'were acknowledged. See docs/high-availability.md.';

/**
 * Refuses a pooler whose sessions last for a transaction only: prepared statements and locks would
 * be lost, or be somebody else's. Two connections find out whether they get the same session.
 */
export async function refusePooled(db: Sessions): Promise<void> {
  const mark = randomUUID();
  const seen = async (on: Queryable): Promise<boolean> => {
    const text = `select current_setting('holdfast.session', true) as seen`;
    return (await on.query<{ seen: string | null }>(text))[0]?.seen === mark;
  };
  const own = await db.connection().catch((error: unknown) => {
    throw sqlState(error) === '53300' ? new Unsuitable(FULL, { cause: error }) : error;
  });
  try {
    const text = `select set_config('holdfast.session', $1, false)`;
    await own.query({ text, values: [mark] });
    const isShared = await db.transaction(async (other) => {
      return (await seen(other)) || !(await seen(own));
    });
    if (isShared) throw new Unsuitable(POOLED);
  } finally {
    own.release();
  }
}

/** What the server, the database and the role leave to us. */
export async function roomOf(db: Queryable): Promise<Room> {
  const [room] = await db.query<Room>(`
    select least(
        current_setting('max_connections')::int
          - current_setting('superuser_reserved_connections')::int
          - coalesce(current_setting('reserved_connections', true), '0')::int,
        nullif(rolconnlimit, -1), nullif(datconnlimit, -1)) as connections,
      (select count(*)::int from pg_stat_activity
        where application_name like 'holdfast heartbeat%' and datname = d.datname) as nodes
    from pg_roles, pg_database d where rolname = current_user and d.datname = current_database()`);
  return room ?? { connections: 0, nodes: 0 };
}

/** What is wrong if nodes open so many connections each; null if they have room. */
export function crowded({ connections, nodes }: Room, each: number): string | null {
  const wanted = Math.max(nodes, 1) * each;
  if (wanted <= connections) return null;
  const who = nodes > 1 ? `${nodes} nodes open` : 'A node opens';
  return (
    `${who} up to ${wanted} connections and the database has ${connections} for them: raise ` +
    'max_connections, or lower HOLDFAST_ENGINE_CONNECTIONS and its like.'
  );
}

/** How the write-ahead log reaches its archive. */
export interface Archive {
  /** The last try to archive a segment failed. */
  readonly fails: boolean;
  /** When a segment was last archived, as text; null for never. */
  readonly last: string | null;
  /** Seconds since then; where none was, since this server began to count. */
  readonly ageSeconds: number;
}

/** The archive of the write-ahead log; null where there is none. */
export async function archiveOf(db: Queryable): Promise<Archive | null> {
  const [archive] = await db.query<Archive>(`
    select coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as fails,
      last_archived_time::text as last,
      extract(epoch from clock_timestamp() - coalesce(last_archived_time, stats_reset))::float8
        as "ageSeconds"
    from pg_stat_archiver where current_setting('archive_mode') <> 'off'`);
  return archive ?? null;
}

/** True if a commit waits for a standby. */
export async function isSynchronous(db: Queryable): Promise<boolean> {
  const text = `select current_setting('synchronous_standby_names') <> '' as is`;
  return (await db.query<{ is: boolean }>(text))[0]?.is === true;
}
