// Rotation of the master key: every key that an older version wraps is wrapped anew, while the
// service runs. What is sealed with those keys stays as it is. The rows are the only state, so a
// run that was killed is taken up by the next, and two at once only share the work. [PD3]
import type { Database, Transaction } from '../../db/index.ts';
import type { KeyVersions, WrappedColumn } from '../../ports/key-versions.ts';
import type { Keys } from '../../ports/keys.ts';
import { audit } from '../audit/index.ts';

/** What rotation works on. */
export interface RotationParts {
  readonly db: Database;
  readonly keys: Keys;
  readonly versions: KeyVersions;
  /** Every place of the installation that holds wrapped keys. */
  readonly columns: readonly WrappedColumn[];
}

/** How many keys a version wraps. */
export type CountByVersion = ReadonlyMap<string, number>;

/** What a rotation did. */
export interface Rotated {
  /** The version that wraps now. */
  readonly current: string;
  /** False when an earlier rotation was taken up instead of a new one begun. */
  readonly begun: boolean;
  readonly rewrapped: number;
  /** Places of keys that do not open: another row's, or damaged. They are left as they are. */
  readonly unreadable: readonly string[];
}

const BATCH = 200;
/** One decision about versions at a time, whoever makes it. */
const LOCK = 77_016;

const versionOf = (column: string): string => `split_part(${column}, '.', 1)`;

/** Those of tables that are there: only a sandbox has snapshots. */
async function present(
  db: Database,
  columns: readonly WrappedColumn[],
): Promise<readonly WrappedColumn[]> {
  const rows = await db.query<{ name: string }>({
    text: 'select name from unnest($1::text[]) as t(name) where to_regclass(name) is not null',
    values: [columns.map(({ table }) => table)],
  });
  const names = new Set(rows.map(({ name }) => name));
  return columns.filter(({ table }) => names.has(table));
}

/** Counts wrapped keys by the version that wraps them. */
export async function countByVersion({ db, columns }: Pick<RotationParts, 'db' | 'columns'>) {
  const counts = new Map<string, number>();
  for (const { table, column, where = 'true' } of await present(db, columns)) {
    const rows = await db.query<{ version: string; n: bigint }>(
      `select ${versionOf(column)} as version, count(*) as n from ${table}
       where ${where} group by 1`,
    );
    for (const { version, n } of rows) counts.set(version, (counts.get(version) ?? 0) + Number(n));
  }
  return counts as CountByVersion;
}

/**
 * Wraps everything under a newer version: a prepared one, or one that is made now. Where keys are
 * left under an older version, an earlier run did not end: this one ends it and begins none. Nor
 * does it begin one within an hour of the last, unless a version was prepared: two runs at once are
 * one rotation.
 */
export async function rotate(parts: RotationParts): Promise<Rotated> {
  const begun = await locked(parts.db, async (tx) => {
    const { current, all, fresh } = await parts.versions.list();
    const counts = await countByVersion(parts);
    if ([...counts.keys()].some((version) => version !== current)) return false;
    const newest = all.at(-1) ?? current;
    if (newest === current && fresh) return false;
    const next = newest === current ? await parts.versions.prepare() : newest;
    await parts.versions.promote(next);
    await note(tx, { begun: next });
    return true;
  });
  const { current } = await parts.versions.list();
  const unreadable: string[] = [];
  let rewrapped = 0;
  for (const column of await present(parts.db, parts.columns)) {
    rewrapped += await rewrapColumn(parts, column, current, unreadable);
  }
  const unread = unreadable.length;
  await locked(parts.db, (tx) => note(tx, { version: current, rewrapped, unread }));
  return { current, begun, rewrapped, unreadable };
}

/** Adds a version that wraps nothing yet, for key files that have to be copied to other nodes. */
export function prepareVersion({ db, versions }: RotationParts): Promise<string> {
  return locked(db, () => versions.prepare());
}

