// How modules render their records at a given version. The outbox and idempotent replays build
// bodies from that, so that no document is stored twice.
import type { Queryable } from '../db/index.ts';

/** A record at a version. */
export interface RecordKey {
  readonly world: number;
  readonly id: string;
  readonly version: number;
}

/** One kind of record: how to render many of them at given versions. */
export interface RecordKind {
  readonly kind: string;
  /** Returns the payloads in the order of the keys; a missing record is a fault. */
  compose(db: Queryable, keys: readonly RecordKey[]): Promise<unknown[]>;
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
