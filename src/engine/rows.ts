// Rows in memory: Loaded holds what discovery read without locks, WorkingCopy the locked rows as
// the commands decided so far left them, so that a later command sees what an earlier one did.
import type { IdRow, Index, Table } from '../core/table.ts';
import type { ReadSet } from '../core/command.ts';

interface Slot<V> {
  readonly table: Table;
  readonly workspace: number;
  value: V;
  /** The same id in another table or workspace. */
  next: Slot<V> | undefined;
}

/** Values by table, workspace and id; hashed by id alone, which saves building a compound key. */
export class ByRow<V> {
  readonly #slots = new Map<string, Slot<V>>();

  get(table: Table, workspace: number, id: string): V | undefined {
    let slot = this.#slots.get(id);
    while (slot !== undefined && (slot.table !== table || slot.workspace !== workspace))
      slot = slot.next;
    return slot?.value;
  }

  set(table: Table, workspace: number, id: string, value: V): void {
    const first = this.#slots.get(id);
    for (let slot = first; slot !== undefined; slot = slot.next) {
      if (slot.table !== table || slot.workspace !== workspace) continue;
      slot.value = value;
      return;
    }
    this.#slots.set(id, { table, workspace, value, next: first });
  }
}

/** Rows and searches read without locks. */
export class Loaded {
  readonly found = new Map<string, readonly IdRow[]>();
  readonly #rows = new ByRow<IdRow | null>();

  get(table: Table, workspace: number, id: string): IdRow | null | undefined {
    return this.#rows.get(table, workspace, id);
  }

  set(table: Table, workspace: number, id: string, row: IdRow | null): void {
    this.#rows.set(table, workspace, id, row);
  }
}

/** Key of a search in memory. */
export function findKey(index: Index, workspace: number, value: string): string {
  return `${index.table.name}.${index.column}:${workspace}:${value}`;
}

/** One row that a command needs locked. */
export interface LockKey {
  readonly table: Table;
  readonly id: string;
}

/** What `needs` sees of a command. */
interface Asked {
  readonly submission: { readonly workspace: number };
  readonly line: number;
  readonly loaded: Loaded;
}

/**
 * Runs a command's `needs` over what is loaded; collects what is missing and what must be locked.
 */
export class Collector implements ReadSet {
  readonly workspace: number;
  readonly line: number;
  readonly missing: { table: Table; id: string }[] = [];
  readonly missingFinds: { index: Index; value: string }[] = [];
  readonly locks: LockKey[] = [];
  readonly #loaded: Loaded;
  readonly #over: WorkingCopy | null;

  readonly #speculative: Loaded | null;

  constructor(
    { submission, line, loaded }: Asked,
    over: WorkingCopy | null = null,
    speculative: Loaded | null = null,
  ) {
    this.workspace = submission.workspace;
    this.line = line;
    this.#loaded = loaded;
    this.#over = over;
    this.#speculative = speculative;
  }

  peek<R extends IdRow>(table: Table<R>, id: string): R | null | undefined {
    const untyped = table as unknown as Table;
    const row =
      this.#over?.get(untyped, this.workspace, id) ??
      this.#loaded.get(untyped, this.workspace, id) ??
      this.#speculative?.get(untyped, this.workspace, id);
    return row as R | null | undefined;
  }

  read<R extends IdRow>(table: Table<R>, id: string): R | null | undefined {
    const untyped = table as unknown as Table;
    const row =
      this.#over?.get(untyped, this.workspace, id) ?? this.#loaded.get(untyped, this.workspace, id);
    if (row === undefined) this.missing.push({ table: untyped, id });
    return row as R | null | undefined;
  }

  find<R extends IdRow>(index: Index<R>, value: string): readonly R[] | undefined {
    const untyped = index as unknown as Index;
    const rows = this.#loaded.found.get(findKey(untyped, this.workspace, value));
    if (rows === undefined) this.missingFinds.push({ index: untyped, value });
    return rows as readonly R[] | undefined;
  }

  lock<R extends IdRow>(table: Table<R>, id: string): void {
    this.locks.push({ table: table as unknown as Table, id });
  }
}

/** The rows of one transaction: locked and inserted ones, as the decided commands left them. */
export class WorkingCopy {
  readonly #rows = new ByRow<IdRow>();

  get(table: Table, workspace: number, id: string): IdRow | undefined {
    return this.#rows.get(table, workspace, id);
  }

  set(table: Table, row: IdRow): void {
    this.#rows.set(table, row.workspace, row.id, row);
  }
}