/** Forgets an old version. Throws a sentence for the operator while it wraps anything. */
export function dropVersion(parts: RotationParts, version: string): Promise<void> {
  return locked(parts.db, async (tx) => {
    const left = (await countByVersion(parts)).get(version) ?? 0;
    if (left > 0) throw new Error(`Version ${version} still wraps ${left} keys: rotate first.`);
    await parts.versions.drop(version);
    await note(tx, { dropped: version });
  });
}

function note(tx: Transaction, detail: Readonly<Record<string, string | number>>): Promise<void> {
  return audit(tx, { world: 0, actor: 'operator', act: 'keys_rotated', detail });
}

function locked<R>(db: Database, work: (tx: Transaction) => Promise<R>): Promise<R> {
  return db.transaction(async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(${LOCK})`);
    return work(tx);
  });
}

interface WrappedRow {
  readonly key: Readonly<Record<string, string>>;
  readonly text: string;
}

/** One pass over a column, in the order of its primary key; gives how many it wrapped anew. */
async function rewrapColumn(
  { db, keys }: RotationParts,
  at: WrappedColumn,
  current: string,
  unreadable: string[],
): Promise<number> {
  let done = 0;
  let after: readonly string[] | null = null;
  for (;;) {
    const rows: WrappedRow[] = await nextBatch(db, at, current, after);
    const last = rows.at(-1);
    if (last === undefined) return done;
    after = at.key.map((name) => last.key[name] ?? '');
    const fresh = await Promise.all(rows.map((row) => rewrap(keys, at, row, unreadable)));
    done += await store(db, at, rows, fresh);
  }
}

async function nextBatch(
  db: Database,
  { table, key, column, where = 'true' }: WrappedColumn,
  current: string,
  after: readonly string[] | null,
): Promise<WrappedRow[]> {
  const names = key.join(', ');
  const places = key.map((_, at) => `$${at + 2}`).join(', ');
  const rows = await db.query<Record<string, string>>({
    text: `select ${key.map((name) => `${name}::text as ${name}`).join(', ')}, ${column} as wrapped
      from ${table} where ${where} and ${versionOf(column)} <> $1
        ${after === null ? '' : `and (${names}) > (${places})`}
      order by ${key.map((name) => `${table}.${name}`).join(', ')} limit ${BATCH}`,
    values: [current, ...(after ?? [])],
  });
  return rows.map(({ wrapped: text = '', ...rest }) => ({ key: rest, text }));
}

/** The column's text with the key wrapped under the current version; null where it cannot be. */
async function rewrap(
  keys: Keys,
  at: WrappedColumn,
  { key, text }: WrappedRow,
  unreadable: string[],
): Promise<string | null> {
  const [wrapped = '', ...sealed] = text.split(' ');
  try {
    const line = key['world'] === undefined ? '' : String(keys.lineOf(Number(key['world'])));
    const context = at.context({ ...key, line });
    return [await keys.wrap(await keys.unwrap(wrapped, context), context), ...sealed].join(' ');
  } catch {
    unreadable.push(`${at.table} ${Object.values(key).join(' ')}`);
    return null;
  }
}

/** Puts the new texts in the place of those that were read; a row that changed meanwhile stays. */
async function store(
  db: Database,
  { table, key, column }: WrappedColumn,
  rows: readonly WrappedRow[],
  fresh: readonly (string | null)[],
): Promise<number> {
  const same = key.map((name, at) => `${name} = $${at + 3}`).join(' and ');
  const text = `update ${table} set ${column} = $1 where ${column} = $2 and ${same}`;
  const statements = rows.flatMap((row, at) => {
    const anew = fresh[at] ?? null;
    if (anew === null) return [];
    return [{ text, values: [anew, row.text, ...key.map((name) => row.key[name])] }];
  });
  const counts = await db.transaction((tx) =>
    Promise.all(tx.together(() => statements.map((one) => tx.execute(one)))),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}
