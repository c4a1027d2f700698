// Records that events and kept answers show. A module says how one of its records looked at a
// version; the outbox and the replays of idempotent requests compose bodies from that, so that no
// document is stored twice. Knows no module.
import type { Queryable } from '../db/index.ts';

/** A record at a version. */
export interface RecordKey {
  readonly world: number;
  readonly id: string;
  readonly version: number;
}

/** One kind of record: how to compose many of them at given versions. */
export interface RecordKind {
  readonly kind: string;
  /** Gives the payloads in the order of the keys; a missing record is a fault. */
  compose(db: Queryable, keys: readonly RecordKey[]): Promise<unknown[]>;
}

/** The kinds of records, by name. */
export class Records {
  readonly #kinds: ReadonlyMap<string, RecordKind>;

  constructor(kinds: readonly RecordKind[]) {
    this.#kinds = new Map(kinds.map((kind) => [kind.kind, kind]));
  }

  /** Composes records of one kind. */
  async compose(db: Queryable, kind: string, keys: readonly RecordKey[]): Promise<unknown[]> {
    const found = this.#kinds.get(kind);
    if (found === undefined) throw new Error(`no record of kind ${kind}`);
    return found.compose(db, keys);
  }
}
