// Knows whether the database takes writes: tried once a second on a connection of its own with a
// time limit, so that asking never waits. Errors that other statements met count too.
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
  text: `with beat as (update heartbeat set at = clock_timestamp() returning at)
    select count(*) from beat, generate_series(1, 4000)`,
};

/** Options of the heartbeat's connection. */
export const BEATING: Omit<DatabaseOptions, 'url'> = {
  max: 1,
  primary: true,
  applicationName: 'holdfast heartbeat',
  settings: { work_mem: '64kB', statement_timeout: `${ANSWER_MS}ms` },
  answerMs: ANSWER_MS,
  waitMs: ANSWER_MS,
};

type Beaten = Queryable & { close(): Promise<void> };

export class Heartbeat {
  readonly #db: Beaten;
  readonly #now: () => number;
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

  /** Starts beating; resolves after the first beat, successful or not. */
  begin(): Promise<void> {
    this.#beating = this.#beat().then(() => {
      if (this.#ending) return;
      const pause = this.#failed ? AGAIN_MS : BEAT_MS;
      this.#next = setTimeout(() => void this.begin(), pause).unref();
    });
    return this.#beating;
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
    await this.#db.close();
  }

  async #beat(): Promise<void> {
    const sentAt = this.#now();
    try {
      await this.#db.query(BEAT);
      this.#failed = false;
    } catch {
      this.#failed = true;
      return;
    }
    this.#goodAt = sentAt;
    if (sentAt - this.#errorAt > CALM_MS) this.#errors = 0;
  }
}
