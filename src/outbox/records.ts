// How modules render their records at a given version. The outbox and idempotent replays build
// bodies from that, so that no document is stored twice.
import type { z } from 'zod';
import type { Queryable } from '../db/index.ts';
import type { Instant } from '../core/time.ts';

/** A record at a version. */
export interface RecordKey {
  readonly workspace: number;
  readonly id: string;
  readonly version: number;
}

/** One kind of record: how to render many of them at given versions. */
export interface RecordKind {
  readonly kind: string;
  /** What its records look like: the message of the events that show them. */
  readonly schema: z.ZodType;
  /** Returns the payloads in the order of the keys; a missing record is a fault. */
  compose(db: Queryable, keys: readonly RecordKey[]): Promise<unknown[]>;
}

/** What the step to a version recorded. */
export interface Recorded extends RecordKey {
  readonly state: string;
  readonly updated: Instant;
  /** JSON, as the move gave it. */
  readonly detail: string | null;
}

/** Where the facts of a record are. `columns` may name the table's alias, `k` (key), `s` (step). */
export interface RecordSource {
  readonly kind: string;
  /** A table with the primary key (workspace, id), and its alias. */
  readonly table: string;
  readonly columns: string;
}

/** The facts of records with what the step to each version recorded, in the order of the keys. */
export async function rowsAtVersion<F>(
  db: Queryable,
  { kind, table, columns }: RecordSource,
  keys: readonly RecordKey[],
): Promise<((F & Recorded) | undefined)[]> {
  const rows = await db.query<F & Recorded>({
    name: `compose_${kind}`,
    text: `select k.workspace, k.id, k.version, s.to_state as state, s.at as updated, s.detail,
        ${columns}
      from unnest($1::int4[], $2::uuid[], $3::int4[]) as k(workspace, id, version)
      join ${table} using (workspace, id)
      join lateral (select * from history h
        where h.workspace = k.workspace and h.resource_id = k.id and h.version = k.version
        limit 1) s on true`,
    values: [
      keys.map((key) => key.workspace),
      keys.map((key) => key.id),
      keys.map((key) => key.version),
    ],
  });
  const found = new Map(rows.map((row) => [keyText(row), row]));
  return keys.map((key) => found.get(keyText(key)));
}

function keyText({ workspace, id, version }: RecordKey): string {
  return `${workspace}:${id}:${version}`;
}

/** A kind whose record at a version is its facts and what the step to that version recorded. */
export function recordAtVersion<F>(
  source: RecordSource & Pick<RecordKind, 'schema'>,
  render: (row: F & Recorded) => unknown,
): RecordKind {
  const { kind, schema } = source;
  return {
    kind,
    schema,
    async compose(db, keys) {
      const rows = await rowsAtVersion<F>(db, source, keys);
      return rows.map((row) => {
        if (row === undefined) throw new Error(`an event names a missing version: ${kind}`);
        return render(row);
      });
    },
  };
}

/** The kinds of records, by name. */
export class Records {
  readonly #kinds: ReadonlyMap<string, RecordKind>;

  constructor(kinds: readonly RecordKind[]) {
    this.#kinds = new Map(kinds.map((kind) => [kind.kind, kind]));
  }

  /** Renders records of one kind. */
  async compose(db: Queryable, kind: string, keys: readonly RecordKey[]): Promise<unknown[]> {
    const found = this.#kinds.get(kind);
    if (found === undefined) throw new Error(`no record of kind ${kind}`);
    return found.compose(db, keys);
  }
}
