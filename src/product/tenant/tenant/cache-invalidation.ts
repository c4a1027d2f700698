// Cache invalidation between processes for new clones and moved clients. Each process holds an
// advisory lock with the number of the newest change that it has read; a writer goes on when nobody
// holds an older one, or after two seconds. A dead process holds none.
import { setTimeout as pause } from 'node:timers/promises';
import { isUnreachable, prepared, raw, sql, sqlState } from '../../../db/index.ts';
import type { Database, Listening, Queryable, Told, Transaction } from '../../../db/index.ts';
import type { Lineages } from '../../../core/lineages.ts';

/** The channel that notifies processes. */
export const NEWS_CHANNEL = 'cache_invalidation';

/** First key of the advisory locks; the second is the number of the change. */
const NEWS_CLASS = 0x6e657773;
/** Milliseconds that an announcement waits for other processes. */
const WAIT_MS = 2_000;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

/** Cache invalidation for new or changed workspaces and clients. Staging only. */
export interface CacheInvalidation {
  /**
   * Runs `work` in a transaction; after its commit waits (at most 2 s) until every running process
   * knows the workspaces and clients that it wrote. Announcements are serialized, so `work` must be
   * short; a clone gets its number (sequence `workspace_copy`) inside it.
   */
  announce<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
}

export interface NewsParts {
  readonly db: Database;
  /** Reads what this process must know. */
  read(): Promise<void>;
  /** Opens the connection that notifies this process. */
  listen(told: Told): Promise<Listening>;
  readonly fault: (error: unknown) => void;
}

export interface RunningNews extends CacheInvalidation {
  /** Stops announcing and listening. */
  close(): Promise<void>;
}

/** Reads the lineages of clones newer than the known ones. */
export async function readLineages(db: Queryable, lineages: Lineages): Promise<void> {
  lineages.learn(
    await db.query<{ workspace: number; lineage: number }>(prepared('workspace_lines')`
      select workspace, lineage from workspace where workspace > ${lineages.newest}`),
  );
}

/**
 * Announces changes. `hears` tells whether the wait includes this process; otherwise it reads its
 * own change itself.
 */
export function cacheInvalidation(
  { db, read }: Pick<NewsParts, 'db' | 'read'>,
  hears: (epoch: number) => boolean = () => false,
): CacheInvalidation {
  return {
    async announce(work) {
      const { made, epoch } = await db.transaction((tx) => tell(tx, work));
      await untilRead(db, epoch);
      if (!hears(epoch)) await read();
      return made;
    },
  };
}

const LOCKS = `from pg_locks where locktype = 'advisory' and objsubid = 2 and granted
  and classid = ${NEWS_CLASS}::bigint::oid and mode = 'ShareLock'
  and database = (select oid from pg_database where datname = current_database())`;

/** True where no process listens on this database; to be checked before this one does. */
export async function isAlone(db: Queryable): Promise<boolean> {
  return (await db.query(`select ${LOCKS} limit 1`)).length === 0;
}

/** Starts listening; resolves when this process has read what there is. */
export async function openCacheInvalidation(parts: NewsParts): Promise<RunningNews> {
  const ear = new Ear(parts);
  await ear.open();
  return { ...cacheInvalidation(parts, (epoch) => ear.hears(epoch)), close: () => ear.close() };
}

async function tell<T>(tx: Transaction, work: (tx: Transaction) => Promise<T>) {
  // The row's lock orders announcements: who has read a number has read all before it.
  const rows = await tx.query<{ epoch: number }>(
    'update cache_invalidation set epoch = epoch + 1 returning epoch',
  );
  const made = await work(tx);
  await tx.query(sql`select pg_notify(${NEWS_CHANNEL}, ${''})`);
  return { made, epoch: rows[0]?.epoch ?? 0 };
}

/** Waits until every process has read the change of this number, but not forever. */
async function untilRead(db: Database, epoch: number): Promise<void> {
  const end = performance.now() + WAIT_MS;
  for (;;) {
    const left = Math.ceil(end - performance.now());
    if (left <= 0 || !(await waitOnce(db, epoch, left))) return;
  }
}

/** Waits for one older lock; false: there is none, or it took too long. */
async function waitOnce(db: Database, epoch: number, patience: number): Promise<boolean> {
  try {
    return await db.transaction(async (tx) => {
      const rows = await tx.query<{ oldest: number | null }>(sql`
        select min(objid::bigint)::int as oldest ${raw(LOCKS)} and objid::bigint < ${epoch}`);
      const oldest = rows[0]?.oldest ?? null;
      if (oldest === null) return false;
      await tx.query(`set local lock_timeout = '${patience}ms'`);
      await tx.query(sql`select pg_advisory_xact_lock(${NEWS_CLASS}, ${oldest})`);
      return true;
    });
  } catch (error) {
    if (sqlState(error) === '55P03') return false;
    throw error;
  }
}

/** The listening side of a process. */
class Ear {
  readonly #parts: NewsParts;
  readonly #closing = new AbortController();
  #line: Listening | null = null;
  /** The number whose lock the session holds: that change and all before it were read. */
  #held: number | null = null;
  #following: Promise<void> = Promise.resolve();
  #asked = false;

  constructor(parts: NewsParts) {
    this.#parts = parts;
  }

  /** True where this process has read the change of this number and is listening. */
  hears(epoch: number): boolean {
    return this.#held !== null && this.#held >= epoch;
  }

  async open(): Promise<void> {
    let opened: Listening | null = null;
    const line = await this.#parts.listen({
      heard: () => this.#heard(opened),
      lost: () => this.#lost(opened),
    });
    try {
      await this.#follow(line);
      this.#closing.signal.throwIfAborted();
    } catch (error) {
      this.#held = null;
      await line.close();
      throw error;
    }
    this.#line = opened = line;
    // What was announced during the first read.
    this.#heard(line);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    const line = this.#line;
    this.#line = null;
    await line?.close();
    await this.#following;
  }

  /** Reads until the newest change was read. Only then the lock moves on. */
  async #follow(line: Listening): Promise<void> {
    for (;;) {
      const rows = await line.query<{ epoch: number }>('select epoch from cache_invalidation');
      const epoch = rows[0]?.epoch ?? 0;
      if (epoch === this.#held) return;
      await this.#parts.read();
      const lock = (verb: string, of: number): Promise<unknown> =>
        line.query(sql`select pg_advisory_${raw(verb)}_shared(${NEWS_CLASS}, ${of})`);
      await lock('lock', epoch);
      if (this.#held !== null) await lock('unlock', this.#held);
      this.#held = epoch;
    }
  }

  #heard(line: Listening | null): void {
    if (this.#asked || line === null || this.#line !== line) return;
    this.#asked = true;
    this.#following = this.#following
      .then(() => {
        this.#asked = false;
        return this.#line === line ? this.#follow(line) : undefined;
      })
      .catch((error: unknown) => {
        // A broken connection is opened again, and is no fault.
        if (this.#line === line && !isUnreachable(error)) this.#parts.fault(error);
        this.#lost(line);
      });
  }

  /** Everything is read again before any change is trusted. */
  #lost(line: Listening | null): void {
    if (line === null || this.#line !== line) return;
    this.#line = null;
    this.#held = null;
    this.#following = line.close().then(() => this.#openAgain());
  }

  async #openAgain(): Promise<void> {
    const { signal } = this.#closing;
    for (let wait = FIRST_PAUSE_MS; !signal.aborted; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
      try {
        return await this.open();
      } catch {
        await pause(wait, undefined, { signal, ref: false }).catch(() => {});
      }
    }
  }
}
