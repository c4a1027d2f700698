// News of worlds: lines of copies, and clients that moved. Answers for every running process
// knowing them before the one that wrote them goes on: each process holds a lock of the newest news
// that it has read, and who announces waits until nobody holds an older one. A process that died
// holds none. Refuses to know what is announced and what is read.
import { setTimeout as pause } from 'node:timers/promises';
import {
  isUnreachable,
  sqlState,
  type Database,
  type Listening,
  type Queryable,
  type Told,
  type Transaction,
} from '../../db/index.ts';
import type { Lines } from '../../kernel/lines.ts';
import type { WorldNews } from '../context.ts';

/** What a process is notified on. */
export const NEWS_CHANNEL = 'world_news';

/** First key of the locks; the second is the number of the news. */
const NEWS_CLASS = 0x6e657773;
/** Milliseconds that an announcement waits for other processes. */
const PATIENCE_MS = 2_000;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

/** What news runs on. */
export interface NewsParts {
  readonly db: Database;
  /** Reads what this process must know. */
  read(): Promise<void>;
  /** Opens the connection that this process is notified on. */
  listen(told: Told): Promise<Listening>;
  readonly fault: (error: unknown) => void;
}

/** Running news of a process. */
export interface RunningNews extends WorldNews {
  /** Announces and hears nothing more. */
  close(): Promise<void>;
}

/** Learns the lines of copies that are newer than those known. */
export async function readLines(db: Queryable, lines: Lines): Promise<void> {
  lines.learn(
    await db.query<{ world: number; line: number }>({
      name: 'world_lines',
      text: 'select world, line from world where world > $1',
      values: [lines.newest],
    }),
  );
}

/**
 * Announces. `hears`: whether this process is among those that are waited for; else it reads by
 * itself what it has announced.
 */
export function worldNews(
  { db, read }: Pick<NewsParts, 'db' | 'read'>,
  hears: (epoch: number) => boolean = () => false,
): WorldNews {
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

/** Whether no process hears news of the database; to be asked before this one does. */
export async function isAlone(db: Queryable): Promise<boolean> {
  return (await db.query(`select ${LOCKS} limit 1`)).length === 0;
}

/** Starts hearing; resolves when this process has read what there is. */
export async function openWorldNews(parts: NewsParts): Promise<RunningNews> {
  const ear = new Ear(parts);
  await ear.open();
  return { ...worldNews(parts, (epoch) => ear.hears(epoch)), close: () => ear.close() };
}

async function tell<T>(tx: Transaction, work: (tx: Transaction) => Promise<T>) {
  // The row's lock puts announcements in order: who has read a number has read all before it.
  const rows = await tx.query<{ epoch: number }>(
    'update world_news set epoch = epoch + 1 returning epoch',
  );
  const made = await work(tx);
  await tx.query({ text: 'select pg_notify($1, $2)', values: [NEWS_CHANNEL, ''] });
  return { made, epoch: rows[0]?.epoch ?? 0 };
}

/** Waits until no process has yet to read the news of this number; not for ever. */
async function untilRead(db: Database, epoch: number): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    const left = Math.ceil(end - performance.now());
    if (left <= 0 || !(await waitOnce(db, epoch, left))) return;
  }
}

/** Waits for one lock of older news; false: there is none, or it took too long. */
async function waitOnce(db: Database, epoch: number, patience: number): Promise<boolean> {
  try {
    return await db.transaction(async (tx) => {
      const rows = await tx.query<{ oldest: number | null }>({
        text: `select min(objid::bigint)::int as oldest ${LOCKS} and objid::bigint < $1`,
        values: [epoch],
      });
      const oldest = rows[0]?.oldest ?? null;
      if (oldest === null) return false;
      await tx.query(`set local lock_timeout = '${patience}ms'`);
      await tx.query({
        text: 'select pg_advisory_xact_lock($1, $2)',
        values: [NEWS_CLASS, oldest],
      });
      return true;
    });
  } catch (error) {
    if (sqlState(error) === '55P03') return false;
    throw error;
  }
}

/** The hearing side of a process. */
class Ear {
  readonly #parts: NewsParts;
  readonly #closing = new AbortController();
  #line: Listening | null = null;
  /** Number of the news whose lock the session holds: all of it, and all before, was read. */
  #held: number | null = null;
  #following: Promise<void> = Promise.resolve();
  #asked = false;

  constructor(parts: NewsParts) {
    this.#parts = parts;
  }

  /** True when this process has read the news of this number and hears what comes. */
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
    // What came while it was read for the first time.
    this.#heard(line);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    const line = this.#line;
    this.#line = null;
    await line?.close();
    await this.#following;
  }

  /** Reads until what was read is the newest. The lock moves only then. */
  async #follow(line: Listening): Promise<void> {
    for (;;) {
      const rows = await line.query<{ epoch: number }>('select epoch from world_news');
      const epoch = rows[0]?.epoch ?? 0;
      if (epoch === this.#held) return;
      await this.#parts.read();
      const lock = (verb: string, of: number): Promise<unknown> =>
        line.query({ text: `select pg_advisory_${verb}_shared($1, $2)`, values: [NEWS_CLASS, of] });
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
        // A connection that broke is opened again, and is no fault.
        if (this.#line === line && !isUnreachable(error)) this.#parts.fault(error);
        this.#lost(line);
      });
  }

  /** Whatever happened on the way is read again before anything new is trusted. */
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
