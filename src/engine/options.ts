// What the engine is given (connections, clock, randomness, callbacks) and what it counts.
import type { Database, Queryable } from '../db/index.ts';
import type { Lines } from '../core/lines.ts';
import type { Compose } from './discover.ts';

/** The engine's clock, timers and randomness. */
export interface Scheduler {
  /** Milliseconds of a monotonic clock. */
  now(): number;
  /** Runs after the input that has already arrived is read. */
  soon(work: () => void): void;
  after(ms: number, work: () => void): void;
  /** A number in [0, 1) for jitter. */
  chance(): number;
}

export interface EngineOptions {
  /** Connections for transactions. */
  readonly db: Database;
  /** Connection for discovery's reads. */
  readonly reads: Queryable;
  readonly scheduler: Scheduler;
  readonly newId: () => string;
  readonly compose: Compose;
  readonly lines: Pick<Lines, 'lineOf'>;
  /** True where workspaces can be archived (sandbox): each run then takes workspace locks. */
  readonly workspacesEnd?: boolean;
  /** Called after a commit with the workspaces and the names of the tables written. */
  readonly committed: (workspaces: ReadonlySet<number>, tables: ReadonlySet<string>) => void;
  /** Called on a fault with the error and the command's name, never its input. */
  readonly fault: (error: unknown, command: string) => void;
  /** True while the database is known to be unreachable; commands then give up sooner. */
  readonly away?: () => boolean;
  /** Most batches in flight; two was fastest on two cores. */
  readonly batches?: number;
  /** Most single-command transactions in flight. */
  readonly alone?: number;
  /** Queue timeout in milliseconds; a command that waited longer is refused with 503. */
  readonly queueTimeout?: number;
}

/** Counters since the start, for the bench and the metrics page. */
export interface EngineCounters {
  commands: number;
  batches: number;
  alone: number;
  again: number;
  poisoned: number;
  retried: number;
}

export function noCounters(): EngineCounters {
  return { commands: 0, batches: 0, alone: 0, again: 0, poisoned: 0, retried: 0 };
}
