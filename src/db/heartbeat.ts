// Knows whether the database takes writes: tried once a second on a connection of its own with a
// time limit, so that asking never waits. Errors that other statements met count too. The same
// beat announces this process to the others, and counts them.
import { randomUUID } from 'node:crypto';
import { isDisabled } from './errors.ts';
import type { DatabaseOptions, Queryable } from './statement.ts';

const BEAT_MS = 1_000;
/** After one that failed: the database may be back at any moment. */
const AGAIN_MS = 250;
const ANSWER_MS = 1_000;
/** An older beat proves nothing. */
const FRESH_MS = 3_000;
/** So many disabled-database errors, each within SOON_MS of the previous one, mean unhealthy. */
const ERRORS = 3;
const SOON_MS = 10_000;
/** After so long without such an error, a successful beat counts again. */
const CALM_MS = 5_000;

// The update needs a durable commit (on a synchronous standby too); the series exceeds work_mem, so
// it needs room on disk.
const BEAT = {
  name: 'beat',
  text: `with beat as (update heartbeat set at = clock_timestamp() returning at),
    me as (insert into node (id, at) values ($1, clock_timestamp())
      on conflict (id) do update set at = excluded.at),
    gone as (delete from node where at < clock_timestamp() - interval '1 minute' and id <> $1)
    select count(*), (select count(*) from node where id <> $1
      and at > clock_timestamp() - interval '5 s') as others
    from beat, generate_series(1, 4000)`,
};

/** How each process calls its heartbeat's connection. Those of 0.2 left the number out. */
export const HEARTBEAT = 'holdfast heartbeat 2';

/** Options of the heartbeat's connection. */
export const BEATING: Omit<DatabaseOptions, 'url'> = {
  max: 1,
  primary: true,
  applicationName: HEARTBEAT,
  settings: { work_mem: '64kB', statement_timeout: `${ANSWER_MS}ms` },
  answerMs: ANSWER_MS,
  waitMs: ANSWER_MS,
};

type Beaten = Queryable & { close(): Promise<void> };

export class Heartbeat {
  readonly #db: Beaten;
  readonly #now: () => number;
  readonly #id = randomUUID();
  #nodes = 1;
  #ending = false;
  #next: NodeJS.Timeout | undefined;
  #beating: Promise<void> = Promise.resolve();
  #failed = true;
  /** When the last successful beat was sent. */
  #goodAt = Number.NEGATIVE_INFINITY;
  #errors = 0;
  #errorAt = Number.NEGATIVE_INFINITY;

  /** `db`: made with the options in `BEATING`. */
  constructor(db: Beaten, now = () => performance.now()) {
    this.#db = db;
    this.#now = now;
  }

  /**
   * Starts beating; resolves after the first beat, successful or not. `read` learns at each
   * successful one what every process must know within a second.
   */
  begin(read: (db: Queryable) => Promise<void> = async () => {}): Promise<void> {
    this.#beating = this.#beat(read).then(() => {
      if (this.#ending) return;
      const pause = this.#failed ? AGAIN_MS : BEAT_MS;
      this.#next = setTimeout(() => void this.begin(read), pause).unref();
    });
    return this.#beating;
  }

  /** How many processes run on the database, this one among them. */
  get nodes(): number {
    return this.#nodes;
  }

  /** True if the database has not answered for three seconds. */
  get away(): boolean {
    return this.#now() - this.#goodAt > FRESH_MS;
  }

  /** True if the last beat succeeded and recent statements met no disabled database. */
  get well(): boolean {
    return !this.#failed && !this.away && this.#errors < ERRORS;
  }

  /** Called with the SQLSTATE of each error. */
  readonly told = (state: string): void => {
    if (!isDisabled(state)) return;
    const now = this.#now();
    this.#errors = now - this.#errorAt > SOON_MS ? 1 : this.#errors + 1;
    this.#errorAt = now;
  };

  async close(): Promise<void> {
    this.#ending = true;
    clearTimeout(this.#next);
    await this.#beating;
    const leave = { text: 'delete from node where id = $1', values: [this.#id] };
    // One that cannot say so is missed within five seconds.
    await this.#db.query(leave).catch(() => []);
    await this.#db.close();
  }

  async #beat(read: (db: Queryable) => Promise<void>): Promise<void> {
    const sentAt = this.#now();
    try {
      const [row] = await this.#db.query<{ others: bigint }>({ ...BEAT, values: [this.#id] });
      this.#nodes = 1 + Number(row?.others ?? 0);
      await read(this.#db);
      this.#failed = false;
    } catch {
      this.#failed = true;
      return;
    }
    this.#goodAt = sentAt;
    if (sentAt - this.#errorAt > CALM_MS) this.#errors = 0;
  }
}
