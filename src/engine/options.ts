// What the engine is given (connections, clock, randomness, callbacks), what it counts, and what it
// refuses by itself.
import type { Lineages } from '../core/lineages.ts';
import { defineRefusals, no, notYet, Refusal } from '../core/refusal.ts';
import { isTrouble, type Database, type Queryable } from '../db/index.ts';

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

/** Renders the payload of a stored record at a version, for replays. */
export type Compose = (
  workspace: number,
  kind: string,
  id: string,
  version: number,
) => Promise<unknown>;

export interface EngineOptions {
  /** Connections for transactions. */
  readonly db: Database;
  /** Connection for discovery's reads. */
  readonly reads: Queryable;
  readonly scheduler: Scheduler;
  readonly newId: () => string;
  readonly compose: Compose;
  readonly lineages: Pick<Lineages, 'lineageOf'>;
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

/**
 * Planner settings of every connection that runs the engine's statements: index look-ups by key
 * only. A plan cached while a table was empty would otherwise scan it for ever (27 to 39 ms at
 * 120,000 rows), and a bitmap scan searched twenty keys by workspace alone (14 ms against 0.2 ms).
 */
export const ENGINE_SETTINGS = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
  // Joins run in the order written: from the array of keys outwards.
  join_collapse_limit: '1',
  from_collapse_limit: '1',
  plan_cache_mode: 'force_generic_plan',
} as const;

/** The engine's own refusals. */
export const engineRefusals = defineRefusals({
  IDEMPOTENCY_KEY_REUSED: no(422, 'caller', 'G-44',
    'This Idempotency-Key was already used for a different request.'),
  OVERLOADED: notYet(503, 'caller', 'reliability 4.4',
    'The service is overloaded; nothing was changed. Try again later.'),
  DATABASE_UNAVAILABLE: notYet(503, 'operator', 'G-11',
    'The database is temporarily unavailable; nothing was changed. Try again later.'),
  OUTCOME_UNKNOWN: notYet(503, 'caller', 'architecture rule 10',
    'The outcome is not known yet. Send the request again, with the same Idempotency-Key if any.'),
  WORLD_ENDED: notYet(503, 'caller', 'architecture 4',
    'This sandbox workspace was archived or replaced; nothing was changed. Try again.'),
  TENANT_MOVING: notYet(503, 'operator', 'G-06',
    'This tenant is being moved to another installation; nothing was changed. Try again.'),
  TENANT_MOVED: no(421, 'operator', 'G-06',
    'This tenant has moved to another installation, where requests are answered now.'),
  RESOURCE_BUSY: notYet(503, 'caller', 'architecture rule 3',
    'The resource is locked by another request; nothing was changed. Try again.'),
});

/** The connection was lost during COMMIT and the outcome could not be found out. */
export class CommitUnknown extends Error {
  override readonly name = 'CommitUnknown';
}

/** True for the engine's answer to a database that is away, of which it told itself. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof Refusal && error.spec === engineRefusals.DATABASE_UNAVAILABLE;
}

/** The error a caller gets: database trouble becomes a refusal, anything else stays as it is. */
export function answerTo(error: unknown): unknown {
  if (error instanceof CommitUnknown) return new Refusal(engineRefusals.OUTCOME_UNKNOWN, {}, 1);
  return isTrouble(error) ? new Refusal(engineRefusals.DATABASE_UNAVAILABLE, {}, 1) : error;
}
