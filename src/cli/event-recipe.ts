// One way to cause an event, as the tables of recipes declare it.
import type { Stage } from './fixtures.ts';

/** Members of the payload that identify the event caused. */
export type Mark = Readonly<Record<string, string>>;

/** One way to cause an event. */
export interface Recipe {
  /** One sentence: what is done. */
  readonly story: string;
  /** What `--on` may name, and what is done with it; null: only with a new resource. */
  readonly on: string | null;
  /** Time must pass: new resources are made in a clone, whose clock is moved. */
  readonly takesTime?: true;
  make(fixtures: Stage): Promise<Mark>;
  makeOn?(fixtures: Stage, id: string): Promise<Mark>;
}

interface Clock {
  readonly due: readonly { readonly at: string; readonly id: string }[];
}

interface Moved {
  readonly before: string;
  readonly now: string;
  readonly steps: readonly unknown[];
}

/** Entries in one answer of the clock. */
const SHOWN = 50;
const ROUNDS = 100;

/** Moves the clock to the time at which a resource is due; earlier due work runs first. */
export async function passUntil(fixtures: Stage, id: string): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { due } = await fixtures.get<Clock>('invoicing', '/sandbox/clock');
    const mine = due.find((one) => one.id === id);
    const next = mine ?? (due.length === SHOWN ? due.at(-1) : undefined);
    if (next === undefined) break;
    // A second later: the due time has microseconds, the request milliseconds.
    const body = { to: new Date(Date.parse(next.at) + 1000).toISOString() };
    const moved = await fixtures.post<Moved>('invoicing', '/sandbox/clock', body);
    const { before, now, steps } = moved;
    fixtures.note(
      `The clock went from ${before} to ${now}; ${steps.length} scheduled actions ran.`,
    );
    if (mine !== undefined) return;
  }
  throw new Error(`${id} has nothing scheduled: the clock does not act on it.`);
}
