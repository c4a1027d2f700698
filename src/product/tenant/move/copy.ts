// Carries rows from one installation to another: as texts of whole rows, in pieces, with the keys
// that a master key wraps wrapped anew on the way. Each table is compared by count and hash.
import { newUuid } from '../../../core/ids.ts';
import type { Place } from '../../../core/labels.ts';
import { raw, sql, type Transaction } from '../../../db/index.ts';
import type { Keys } from '../../../providers/keys/port.ts';
import type { WrappedColumn } from '../../../providers/keys/versions.ts';
import type { Carried } from './tables.ts';

/** One transaction on each side, and how keys are wrapped there. */
export interface Crossing {
  readonly from: Transaction;
  readonly to: Transaction;
  readonly keysFrom: Pick<Keys, 'unwrap'>;
  readonly keysTo: Pick<Keys, 'unwrap' | 'wrap'>;
  readonly wrapped: readonly WrappedColumn[];
  readonly workspace: number;
}

/** How the rows of a table are sent. */
export interface Manner {
  /** Only rows written by this transaction or later ones; null: all. */
  readonly since: string | null;
  /** True: rows that are there stay; false: they are replaced. */
  readonly keep: boolean;
}

/** Bytes of a piece; its rows follow from the size of those before. */
const PIECE = 4_000_000;
const [FEWEST, MOST] = [10, 5_000];

/** What a row is compared by: never by wrapped keys or what changes on the way. */
const HASH = 'coalesce(sum(hashtextextended(r::text, 0)::numeric), 0)::text';

interface Seen {
  readonly n: bigint;
  readonly hash: string;
}

/** Sends rows of a table; gives how many. Throws where they do not arrive as they are. */
export async function carry(
  crossing: Crossing,
  table: Carried,
  manner: Manner,
): Promise<number> {
  const { from, to } = crossing;
  const { name } = table;
  const where = `(${table.where}) and ${freshSince(manner.since)}`;
  const wrapped = crossing.wrapped.filter((one) => one.table === name);
  const sent = new Sent(crossing, table, wrapped, manner);
  await from.execute(`declare carried no scroll cursor for select ${sent.selected}
    from ${name} t where ${where}`);
  for (let size = FEWEST; ; ) {
    const rows = await from.query<Record<string, string>>(`fetch ${size} from carried`);
    if (rows.length === 0) break;
    const bytes = await sent.take(rows);
    size = Math.min(MOST, Math.max(FEWEST, Math.floor((size * PIECE) / Math.max(bytes, 1))));
  }
  await from.execute('close carried');
  if (sent.rows === 0) return 0;
  await sent.end();
  if (manner.keep) return sent.rows;
  const compared = table.columns.filter((column) => {
    return table.other[column] === undefined && !wrapped.some((one) => one.column === column);
  });
  const seen = async (tx: Transaction, which: string): Promise<Seen> => {
    const row = `row(${compared.map((column) => `t.${column}`).join(', ')})`;
    const [one] = await tx.query<Seen>(
      `select count(*) as n, ${HASH} as hash from (select ${row} as r from ${name} t
        where ${which}) x`,
    );
    return one as Seen;
  };
  const there = await seen(to, `(${table.where}) and t.xmin = pg_current_xact_id()::xid`);
  const here = await seen(from, where);
  if (here.n === there.n && here.hash === there.hash) return sent.rows;
  throw new Error(`The rows of ${name} did not arrive as they are: nothing was handed over.`);
}

/** The rows of one table on their way. */
class Sent {
  rows = 0;
  /** The columns of a piece: the row, then for each wrapped column its text and its row's key. */
  readonly selected: string;
  readonly #crossing: Crossing;
  readonly #table: Carried;
  readonly #wrapped: readonly WrappedColumn[];
  readonly #manner: Manner;
  /** Stands for a wrapped key in the text of a row. */
  readonly #mark = `wrapped-${newUuid()}-`;

  constructor(
    crossing: Crossing,
    table: Carried,
    wrapped: readonly WrappedColumn[],
    manner: Manner,
  ) {
    this.#crossing = crossing;
    this.#table = table;
    this.#wrapped = wrapped;
    this.#manner = manner;
    const values = table.columns.map((column) => {
      const at = wrapped.findIndex((one) => one.column === column);
      if (at < 0) return table.other[column] ?? `t.${column}`;
      return `case when ${holds(wrapped[at])} then '${this.#mark}${at}' else t.${column} end`;
    });
    const keys = wrapped.flatMap((one, at) => [
      `case when ${holds(one)} then t.${one.column} end as wrapped_${at}`,
      ...one.key.map((key) => `t.${key}::text as key_${at}_${key}`),
    ]);
    this.selected = [`row(${values.join(', ')})::text as r`, ...keys].join(', ');
  }

