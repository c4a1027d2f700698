// Lets the caller of a simulator wait in its workspace's time: a silence of a minute ends after a
// minute, or when any process advances the sandbox's clock by one.
import { setTimeout as sleep } from 'node:timers/promises';
import { prepared, type Database } from '../../../db/index.ts';

/** What waiting runs on. */
export interface Waiting {
  readonly db: Database;
  readonly workspace: number;
  /** Resolves after so many milliseconds, or at once when the server stops. */
  delay(ms: number): Promise<void>;
}

const LOOK_MS = 25;

/**
 * Waits so many milliseconds; returns what to call once the effect is done. `effect`: an effect
 * follows.
 */
export async function letWait(
  { db, workspace, delay }: Waiting,
  key: string,
  ms: number,
  effect: boolean,
): Promise<() => Promise<unknown>> {
  if (ms === 0) return async () => {};
  const [row] = await db.query<{ number: bigint }>(prepared('sandbox_wait_begin')`
    with old as (delete from sandbox_wait
      where workspace = ${workspace} and until < $now - interval '1 hour')
    insert into sandbox_wait (workspace, key, effect, until)
    values ($1, ${key}, ${effect}, $now + ${ms}::int * interval '1 millisecond')
    returning number`);
  const number = row?.number ?? 0n;
  const watch = watchOf(db);
  await Promise.race([delay(ms), watch.over(number)]);
  watch.forget(number);
  return () =>
    db.execute(prepared('sandbox_wait_end')`
      delete from sandbox_wait where workspace = ${workspace} and number = ${number}`);
}

/** Checks all waits of this process with one statement. */
class Watch {
  readonly #db: Database;
  readonly #waiting = new Map<bigint, () => void>();
  #looking = false;

  constructor(db: Database) {
    this.#db = db;
  }

  over(number: bigint): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.set(number, resolve);
      if (!this.#looking) void this.#look();
    });
  }

  forget(number: bigint): void {
    this.#waiting.delete(number);
  }

  async #look(): Promise<void> {
    this.#looking = true;
    while (this.#waiting.size > 0) {
      await sleep(LOOK_MS, null, { ref: false });
      // If the database is unreachable, real time ends the wait.
      const over = await this.#over().catch(() => []);
      for (const { number } of over) this.#waiting.get(number)?.();
    }
    this.#looking = false;
  }

  #over(): Promise<readonly { readonly number: bigint }[]> {
    return this.#db.query(prepared('sandbox_wait_over')`select number from sandbox_wait
      where number = any(${[...this.#waiting.keys()]}::int8[]) and until <= clock_timestamp()`);
  }
}

const watches = new WeakMap<Database, Watch>();

function watchOf(db: Database): Watch {
  const watch = watches.get(db) ?? new Watch(db);
  watches.set(db, watch);
  return watch;
}
