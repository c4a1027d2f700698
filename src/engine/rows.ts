// Rows in memory, and how they are loaded and locked: by id or indexed column, one table for each
// statement and no joins, since a lock that had to wait would return the joined rows as they were
// before the wait.
import type { ReadSet } from '../core/command.ts';
import { columnsOf, type ColumnType, type IdRow, type Index, type Table } from '../core/table.ts';
import { arrayValue, type Queryable } from '../db/index.ts';

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
  readonly lineage: number;
  readonly loaded: Loaded;
}

/** Runs a command's `load` over what is in memory; collects what is missing and what to lock. */
export class Collector implements ReadSet {
  readonly workspace: number;
  readonly lineage: number;
  readonly missing: { table: Table; id: string }[] = [];
  readonly missingFinds: { index: Index; value: string }[] = [];
  readonly locks: LockKey[] = [];
  readonly #loaded: Loaded;
  readonly #over: WorkingCopy | null;
  readonly #speculative: Loaded | null;

  constructor(
    { submission, lineage, loaded }: Asked,
    over: WorkingCopy | null = null,
    speculative: Loaded | null = null,
  ) {
    this.workspace = submission.workspace;
    this.lineage = lineage;
    this.#loaded = loaded;
    this.#over = over;
    this.#speculative = speculative;
  }

  read<R extends IdRow>(table: Table<R>, id: string): R | null {
    const untyped = table as unknown as Table;
    const row = this.#row(untyped, id);
    if (row === undefined) this.missing.push({ table: untyped, id });
    return (row ?? null) as R | null;
  }

