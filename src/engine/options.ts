// What the engine is given from outside (connections, time, chance, who is told), and what it
// counts.
import type { Database, Queryable } from '../db/index.ts';
import type { Lines } from '../kernel/lines.ts';
import type { Compose } from './discover.ts';

/** Time and turns, given from outside. */
export interface Scheduler {
  /** Milliseconds of a clock that never jumps. */
  now(): number;
  /** Runs after what has already arrived was read. */
  soon(work: () => void): void;
  after(ms: number, work: () => void): void;
  /** A number in [0, 1) for jitter. */
  chance(): number;
}

export interface EngineOptions {
  /** Connections for transactions. */
  readonly db: Database;
  /** Where discovery reads. */
  readonly reads: Queryable;
  readonly scheduler: Scheduler;
  readonly newId: () => string;
  readonly compose: Compose;
  readonly lines: Pick<Lines, 'lineOf'>;
  /** True where worlds end, as in a sandbox: each run then holds its worlds. */
  readonly worldsEnd?: boolean;
  /** Called after a commit with the worlds and the names of the tables that were written. */
  readonly committed: (worlds: ReadonlySet<number>, tables: ReadonlySet<string>) => void;
  /** Told of faults; gets the error and the command's name, never its input. */
  readonly fault: (error: unknown, command: string) => void;
  /** True while the database is known to be away: then nobody waits for it for long. */
  readonly away?: () => boolean;
  /** Batches in flight; two were best on two cores. */
  readonly batches?: number;
  /** Solo commands in flight. */
  readonly solos?: number;
  /** Milliseconds a command may wait for its turn; then 503. */
  readonly patience?: number;
}

/** Counters since the start, for the bench and the metrics page. */
export interface EngineCounters {
  commands: number;
  batches: number;
  solos: number;
  again: number;
  poisoned: number;
  retried: number;
}

/** Where they begin. */
export function noCounters(): EngineCounters {
  return { commands: 0, batches: 0, solos: 0, again: 0, poisoned: 0, retried: 0 };
}