  /** Where rows are replaced they are gathered first, so that no two meet in a unique index. */
  get #gathers(): boolean {
    return this.#manner.since !== null && !this.#manner.keep;
  }

  /** Takes a piece over; gives its bytes. */
  async take(rows: readonly Record<string, string>[]): Promise<number> {
    const { name } = this.#table;
    const { to } = this.#crossing;
    const texts = await Promise.all(rows.map((row) => this.#rewrapped(row)));
    if (this.#gathers && this.rows === 0) {
      await to.execute(`create temporary table carried_${name} (like ${name}) on commit drop`);
    }
    const into = this.#gathers ? `carried_${name}` : name;
    await to.execute(sql`insert into ${raw(into)} overriding system value
      select (r).* from (select x::${raw(name)} as r from unnest(${texts}::text[]) x offset 0) n
      ${raw(this.#manner.keep ? 'on conflict do nothing' : '')}`);
    this.rows += rows.length;
    return texts.reduce((sum, text) => sum + text.length, 0);
  }

  /** Puts what was gathered in its place. */
  async end(): Promise<void> {
    if (!this.#gathers) return;
    const { to } = this.#crossing;
    const { name, key } = this.#table;
    const same = key.map((column) => `t.${column} = n.${column}`).join(' and ');
    await to.execute(`delete from ${name} t using carried_${name} n where ${same}`);
    await to.execute(`insert into ${name} overriding system value select * from carried_${name}`);
    await to.execute(`drop table carried_${name}`);
  }

  async #rewrapped(row: Record<string, string>): Promise<string> {
    let text = row['r'] ?? '';
    for (const [at, one] of this.#wrapped.entries()) {
      const old = row[`wrapped_${at}`] ?? null;
      if (old === null) continue;
      const key = Object.fromEntries(one.key.map((name) => [name, row[`key_${at}_${name}`] ?? '']));
      const place = one.context({ ...key, lineage: String(this.#crossing.workspace) });
      text = text.replace(`${this.#mark}${at}`, `"${await this.#anew(old, place)}"`);
    }
    return text;
  }

  /** The same key, wrapped for the other side; what follows it is sealed by it, and stays. */
  async #anew(text: string, place: Place): Promise<string> {
    const { keysFrom, keysTo } = this.#crossing;
    const [wrapped = '', ...sealed] = text.split(' ');
    const key = await keysFrom.unwrap(wrapped, place);
    const anew = await keysTo.wrap(key, place);
    const same = key.equals(await keysTo.unwrap(anew, place));
    if (!same) throw new Error('A key was wrapped wrongly.');
    return [anew, ...sealed].join(' ');
  }
}

/** SQL: the row holds a wrapped key. */
function holds({ where = 'true', column }: WrappedColumn | undefined = {} as WrappedColumn) {
  return `t.${column} is not null and (${where})`;
}

/** How many rows a table has, and how many of them are new. */
export interface Census {
  readonly n: bigint;
  readonly fresh: bigint;
}

/** SQL: row `t` was written by this transaction or a later one, by the age of what wrote it. */
function freshSince(since: string | null): string {
  return since === null ? 'true' : `age(t.xmin) <= age('${since}'::xid)`;
}

/** Counts the rows of all tables at once; by their names. */
export async function census(
  tx: Transaction,
  tables: readonly Carried[],
  since: string | null,
): Promise<ReadonlyMap<string, Census>> {
  const counts = tables.map(
    ({ name, where }) => `select '${name}' as name, count(*) as n,
      count(*) filter (where ${freshSince(since)}) as fresh from ${name} t where ${where}`,
  );
  const rows = await tx.query<Census & { name: string }>(counts.join(' union all '));
  return new Map(rows.map((row) => [row.name, row]));
}

/**
 * Makes a table have the same rows on both sides where their numbers differ: rows were deleted
 * where they come from, or by what cleans up where they go to. Gives how many it changed.
 */
export async function level(crossing: Crossing, table: Carried): Promise<number> {
  const { from, to, workspace } = crossing;
  const { name, key } = table;
  const count = async (tx: Transaction): Promise<bigint> => {
    const [row] = await tx.query<{ n: bigint }>(
      `select count(*) as n from ${name} where workspace = ${workspace}`,
    );
    return row?.n ?? 0n;
  };
  const here = await count(from);
  const text = `row(${key.map((column) => `t.${column}`).join(', ')})::text`;
  const all = `select ${text} as k from ${name} t where workspace = ${workspace}`;
  await to.execute(`create temporary table kept_${name} (k text primary key) on commit drop`);
  await from.execute(`declare kept no scroll cursor for ${all}`);
  for (;;) {
    const rows = await from.query<{ k: string }>(`fetch ${MOST} from kept`);
    if (rows.length === 0) break;
    const values = [rows.map(({ k }) => k)];
    await to.execute({ text: `insert into kept_${name} select unnest($1::text[])`, values });
  }
  await from.execute('close kept');
  const gone = await to.execute(`delete from ${name} t where workspace = ${workspace}
    and not exists (select from kept_${name} n where n.k = ${text})`);
  const missing = await to.query<{ k: string }>(`select k from kept_${name} except ${all}`);
  await to.execute(`drop table kept_${name}`);
  const keys = missing.map(({ k }) => `'${k.replaceAll("'", "''")}'`).join(', ');
  const where = `${table.where} and ${text} in (${keys})`;
  const back = keys === '' ? 0 : await carry(crossing, { ...table, where }, ALL);
  if ((await count(to)) === here) return gone + back;
  throw new Error(`The rows of ${name} are not as many there: nothing was handed over.`);
}

/** All rows, into a table that does not have them. */
export const ALL: Manner = { since: null, keep: false };
