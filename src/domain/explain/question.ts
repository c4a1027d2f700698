// What every source of a timeline is asked with, and what it gives. Answers for the two times of an
// entry and for what an id is called; refuses to know the sources.
import type { Queryable } from '../../db/index.ts';
import type { Machine } from '../../kernel/machine.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Entry, Thing } from './schema.ts';
import { kindOf, spelled, type Subject } from './subject.ts';
import type { WorldTime } from './world-time.ts';

/** Entries shown at most; each source gives its newest. */
export const MOST_ENTRIES = 1_000;

/** What is asked. */
export interface Question {
  readonly db: Queryable;
  readonly world: number;
  readonly subject: Subject;
  /** The subject and what belongs to it. */
  readonly ids: readonly string[];
  /** Kinds of those that have a lifecycle. */
  readonly kinds: ReadonlyMap<string, string>;
  readonly machines: ReadonlyMap<string, Machine>;
  readonly time: WorldTime;
}

/** What a source found: its newest entries, and how many there are in all. */
export interface Found {
  readonly entries: readonly Entry[];
  readonly total: number;
}

/** A row that knows how many there are besides it. */
export interface Counted {
  readonly total: bigint;
}

/** Entries of rows that were counted by a window. */
export function found<R extends Counted>(
  rows: readonly R[],
  entryOf: (row: R) => Entry,
): Found {
  return { entries: rows.map(entryOf), total: Number(rows[0]?.total ?? 0) };
}

/** Kinds of those ids that have a history. */
export async function kindsOf(
  db: Queryable,
  world: number,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ id: string; machine: string }>({
    name: 'explain_kinds',
    text: `select resource_id as id, machine from step
      where world = $1 and resource_id = any ($2) and version = 1`,
    values: [world, ids],
  });
  return new Map(rows.map(({ id, machine }) => [id, kindOf(machine)]));
}

/** An id with its kind; what has no lifecycle is called what the subject is. */
export function thingOf({ kinds, subject }: Question, id: string): Thing {
  return spelled(kinds.get(id) ?? (id === subject.uuid ? subject.kind : 'resource'), id);
}

/** Both times of a moment of the world. */
export function atVirtual({ time }: Question, at: Instant): { at: Instant; real_at: Instant } {
  return { at, real_at: time.realOf(at) };
}

/** Both times of a real moment. */
export function atReal({ time }: Question, at: Instant): { at: Instant; real_at: Instant } {
  return { at: time.virtualOf(at), real_at: at };
}
