// The input and output that all sources of a timeline share, and the helpers for an entry's two
// times and for the form of ids.
import { prepared, type Queryable } from '../../../db/index.ts';
import type { Machine } from '../../../core/machine.ts';
import type { Instant } from '../../../core/time.ts';
import type { Entry, Thing } from './schema.ts';
import { kindOf, spelled, type Subject } from './resource.ts';
import type { WorkspaceTime } from './workspace-time.ts';

/** The most entries shown; each source gives its newest. */
export const MOST_ENTRIES = 1_000;

/** The input of a source. */
export interface Question {
  readonly db: Queryable;
  readonly workspace: number;
  readonly subject: Subject;
  /** The subject and its parts. */
  readonly ids: readonly string[];
  /** The kinds of those that have a lifecycle. */
  readonly kinds: ReadonlyMap<string, string>;
  readonly machines: ReadonlyMap<string, Machine>;
  readonly time: WorkspaceTime;
}

/** What a source found: its newest entries, and the count of all. */
export interface Found {
  readonly entries: readonly Entry[];
  readonly total: number;
}

/** A row with the count of all rows. */
export interface Counted {
  readonly total: bigint;
}

/** Entries of rows that a window function counted. */
export function found<R extends Counted>(
  rows: readonly R[],
  entryOf: (row: R) => Entry,
): Found {
  return { entries: rows.map(entryOf), total: Number(rows[0]?.total ?? 0) };
}

/** The kinds of those ids that have a history. */
export async function kindsOf(
  db: Queryable,
  workspace: number,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ id: string; machine: string }>(prepared('explain_kinds')`
    select resource_id as id, machine from history
    where workspace = ${workspace} and resource_id = any (${ids}) and version = 1`);
  return new Map(rows.map(({ id, machine }) => [id, kindOf(machine)]));
}

/** An id with its kind: its lifecycle's, else the subject's own, else `resource`. */
export function thingOf({ kinds, subject }: Question, id: string): Thing {
  return spelled(kinds.get(id) ?? (id === subject.uuid ? subject.kind : 'resource'), id);
}

/** Both times of a moment on the workspace's clock. */
export function atVirtual({ time }: Question, at: Instant): { at: Instant; real_at: Instant } {
  return { at, real_at: time.realOf(at) };
}

/** Both times of a moment in real time. */
export function atReal({ time }: Question, at: Instant): { at: Instant; real_at: Instant } {
  return { at: time.virtualOf(at), real_at: at };
}
