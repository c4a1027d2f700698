// Brings a database to this release's schema: forward-only files, each in its own transaction,
// under an advisory lock so that two starts do not race.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { Database, Transaction } from './index.ts';
import { refusePooled } from './suitability.ts';

const LOCK = 4_604_127_001;

/** The first migration of release 0.1, which no later release has. */
const FIRST_OF_0_1 = '0001_core.sql';

/** The database was made by a release that this one does not read, or by a changed one. */
export class SchemaMismatch extends Error {}

/**
 * Refuses a pooler that changes sessions, and data of release 0.1, before anything else reads or
 * changes the database.
 */
export async function refuseUnusable(db: Database): Promise<void> {
  await refusePooled(db);
  const [made] = await db.query<{ there: boolean }>(
    `select to_regclass('migration') is not null as there`,
  );
  if (made?.there !== true) return;
  const old = await db.query({
    text: 'select from migration where name = $1',
    values: [FIRST_OF_0_1],
  });
  if (old.length === 0) return;
  throw new SchemaMismatch(
    'This database was made by Holdfast 0.1, which this release does not read. Nothing was ' +
      'changed. Start with an empty database: name it in DATABASE_URL, or a new data folder in ' +
      'HOLDFAST_DATA_DIR.',
  );
}

async function filesIn(folder: URL): Promise<string[]> {
  return (await readdir(folder)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).sort();
}

/** The names of migrations that the database does not have yet. */
export async function pendingMigrations(db: Database, folder: URL): Promise<string[]> {
  const rows = await db.query<{ name: string }>('select name from migration');
  const known = new Set(rows.map((row) => row.name));
  return (await filesIn(folder)).filter((name) => !known.has(name));
}

/**
 * Applies the missing migrations and returns their file names. `begins` is called before the first
 * one, if there is one.
 */
export async function migrate(
  db: Database,
  folder: URL,
  begins: () => void = () => {},
): Promise<string[]> {
  const files = await filesIn(folder);
  const connection = await db.connection();
  const applied: string[] = [];
  try {
    await connection.query({ text: 'select pg_advisory_lock($1)', values: [LOCK] });
    await connection.execute(`create table if not exists migration (
      name text collate "C" primary key, digest text not null,
      applied timestamptz not null default clock_timestamp())`);
    const rows = await connection.query<{ name: string; digest: string }>(
      'select name, digest from migration',
    );
    const known = new Map(rows.map((row) => [row.name, row.digest]));
    for (const name of known.keys()) {
      if (!files.includes(name)) {
        throw new SchemaMismatch(
          `the database has migration ${name}, unknown to this release: use a newer one`,
        );
      }
    }
    if (files.some((name) => !known.has(name))) begins();
    for (const name of files) {
      const text = await readFile(new URL(name, folder), 'utf8');
      const digest = createHash('sha256').update(text).digest('hex');
      const before = known.get(name);
      if (before !== undefined) {
        if (before !== digest) {
          throw new SchemaMismatch(
            `migration ${name} was changed after it was applied: use an unmodified release`,
          );
        }
        continue;
      }
      await apply(connection, name, text, digest);
      applied.push(name);
    }
    return applied;
  } finally {
    await connection
      .query({ text: 'select pg_advisory_unlock($1)', values: [LOCK] })
      .catch(() => []);
    connection.release();
  }
}

async function apply(
  connection: Transaction,
  name: string,
  text: string,
  digest: string,
): Promise<void> {
  await connection.execute('begin');
  try {
    await connection.execute("set local lock_timeout = '2s'");
    await connection.execute(text);
    await connection.execute({
      text: 'insert into migration (name, digest) values ($1, $2)',
      values: [name, digest],
    });
    await connection.execute('commit');
  } catch (error) {
    await connection.execute('rollback');
    throw error;
  }
}
