// Rotation of the master key: rewraps every key of an older version while the service runs. What
// those keys seal stays as it is. The rows are the only state, so the next run continues an
// interrupted one, and two at once share the work. [PD3]
import { secretPlace } from '../../../core/labels.ts';
import { sql, type Database, type Transaction } from '../../../db/index.ts';
import { MOVED, type KeyVersions, type WrappedColumn } from '../../../providers/keys/versions.ts';
import type { Keys } from '../../../providers/keys/port.ts';
import { audit } from '../../tell/audit/index.ts';

export interface RotationParts {
  readonly db: Database;
  readonly keys: Keys;
  readonly versions: KeyVersions;
  /** All columns of the installation that hold wrapped keys. */
  readonly columns: readonly WrappedColumn[];
}

/** Wrapped keys by the version that wraps them. */
export type CountByVersion = ReadonlyMap<string, number>;

/** The result of a rotation. */
export interface Rotated {
  /** The version that wraps now. */
  readonly current: string;
  /** False where it continued an earlier rotation. */
  readonly begun: boolean;
  readonly rewrapped: number;
  /** Where keys do not open: another row's, or damaged. They are left as they are. */
  readonly unreadable: readonly string[];
}

const BATCH = 200;
/** Serializes decisions about versions. */
const LOCK = 77_016;

const versionOf = (column: string): string => `split_part(${column}, '.', 1)`;

/** Columns of tables that exist: only a sandbox has snapshots. */
async function present(
  db: Database,
  columns: readonly WrappedColumn[],
): Promise<readonly WrappedColumn[]> {
  const rows = await db.query<{ name: string }>(sql`
    select name from unnest(${columns.map(({ table }) => table)}::text[]) as t(name)
      where to_regclass(name) is not null`);
  const names = new Set(rows.map(({ name }) => name));
  return columns.filter(({ table }) => names.has(table));
}

export async function countByVersion({ db, columns }: Pick<RotationParts, 'db' | 'columns'>) {
  const counts = new Map<string, number>();
  for (const { column, where = 'true', ...at } of await present(db, columns)) {
    const rows = await db.query<{ version: string; n: bigint }>(
      `select ${versionOf(column)} as version, count(*) as n from ${at.table}
       where (${where}) and ${column} <> '${MOVED}' group by 1`,
    );
    for (const { version, n } of rows) counts.set(version, (counts.get(version) ?? 0) + Number(n));
  }
  return counts as CountByVersion;
}

/**
 * Rewraps everything under a newer version, prepared or created now. Where keys are left under an
 * older version, an earlier run did not finish: this run continues it. None begins within an hour
 * of the last unless a version was prepared, so that two runs at once are one rotation.
 */
export async function rotate(parts: RotationParts): Promise<Rotated> {
  const add = await parts.versions.make();
  const begun = await locked(parts.db, async (tx) => {
    const { current, all, fresh } = await parts.versions.list();
    const counts = await countByVersion(parts);
    if ([...counts.keys()].some((version) => version !== current)) return false;
    const newest = all.at(-1) ?? current;
    if (newest === current && fresh) return false;
    const next = newest === current ? await add() : newest;
    await parts.versions.promote(next);
    await note(tx, { begun: next });
    return true;
  });
  const { current } = await parts.versions.list();
  await requireInUse(parts.keys, current);
  const unreadable: string[] = [];
  let rewrapped = 0;
  for (const column of await present(parts.db, parts.columns)) {
    rewrapped += await rewrapColumn(parts, column, current, unreadable);
  }
  const unread = unreadable.length;
  await locked(parts.db, (tx) => note(tx, { version: current, rewrapped, unread }));
  return { current, begun, rewrapped, unreadable };
}

/** A process that could not read the new version would wrap everything under the old one again. */
async function requireInUse(keys: Keys, current: string): Promise<void> {
  const sample = await keys.wrap(Buffer.alloc(32), secretPlace('signingKey', 'sample'));
  if (sample.startsWith(`${current}.`)) return;
  throw new Error(`The key file has ${current}, which could not be read from it: run this again.`);
}

/** Adds a version that wraps nothing yet, for key files that must first reach other nodes. */
export async function prepareVersion({ db, versions }: RotationParts): Promise<string> {
  const add = await versions.make();
  return locked(db, add);
}

/** Wraps the versions themselves by a key of a key service; null: by none. */
export async function wrapVersions({ db, versions }: RotationParts, kms: string | null) {
  const store = await versions.wrapBy(kms);
  await locked(db, async (tx) => {
    await store();
    await note(tx, { kms: kms ?? 'none' });
  });
}

/** Drops an old version. Throws an Error with a sentence for the operator while it wraps a key. */
export function dropVersion(parts: RotationParts, version: string): Promise<void> {
  return locked(parts.db, async (tx) => {
    const left = (await countByVersion(parts)).get(version) ?? 0;
    if (left > 0) throw new Error(`Version ${version} still wraps ${left} keys: rotate first.`);
    await parts.versions.drop(version);
    await note(tx, { dropped: version });
  });
}

function note(tx: Transaction, detail: Readonly<Record<string, string | number>>): Promise<void> {
  return audit(tx, { workspace: 0, actor: 'operator', act: 'keys_rotated', detail });
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

/** One pass over a column in the order of its primary key; gives how many it rewrapped. */
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
  { key, column, where = 'true', ...at }: WrappedColumn,
  current: string,
  after: readonly string[] | null,
): Promise<WrappedRow[]> {
  const names = key.join(', ');
  const places = key.map((_, n) => `$${n + 2}`).join(', ');
  const rows = await db.query<Record<string, string>>({
    text: `select ${key.map((name) => `${name}::text as ${name}`).join(', ')}, ${column} as wrapped
      from ${at.table} where (${where}) and ${versionOf(column)} not in ($1, '${MOVED}')
        ${after === null ? '' : `and (${names}) > (${places})`}
      order by ${key.map((name) => `${at.table}.${name}`).join(', ')} limit ${BATCH}`,
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
    const lineage =
      key['workspace'] === undefined ? '' : String(keys.lineageOf(Number(key['workspace'])));
    const context = at.context({ ...key, lineage });
    return [await keys.wrap(await keys.unwrap(wrapped, context), context), ...sealed].join(' ');
  } catch {
    unreadable.push(`${at.table} ${Object.values(key).join(' ')}`);
    return null;
  }
}

/** Replaces the texts that were read; a row that changed meanwhile stays. */
async function store(
  db: Database,
  { key, column, ...of }: WrappedColumn,
  rows: readonly WrappedRow[],
  fresh: readonly (string | null)[],
): Promise<number> {
  const same = key.map((name, at) => `${name} = $${at + 3}`).join(' and ');
  const text = `update ${of.table} set ${column} = $1 where ${column} = $2 and ${same}`;
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
