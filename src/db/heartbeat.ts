// Whether the database takes writes now: asked once a second on a connection of its own, with a
// limit, so that whoever wants to know never waits. What statements met elsewhere counts too.
import { isDisabled } from './errors.ts';
import type { Database, DatabaseOptions } from './index.ts';

const BEAT_MS = 1_000;
const ANSWER_MS = 1_000;
/** A beat that is older says nothing any more. */
const FRESH_MS = 3_000;
/** So many errors of a database that can do nothing, each soon after the one before it. */
const ERRORS = 3;
const SOON_MS = 10_000;
/** Without such an error for so long, a beat that succeeds is believed again. */
const CALM_MS = 5_000;

// The row needs a commit that is durable, also on the standby where one is waited for; the series
// does not fit into the memory of a statement, so it needs room on the disk.
const BEAT = {
  name: 'beat',
  text: `with beat as (update heartbeat set at = clock_timestamp() returning at)
    select count(*) from beat, generate_series(1, 4000)`,
};

/** How the connection of the heartbeat is made. */
export const BEATING: Omit<DatabaseOptions, 'url'> = {
  max: 1,
  applicationName: 'holdfast heartbeat',
  settings: { work_mem: '64kB', statement_timeout: `${ANSWER_MS}ms` },
  answerMs: ANSWER_MS,
  waitMs: ANSWER_MS,
};

export class Heartbeat {
  readonly #db: Database;
  readonly #now: () => number;
  #ending = false;
  #next: NodeJS.Timeout | undefined;
  #beating: Promise<void> = Promise.resolve();
  #failed = true;
  /** When the last beat that succeeded was sent. */
  #goodAt = Number.NEGATIVE_INFINITY;
  #errors = 0;
  #errorAt = Number.NEGATIVE_INFINITY;

  /** `db`: made as `BEATING` says. */
  constructor(db: Database, now = () => performance.now()) {
    this.#db = db;
    this.#now = now;
  }

  /** Begins; resolves after the first beat, however it ended. */
  begin(): Promise<void> {
    this.#beating = this.#beat().then(() => {
      if (this.#ending) return;
      this.#next = setTimeout(() => void this.begin(), BEAT_MS).unref();
    });
    return this.#beating;
  }

  /** True while nobody has heard from the database for some seconds. */
  get away(): boolean {
    return this.#now() - this.#goodAt > FRESH_MS;
  }

  /** True while the last beat succeeded and nobody met a database that can do nothing. */
  get well(): boolean {
    return !this.#failed && !this.away && this.#errors < ERRORS;
  }

  /** To be told of the SQLSTATE of each error. */
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
