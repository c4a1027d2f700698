// What a command is. Answers for the contract between a module's pure decisions and the engine that
// loads, locks and writes; knows no SQL and no module.
import type { Instant } from '../kernel/time.ts';
import type { Machine } from '../kernel/machine.ts';
import type { IdempotencyClaim } from '../kernel/operation.ts';
import type { IdRow, Index, Table, WorldRow } from './table.ts';

/**
 * Says which rows a command needs. Called again with more loaded until it asks for nothing new;
 * `undefined` means "not loaded yet". It must name the same rows for the same rows loaded.
 */
export interface Want {
  readonly world: number;
  /** What ids are derived from: the first world of the copies that this one is of. */
  readonly line: number;
  /** Reads a row without a lock; null where there is none. */
  read<R extends IdRow>(table: Table<R>, id: string): R | null | undefined;
  /** Finds rows by an indexed column, without a lock. */
  find<R extends IdRow>(index: Index<R>, value: string): readonly R[] | undefined;
  /** A row if it happens to be known, without asking for it; may be out of date before the lock. */
  peek<R extends IdRow>(table: Table<R>, id: string): R | null | undefined;
  /** Asks for the row under lock when the command is decided. */
  lock<R extends IdRow>(table: Table<R>, id: string): void;
}

/** One signed line of an entry. `tracked` accounts have a running balance, which must be locked. */
export interface Line {
  readonly account_id: string;
  readonly tracked: boolean;
  readonly currency: string;
  /** Minor units; negative takes from the account. */
  readonly amount: bigint;
}

/** An event to announce with the step that caused it. */
export interface Announcement {
  readonly name: string;
  readonly resource_id: string;
  readonly version: number;
  /** Kind of record whose rendering at that version is the message; or the message itself. */
  readonly record?: string;
  readonly message?: unknown;
}

/** Columns of a resource's head row that the engine moves together. */
export interface HeadRow extends IdRow {
  readonly state: string;
  readonly version: number;
  readonly updated: Instant;
}

/** What a decision may see and do. Nothing is written before the whole batch has decided. */
export interface Decision {
  readonly world: number;
  /** As `Want.line`. */
  readonly line: number;
  /** Stamp taken after the rows were locked: database time plus the world's offset. */
  readonly now: Instant;
  readonly actor: string;
  /**
   * A row that `needs` named, with the effects of earlier commands of the batch; null: no such row.
   */
  get<R extends IdRow>(table: Table<R>, id: string): R | null;
  find<R extends IdRow>(index: Index<R>, value: string): readonly R[];
  insert<R extends WorldRow>(table: Table<R>, row: R): void;
  update<R extends IdRow>(table: Table<R>, id: string, patch: Partial<R>): void;
  /** Inserts a resource's head row with its first step (version 1). */
  birth<R extends HeadRow>(
    machine: Machine,
    table: Table<R>,
    on: string,
    row: R,
    detail?: object,
  ): void;
  /** Moves a resource along a legal arrow; gives the new version. An illegal one is a fault. */
  move<R extends HeadRow>(
    machine: Machine,
    table: Table<R>,
    id: string,
    on: string,
    to: string,
    patch?: Partial<R>,
    detail?: object,
  ): number;
  /** Posts an entry of the step (resource, version). Lines sum to zero in each currency. */
  post(resourceId: string, version: number, lines: readonly Line[]): void;
  announce(event: Announcement): void;
}

/** What a command answers when it committed. */
export interface CommandAnswer {
  readonly status: number;
  readonly payload: unknown;
  /**
   * The record that the payload shows, so that a replay composes it again instead of storing it.
   */
  readonly record?: { readonly kind: string; readonly id: string; readonly version: number };
  /** Answers that hold a secret are not kept in clear. */
  readonly secret?: true;
}

/** A command: what it needs and its pure decision. */
export interface Command<I> {
  readonly name: string;
  /** May share a transaction with others: its lock set follows from immutable references. */
  readonly batchable: boolean;
  /** Goes before the others: it finishes something begun. */
  readonly critical?: true;
  needs(want: Want, input: I): void;
  /** Throws a Refusal to say no; gives the answer otherwise. No await, no clock, no randomness. */
  decide(decision: Decision, input: I): CommandAnswer;
}

/** Who submits a command, and under which idempotency claim. */
export interface Submission {
  readonly world: number;
  readonly actor: string;
  readonly idempotency?: IdempotencyClaim | null;
}
