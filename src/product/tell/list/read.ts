// Reads a page of a list, by its key and in a bounded time: a page looks at no more than 20,000
// rows, and where a filter let too few of them through it ends early, with a cursor to go on.
import { isUuid, accountId, wireId } from '../../../core/ids.ts';
import type { KeyType, List, ListColumn, ListFilter } from '../../../core/list.ts';
import { millisOf, type Instant } from '../../../core/time.ts';
import type { Queryable } from '../../../db/index.ts';
import { namedId, WorkspaceTime } from '../explain/index.ts';
import { cursorOf, keyOfCursor } from './cursor.ts';

/** The most rows that a page looks at. */
export const LOOKED_AT = 20_000;

/** What is asked of a list. */
export interface ListQuestion {
  /** Values by the name of a filter, as on the wire. */
  readonly filters: Readonly<Record<string, string | undefined>>;
  readonly limit: number;
  /** Where the page begins, as `next` of another one; undefined: at the first row. */
  readonly cursor?: string | undefined;
  /** Made from this moment on, and before that one, by the workspace's clock. */
  readonly from?: Instant | undefined;
  readonly before?: Instant | undefined;
}

/** A row as it goes out. */
export type ListRow = Readonly<Record<string, string | number | boolean | null>>;

/** A page. */
export interface ListPage {
  readonly rows: readonly ListRow[];
  readonly next: string | null;
  /** By the workspace's clock; null without rows. */
  readonly now: Instant | null;
}

/** Builds a statement: texts with the numbers of their values. */
class Conditions {
  readonly values: unknown[];
  readonly keyed: string[] = ['t.workspace = $1'];
  readonly looked: string[] = [];

  constructor(workspace: number) {
    this.values = [workspace];
  }

  /** The number of a value, such as `$2::uuid`. */
  value(of: unknown, type: string): string {
    this.values.push(of);
    return `$${this.values.length}::${type}`;
  }
}

const NONE: ListPage = { rows: [], next: null, now: null };

/** True where an index leads to the rows. */
function isKeyed({ by }: ListFilter, value: string): boolean {
  return by === 'index' || (by !== 'scan' && by.includes(value));
}

/** False where a filter can match nothing, such as a malformed id. */
function addFilter(to: Conditions, name: string, filter: ListFilter, value: string): boolean {
  const { kind, column = name, sql = `t.${column}` } = filter;
  const into = isKeyed(filter, value) ? to.keyed : to.looked;
  if (kind === 'id' || kind === 'party') {
    const named = namedId(value);
    if (named === null || (kind === 'party' && named.prefix !== 'acct')) return false;
    const id = to.value(named.uuid, 'uuid');
    into.push(`t.${column} = ${id}`);
    if (filter.hashed) into.push(`uuid_hash(t.${column}) = uuid_hash(${id})`);
  } else if (kind === 'flag') {
    into.push(`${value === 'true' ? '' : 'not '}(${sql})`);
  } else if (kind === 'amount') {
    into.push(`t.${column} = ${to.value(value, 'bigint')}`);
  } else if (kind === 'state' && into === to.keyed) {
    // In the text itself, because a parameter would not meet a partial index: only a declared word.
    if (filter.words?.includes(value) !== true) return false;
    into.push(`t.${column} = '${value}'`);
  } else {
    into.push(`t.${column} = ${to.value(value, 'text')}`);
  }
  return true;
}

