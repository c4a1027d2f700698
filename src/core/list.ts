// A list as a declaration: which rows of a table it shows, in which columns, and by what it is
// searched. Operations, exports and the console's pages come from it. SQL names a row `t`, and the
// workspace `$1`.
import type { WirePrefix } from './ids.ts';

/** How a value is written and shown. A `party` is an account, an `id` leads to its object. */
export type ColumnKind =
  | 'id' | 'party' | 'amount' | 'currency' | 'state' | 'time' | 'text' | 'number' | 'flag';

/** One column. */
export interface ListColumn {
  readonly kind: ColumnKind;
  /** SQL of its value; absent: the column of `t` with its name. */
  readonly sql?: string;
  readonly nullable?: true;
  /** Of a state: the values that it may have. */
  readonly words?: readonly string[];
  /** Of an id: its prefix on the wire. [G-82] */
  readonly prefix?: WirePrefix;
}

/** One filter, by equality. */
export interface ListFilter {
  readonly kind: 'id' | 'party' | 'currency' | 'state' | 'flag' | 'amount' | 'text';
  /** The column of `t`; absent: of its name. */
  readonly column?: string;
  /** Of a flag that is no column: SQL that is true or false. */
  readonly sql?: string;
  /**
   * `index`: an index leads to the rows. `scan`: rows are looked at one by one, so that a page may
   * end early. A list of words: an index serves these alone.
   */
  readonly by: 'index' | 'scan' | readonly string[];
  /** True where the index holds hashes of the ids, since the upgrade was finished. */
  readonly hashed?: true;
  /** Of a state: the values that may be asked for. */
  readonly words?: readonly string[];
}

/** Types of the columns that a list is ordered by. */
export type KeyType = 'uuid' | 'bigint' | 'timestamptz';

/** A list. */
export interface List {
  /** In paths, such as `payment_attempts`. */
  readonly name: string;
  /** For people, such as `Payment attempts`. */
  readonly title: string;
  /** What a person may do where a list is empty, in a sentence. */
  readonly hint: string;
  /** The table, or SQL in parentheses. */
  readonly from: string;
  /** SQL: which rows of it. */
  readonly where?: string;
  /** SQL of joins for the rows of a page; it leaves none of them out. */
  readonly joined?: string;
  /** Columns of a unique index after the workspace, in its order; pages go down it. */
  readonly key: Readonly<Record<string, KeyType>>;
  /** True where pages go up the key instead: what comes soonest is first. */
  readonly up?: true;
  /** The column of the key that is a time, or an id made at a time; absent: not by time. */
  readonly dated?: string;
  readonly columns: Readonly<Record<string, ListColumn>>;
  readonly filters: Readonly<Record<string, ListFilter>>;
}

type More = Omit<ListColumn, 'kind'>;
const of = (kind: ColumnKind) => (more: More = {}): ListColumn => ({ kind, ...more });

/** Makers of columns. */
export const column = {
  id: of('id'),
  party: of('party'),
  amount: of('amount'),
  currency: of('currency'),
  time: of('time'),
  text: of('text'),
  number: of('number'),
  flag: of('flag'),
  state: (words: readonly string[], more: More = {}): ListColumn => {
    return { kind: 'state', words, ...more };
  },
} as const;

/** The columns of most objects: when it came to be, and when it changed last. */
export const TIMES = { created: column.time(), updated: column.time() } as const;

/** A filter by an account, and by the state of a lifecycle. */
export const byParty = (by: ListFilter['by'], name?: string): ListFilter => {
  return { kind: 'party', by, ...(name === undefined ? {} : { column: name }) };
};
export const byState = (words: readonly string[], by: ListFilter['by'] = 'scan'): ListFilter => {
  return { kind: 'state', by, words };
};
export const BY_CURRENCY = { currency: { kind: 'currency', by: 'scan' } } as const;
export const BY_MONEY = { amount: { kind: 'amount', by: 'scan' }, ...BY_CURRENCY } as const;

/** The filters of a list by its time: from a moment on, and before one; none for one without. */
export function timeFilters({ dated, up }: Pick<List, 'dated' | 'up'>): readonly string[] {
  if (dated === undefined) return [];
  // An object's time is that of its creation; what is to come has another.
  return ['from', 'before'].map((end) => `${up ? dated : 'created'}_${end}`);
}

/** Declares lists; a list that its declaration contradicts is a fault. */
export function defineLists(lists: readonly List[]): readonly List[] {
  for (const { name, key, dated, columns } of lists) {
    const wrong = dated !== undefined && !(dated in key);
    if (wrong || Object.keys(columns).length === 0) throw new Error(`the list ${name} is wrong`);
  }
  return lists;
}
