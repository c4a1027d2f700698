// Tables as the engine sees them: names, columns with their types, rank in the lock order. Answers
// for the one spelling of each column; knows nothing of what the rows mean.

/** Column types that the engine can carry in arrays. `json` is text that JSON.stringify made. */
export type ColumnType =
  | 'uuid'
  | 'text'
  | 'json'
  | 'int2'
  | 'int4'
  | 'int8'
  | 'bool'
  | 'timestamptz';

/** Every row belongs to a world. */
export interface WorldRow {
  readonly world: number;
}

/** A row that can be named by its id. */
export interface IdRow extends WorldRow {
  readonly id: string;
}

/** One table. `rank` orders the locks of a transaction: lower first. */
export interface Table<R extends WorldRow = WorldRow> {
  readonly name: string;
  readonly rank: number;
  readonly columns: Readonly<Record<keyof R & string, ColumnType>>;
  /** Rows never change after their insert, so a copy in memory stays true: how many are kept. */
  readonly remembered?: number;
  /** Columns that mostly say the same in all rows of a batch; then the value is sent once. */
  readonly alike?: readonly string[];
  /** Updates name the version they read; a count that differs is a fault. [R1] */
  readonly versioned?: true;
}

/** A way to find rows by one column other than the id; the database has an index for it. */
export interface Index<R extends IdRow = IdRow> {
  readonly table: Table<R>;
  readonly column: keyof R & string;
}

/** A table whose rows carry world and id. */
export function defineTable<R extends WorldRow>(table: Table<R>): Table<R> {
  return table;
}

/** Names of a table's columns, in the order of its declaration. */
export function columnsOf<R extends WorldRow>(table: Table<R>): (keyof R & string)[] {
  return Object.keys(table.columns) as (keyof R & string)[];
}

/** Key of a row in memory: world first, because one batch mixes worlds. */
export function rowKey(world: number, id: string): string {
  return `${world}:${id}`;
}
