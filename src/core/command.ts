// The contract between a module and the engine: a command names the rows it needs and decides over
// them in a pure function; the engine loads, locks and writes.
import type { Instant } from './time.ts';
import type { WebhookEvent } from './event.ts';
import type { Machine } from './machine.ts';
import type { IdempotencyClaim } from './operation.ts';
import type { IdRow, Index, Table, WorkspaceRow } from './table.ts';

/**
 * Collects the read set of a command. `load` is called again with more rows in memory until it asks
 * for nothing new, and once more under the locks: what it returns then comes to `decide`. A row
 * that is not in memory yet reads as null, as one that does not exist. Same rows, same rows asked
 * for.
 */
export interface ReadSet {
  readonly workspace: number;
  /** Lineage of the workspace (the family of its clones); ids are derived from it. */
  readonly lineage: number;
  /** Reads a row without a lock. */
  read<R extends IdRow>(table: Table<R>, id: string): R | null;
  /** Finds rows by an indexed column, without a lock. */
  find<R extends IdRow>(index: Index<R>, value: string): readonly R[];
  /**
   * Locks the row before the decision runs, and gives it as locked; before that as it is in memory,
   * possibly outdated or null. Loads nothing by itself.
   */
  lock<R extends IdRow>(table: Table<R>, id: string): R | null;
}

/** A decision broke an invariant: a bug of ours, never a refusal. */
export class EngineFault extends Error {}

/** One signed ledger entry. A `tracked` account has a running balance, which must be locked. */
export interface LedgerEntry {
  readonly account_id: string;
  readonly tracked: boolean;
  readonly currency: string;
  /** Minor units; negative takes from the account. */
  readonly amount: bigint;
}

/** An event whose message the decision composes. */
export interface MessageEvent extends WebhookEvent {
  readonly record?: never;
}

/** The columns of a resource's current-state row that the engine keeps in step. */
export interface HeadRow extends IdRow {
  readonly state: string;
  readonly version: number;
  readonly updated: Instant;
}

/** What a decision may read and record. Nothing is written until the whole batch has decided. */
export interface Decision {
  readonly workspace: number;
  /** As `ReadSet.lineage`. */
  readonly lineage: number;
  /** Time of the decision, taken after the locks: database time plus workspace offset. */
  readonly now: Instant;
  readonly actor: string;
  /** A row of the read set as earlier commands of the batch left it; null if it does not exist. */
  get<R extends IdRow>(table: Table<R>, id: string): R | null;
  find<R extends IdRow>(index: Index<R>, value: string): readonly R[];
  insert<R extends WorkspaceRow>(table: Table<R>, row: R): void;
  update<R extends IdRow>(table: Table<R>, id: string, patch: Partial<R>): void;
  /** Creates a resource: inserts its current-state row and history step 1, as `move` does. */
  create<R extends HeadRow, S extends R['state'], E extends string>(
    machine: Machine<S, E>,
    table: Table<R>,
    on: NoInfer<E>,
    row: R & { readonly state: NoInfer<S> },
    detail?: object,
  ): void;
  /**
   * Moves a resource by a legal transition; returns the new version. An illegal one is a fault. An
   * event that shows a record is announced automatically. Where its row names money or an event
   * with a message, the same command calls `post` or `announce`; to leave that out is a fault, and
   * so is what no row names.
   */
  move<R extends HeadRow, S extends R['state'], E extends string>(
    machine: Machine<S, E>,
    table: Table<R>,
    id: string,
    on: NoInfer<E>,
    to: NoInfer<S>,
    patch?: Partial<R>,
    detail?: object,
  ): number;
  /**
   * Posts the ledger entries of a step, or none where there is nothing to move. They must sum to
   * zero in each currency; else a fault.
   */
  post(resourceId: string, version: number, entries: readonly LedgerEntry[]): void;
  announce(event: MessageEvent, resourceId: string, version: number, message: object): void;
}

/** The answer of a command, given once it is committed. */
export interface CommandAnswer {
  readonly status: number;
  readonly payload: unknown;
  /** The record that the payload shows: a replay renders it again, so it is not stored. */
  readonly record?: { readonly kind: string; readonly id: string; readonly version: number };
  /** The payload holds a secret and must not be stored in clear. */
  readonly secret?: true;
}

/** A command: its read set and its pure decision. `L`: what `load` hands to `decide`. */
export interface Command<I, L = unknown> {
  readonly name: string;
  /** May share a transaction with others: its read set follows from immutable references. */
  readonly batchable?: boolean;
  /** High priority: it finishes work already begun. */
  readonly highPriority?: true;
  load(rows: ReadSet, input: I): L;
  /**
   * Returns the answer, or throws a Refusal. No await, clock or randomness. `loaded` is what `load`
   * returned under the locks, as earlier commands of the batch left it.
   */
  decide(decision: Decision, input: I, loaded: L): CommandAnswer;
}

/** Declares a command whose decision gets the rows that `load` returned, typed. */
export function command<I, L>(spec: Command<I, L>): Command<I> {
  return spec;
}

/** Who submits a command, and the idempotency key it came with. */
export interface Submission {
  readonly workspace: number;
  readonly actor: string;
  readonly idempotency?: IdempotencyClaim | null;
}