/** The least id of a real moment. */
function firstIdAt(at: Instant): string {
  const hex = Math.max(0, millisOf(at)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

async function addTimes(
  db: Queryable,
  to: Conditions,
  { key, dated = '' }: List,
  asked: ListQuestion,
): Promise<void> {
  const type = key[dated];
  if (type === undefined || (asked.from ?? asked.before) === undefined) return;
  const time = type === 'uuid' ? await WorkspaceTime.read(db, Number(to.values[0])) : null;
  for (const [at, than] of [[asked.from, '>='], [asked.before, '<']] as const) {
    if (at === undefined) continue;
    const value = time === null ? at : firstIdAt(time.realOf(at));
    to.keyed.push(`t.${dated} ${than} ${to.value(value, type)}`);
  }
}

const keyList = (key: readonly string[]): string => key.map((name) => `t.${name}`).join(', ');
/** The direction of a list's order, and what a key after another is to it. */
const way = ({ up }: List) => (up ? (['asc', '>'] as const) : (['desc', '<'] as const));

/** What is asked as conditions, those of the key first; null where nothing can fit. */
async function conditionsOf(
  db: Queryable,
  workspace: number,
  list: List,
  asked: ListQuestion,
): Promise<{ readonly to: Conditions; readonly keyedValues: readonly unknown[] } | null> {
  const { filters, where } = list;
  const key = Object.keys(list.key);
  const to = new Conditions(workspace);
  if (where !== undefined) to.looked.push(where);
  const given = Object.entries(asked.filters).flatMap(([name, value]) => {
    const filter = filters[name];
    return filter === undefined || value === undefined ? [] : [{ name, value, filter }];
  });
  const add = (keyed: boolean): boolean => given.every(({ name, filter, value }) => {
    return isKeyed(filter, value) !== keyed || addFilter(to, name, filter, value);
  });
  const [first = ''] = key;
  // Says that the index of this order may be used, which is for lists alone. A filter with an index
  // does without: where there are no statistics, the order would be read from its beginning.
  const led = given.some(({ filter, value }) => isKeyed(filter, value));
  if (list.key[first] === 'timestamptz' && !led) to.keyed.push(`t.${first} > '-infinity'`);
  if (!add(true)) return null;
  await addTimes(db, to, list, asked);
  if (asked.cursor !== undefined) {
    const types: readonly KeyType[] = Object.values(list.key);
    const parts = keyOfCursor(list, asked.cursor) ?? [];
    const after = parts.map((part, at) => to.value(part, types[at] ?? 'text'));
    to.keyed.push(`(${keyList(key)}) ${way(list)[1]} (${after.join(', ')})`);
  }
  const keyedValues = [...to.values];
  return add(false) ? { to, keyedValues } : null;
}

/**
 * A page of a list, in its order. Amounts are minor units; times are of the workspace's clock. Rows
 * of other workspaces are never read.
 */
export async function readList(
  db: Queryable,
  workspace: number,
  list: List,
  asked: ListQuestion,
): Promise<ListPage> {
  const { columns, from, joined = '', filters } = list;
  const key = Object.keys(list.key);
  const conditions = await conditionsOf(db, workspace, list, asked);
  if (conditions === null) return NONE;
  const { to, keyedValues } = conditions;
  // What a filter fixes orders nothing, and around a limit the planner would sort for it.
  const free = key.filter((name) => !(name in filters) || asked.filters[name] === undefined);
  const order = `order by ${free.map((name) => `t.${name} ${way(list)[0]}`).join(', ')}`;
  const keyed = `from ${from} t where ${to.keyed.join(' and ')} ${order}`;
  const through = to.looked.length === 0 ? '' : `where ${to.looked.join(' and ')}`;
  const shown = Object.entries(columns).map(([name, { sql = `t.${name}` }]) => {
    return `${sql} as ${name}`;
  });
  const ends = key.map((name, at) => `t.${name} as key_${at}`);
  const found = await db.query<Record<string, unknown>>({
    text: `select (select workspace_now($1)) as key_now, ${[...shown, ...ends].join(', ')} from (
        select t.* from (select t.* ${keyed} limit ${LOOKED_AT}) t
        ${through} ${order} limit ${asked.limit + 1}) t
      ${joined} ${order}`,
    values: to.values,
  });
  const ended = found.slice(0, asked.limit);
  const rows = shownRows(columns, ended);
  const now = (ended[0]?.['key_now'] ?? null) as Instant | null;
  const endOf = (row: Record<string, unknown>): string => {
    return cursorOf(key.map((_, at) => row[`key_${at}`]));
  };
  const last = ended.at(-1);
  if (found.length > asked.limit && last !== undefined) {
    return { rows, next: endOf(last), now };
  }
  // Every row that was looked at was counted: whether there are more is known by the last of them.
  const [end] = to.looked.length === 0 ? [] : await db.query<Record<string, unknown>>({
    text: `select ${ends.join(', ')} ${keyed} offset ${LOOKED_AT - 1} limit 1`,
    values: keyedValues,
  });
  return { rows, next: end === undefined ? null : endOf(end), now };
}

function shownRows(
  columns: List['columns'],
  found: readonly Record<string, unknown>[],
): readonly ListRow[] {
  const each = Object.entries(columns);
  return found.map((row) => {
    const shown: Record<string, ListRow[string]> = {};
    for (const [name, column] of each) shown[name] = shownValue(column, row[name]);
    return shown;
  });
}

function shownValue({ kind, prefix }: ListColumn, value: unknown): ListRow[string] {
  if (value === null || value === undefined) return null;
  if (typeof value === 'bigint') return Number(value);
  if (kind === 'party' && isUuid(String(value))) return accountId(String(value));
  if (prefix !== undefined) return wireId(prefix, String(value));
  return value as string | number | boolean;
}