  find<R extends IdRow>(index: Index<R>, value: string): readonly R[] {
    const untyped = index as unknown as Index;
    const rows = this.#loaded.found.get(findKey(untyped, this.workspace, value));
    if (rows === undefined) this.missingFinds.push({ index: untyped, value });
    if (rows === undefined || this.#over === null) return (rows ?? []) as readonly R[];
    return rows.map((row) => this.#row(untyped.table, row.id) ?? row) as unknown as readonly R[];
  }

  lock<R extends IdRow>(table: Table<R>, id: string): R | null {
    const untyped = table as unknown as Table;
    this.locks.push({ table: untyped, id });
    const row = this.#row(untyped, id) ?? this.#speculative?.get(untyped, this.workspace, id);
    return (row ?? null) as R | null;
  }

  #row(table: Table, id: string): IdRow | null | undefined {
    const { workspace } = this;
    return this.#over?.get(table, workspace, id) ?? this.#loaded.get(table, workspace, id);
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

/** One row to read. */
export interface RowRequest {
  readonly table: Table;
  readonly workspace: number;
  readonly id: string;
}

/** Rows to read, each listed once. */
export class RowRequests {
  readonly list: RowRequest[] = [];
  readonly #known = new ByRow<true>();

  add(table: Table, workspace: number, id: string): void {
    if (this.#known.get(table, workspace, id) !== undefined) return;
    this.#known.set(table, workspace, id, true);
    this.list.push({ table, workspace, id });
  }
}

/** One search by an indexed column. */
export interface FindRequest {
  readonly index: Index;
  readonly workspace: number;
  readonly value: string;
}

/** `skip` leaves out rows that are locked elsewhere; `wait` waits for them. */
export type LockMode = 'skip' | 'wait';

/**
 * Cache of immutable rows; a full table drops the row it has had longest. Only rows of committed
 * transactions may enter.
 */
export class ImmutableRows {
  readonly #tables = new Map<Table, Map<string, IdRow>>();

  get(table: Table, workspace: number, id: string): IdRow | undefined {
    const row = this.#tables.get(table)?.get(id);
    return row?.workspace === workspace ? row : undefined;
  }

  keep(table: Table, row: IdRow): void {
    let rows = this.#tables.get(table);
    if (rows === undefined) this.#tables.set(table, (rows = new Map()));
    if (rows.size >= (table.remembered ?? 0)) {
      const oldest = rows.keys().next();
      if (!oldest.done) rows.delete(oldest.value);
    }
    rows.set(row.id, row);
  }
}

const texts = new Map<string, string>();

function memo(key: string, make: () => string): string {
  let text = texts.get(key);
  if (text === undefined) texts.set(key, (text = make()));
  return text;
}

/** Reads rows without locks into `loaded`; a row that does not exist is loaded as null. */
export async function readRows(
  db: Queryable,
  requests: readonly RowRequest[],
  loaded: Loaded,
  memory: ImmutableRows,
): Promise<void> {
  const reads = [...byTable(requests)].map(async ([table, list]) => {
    const name = `read:${table.name}`;
    const text = memo(
      name,
      () => `select ${columnsOf(table).join(', ')} from ${table.name}
        where workspace = any($1::int4[]) and id = any($2::uuid[])`,
    );
    const rows = await db.query<IdRow>({ name, text, values: keyArrays(list) });
    for (const request of list) loaded.set(table, request.workspace, request.id, null);
    for (const row of rows) {
      loaded.set(table, row.workspace, row.id, row);
      if (table.remembered) memory.keep(table, row);
    }
  });
  await Promise.all(reads);
}

/** Runs searches by indexed columns, without locks. */
export async function findRows(
  db: Queryable,
  requests: readonly FindRequest[],
  loaded: Loaded,
): Promise<void> {
  const groups = new Map<Index, FindRequest[]>();
  for (const request of requests) {
    const group = groups.get(request.index);
    if (group === undefined) groups.set(request.index, [request]);
    else group.push(request);
  }
  for (const [index, list] of groups) {
    const { table, column } = index;
    const name = `find:${table.name}.${column}`;
    const type = (table.columns as Record<string, string>)[column] ?? 'text';
    const text = memo(
      name,
      () => `select ${columnsOf(table).join(', ')} from ${table.name}
        where workspace = any($1::int4[]) and ${column} = any($2::${type}[]) order by id`,
    );
    const values = [
      arrayValue('int4', unique(list.map((r) => r.workspace))),
      arrayValue(type as ColumnType, unique(list.map((r) => r.value))),
    ];
    const rows = await db.query<IdRow>({ name, text, values });
    for (const request of list) {
      const mine = rows.filter(
        (row) =>
          row.workspace === request.workspace &&
          (row as unknown as Record<string, unknown>)[column] === request.value,
      );
      loaded.found.set(findKey(index, request.workspace, request.value), mine);
      for (const row of mine) loaded.set(table, row.workspace, row.id, row);
    }
  }
}

/**
 * Locks rows, ordered by table rank and then id against deadlocks; all statements are sent at once.
 * `FOR NO KEY UPDATE`, because `FOR UPDATE` made two batches deadlock on each other's foreign keys.
 */
export async function lockRows(
  db: Queryable,
  requests: readonly RowRequest[],
  mode: LockMode,
): Promise<[Table, IdRow[]][]> {
  const groups = [...byTable(requests)].sort(([a], [b]) => a.rank - b.rank);
  const locks = groups.map(async ([table, list]): Promise<[Table, IdRow[]]> => {
    const name = `lock_${mode}:${table.name}`;
    const text = memo(
      name,
      () => `select ${columnsOf(table).join(', ')} from ${table.name}
        where workspace = any($1::int4[]) and id = any($2::uuid[])
        order by workspace, id for no key update${mode === 'skip' ? ' skip locked' : ''}`,
    );
    return [table, await db.query<IdRow>({ name, text, values: keyArrays(list) })];
  });
  return Promise.all(locks);
}

function byTable(requests: readonly RowRequest[]): Map<Table, RowRequest[]> {
  const groups = new Map<Table, RowRequest[]>();
  for (const request of requests) {
    const group = groups.get(request.table);
    if (group === undefined) groups.set(request.table, [request]);
    else group.push(request);
  }
  return groups;
}

function keyArrays(list: readonly RowRequest[]): unknown[] {
  return [
    arrayValue('int4', unique(list.map((request) => request.workspace))),
    arrayValue('uuid', unique(list.map((request) => request.id))),
  ];
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
