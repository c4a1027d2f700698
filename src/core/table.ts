// How a table is declared to the engine: name, columns with types, rank in the lock order. This is
// the only place where a column's name and type are spelled.
import type { Instant } from './time.ts';

/** Column types that can be sent as arrays. `json` is text made by JSON.stringify. */
export type ColumnType =
  | 'uuid'
  | 'text'
  | 'json'
  | 'int2'
  | 'int4'
  | 'int8'
  | 'bool'
  | 'timestamptz';

/** What each column type is in memory. */
interface Values {
  readonly uuid: string;
  readonly text: string;
  readonly json: string;
  readonly int2: number;
  readonly int4: number;
  readonly int8: bigint;
  readonly bool: boolean;
  readonly timestamptz: Instant;
}

/** A text that is one of these words, such as the states of a lifecycle, or null where listed. */
type Words = readonly (string | null)[];

/** Columns with their types; a type that ends with `?` may be null. */
type Columns = Readonly<Record<string, ColumnType | `${ColumnType}?` | Words>>;

type RowWith<C extends Columns> = WorkspaceRow & {
  readonly [K in keyof C]: C[K] extends readonly (infer W)[]
    ? W
    : C[K] extends `${infer T extends ColumnType}?`
      ? Values[T] | null
      : Values[C[K] & ColumnType];
};

/** Every row belongs to a workspace. */
export interface WorkspaceRow {
  readonly workspace: number;
}

/** A row identified by its id. */
export interface IdRow extends WorkspaceRow {
  readonly id: string;
}

/** One table. `rank` orders the locks of a transaction: lower first. */
export interface Table<R extends WorkspaceRow = WorkspaceRow> {
  readonly name: string;
  readonly rank: number;
  readonly columns: Readonly<Record<keyof R & string, ColumnType>>;
  /** For rows that never change after insert: how many of them are cached. */
  readonly remembered?: number;
  /** Constant columns: mostly the same in all rows of a batch, and then sent as one value. */
  readonly constant?: readonly string[];
  /** SQL of what is stored of a column, about `?`: the value that is sent. */
  readonly stored?: Readonly<Record<string, string>>;
  /** Columns that may be null. */
  readonly nullable?: readonly string[];
  /** The words of each column that is one of a list. */
  readonly words?: Readonly<Record<string, Words>>;
  /** Updates check the version that was read; a mismatch is a fault. [R1] */
  readonly versioned?: true;
}

/** A search by one column other than the id; the database needs an index for it. */
export interface Index<R extends IdRow = IdRow> {
  readonly table: Table<R>;
  readonly column: keyof R & string;
}

/** Declares a search of a table by a column. */
export function indexBy<R extends IdRow>(table: Table<R>, column: keyof R & string): Index<R> {
  return { table, column };
}

/** Declares a table; the type of its row is inferred from the columns after the workspace. */
export function tableOf<const C extends Columns>(
  name: string,
  rank: number,
  others: C,
  more: Pick<Table, 'remembered' | 'constant' | 'stored' | 'versioned'> = {},
): Table<RowWith<C>> {
  const columns = Object.entries<Columns[string]>({ workspace: 'int4', ...others });
  const lists = columns.flatMap(([name, type]) => (typeof type === 'string' ? [] : [[name, type]]));
  const types = columns.map(([name, type]) => {
    return [name, typeof type === 'string' ? type.replace('?', '') : 'text'];
  });
  return {
    name,
    rank,
    ...more,
    columns: Object.fromEntries(types) as Table<RowWith<C>>['columns'],
    nullable: columns.flatMap(([name, type]) => {
      return (typeof type === 'string' ? type.endsWith('?') : type.includes(null)) ? [name] : [];
    }),
    words: Object.fromEntries(lists) as Readonly<Record<string, Words>>,
  };
}

/** Columns that every current-state row has; its updates check the version. */
const CURRENT = { id: 'uuid', version: 'int4', updated: 'timestamptz' } as const;

/** The table of a lifecycle's current-state rows; `others` are the columns beyond those of all. */
export function stateTable<const S extends Words, const C extends Columns>(
  name: string,
  rank: number,
  state: S,
  others: C,
  more: Pick<Table, 'constant'> = {},
): Table<RowWith<typeof CURRENT & { readonly state: S } & C>> {
  return tableOf(name, rank, { ...CURRENT, state, ...others }, { ...more, versioned: true });
}

/** The row of a table. */
export type RowOf<T> = T extends Table<infer R> ? R : never;

/** The table's columns in declaration order. */
export function columnsOf<R extends WorkspaceRow>(table: Table<R>): (keyof R & string)[] {
  return Object.keys(table.columns) as (keyof R & string)[];
}

/** Key of a row in memory. It starts with the workspace, because a batch mixes workspaces. */
export function rowKey(workspace: number, id: string): string {
  return `${workspace}:${id}`;
}
