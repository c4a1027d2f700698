// Brings a database to this release's schema: forward-only files, each in its own transaction,
// under an advisory lock so that two starts do not race. A program also works on a newer schema, as
// long as no newer migration says that it needs a newer program.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { sqlState } from './errors.ts';
import { writeNewForms } from './finish.ts';
import type { Database, Queryable, Transaction } from './index.ts';
import { refusePooled } from './suitability.ts';

const LOCK = 4_604_127_001;

/** The first migration of release 0.1, which no later release has. */
const FIRST_OF_0_1 = '0001_core.sql';

/** The database was made by a release that this one does not read, or by a changed one. */
export class SchemaMismatch extends Error {}

/**
 * Refuses a pooler that changes sessions, data of release 0.1, and tables that are not for this
 * role, before anything else reads or changes the database.
 */
export async function refuseUnusable(db: Database): Promise<void> {
  await refusePooled(db);
  const [made] = await db.query<{ mine: boolean | null; role: string }>(
    `select has_table_privilege(to_regclass('migration'), 'select') as mine, current_user as role`,
  );
  if (made === undefined || made.mine === null) return;
  if (!made.mine) {
    throw new SchemaMismatch(
      `The role ${made.role} has no rights in the database yet: run \`holdfast migrate\` with ` +
        'the owner in HOLDFAST_OWNER_URL.',
    );
  }
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
async function pendingMigrations(db: Queryable, folder: URL): Promise<string[]> {
  const [made] = await db.query<{ there: boolean }>(
    `select to_regclass('migration') is not null as there`,
  );
  if (made?.there !== true) return filesIn(folder);
  const known = await appliedTo(db);
  return (await filesIn(folder)).filter((name) => !known.has(name));
}

interface Applied {
  readonly name: string;
  readonly digest: string;
  /** The number of the migration that a program must know to work beside this one; null: none. */
  readonly needs: string | null;
}

async function appliedTo(db: Queryable): Promise<Map<string, Applied>> {
  // A database of release 0.2 has no column `needs` before its next migration.
  const rows = await db.query<Applied>(
    `select name, digest, to_jsonb(migration) ->> 'needs' as needs from migration order by name`,
  );
  return new Map(rows.map((row) => [row.name, row]));
}

/**
 * Refuses a schema that this program cannot work on: an older one, a changed one, or a newer one
 * with a migration that needs a newer program. Gives the newer migrations that it can live with.
 */
export async function checkSchema(db: Queryable, folder: URL): Promise<string[]> {
  const pending = await pendingMigrations(db, folder);
  if (pending.length > 0) {
    throw new SchemaMismatch(
      `The schema of the database is older than this program (${pending.length} migrations are ` +
        'missing): run `holdfast migrate` first.',
    );
  }
  const files = await filesIn(folder);
  const applied = await appliedTo(db);
  const newest = files.at(-1)?.slice(0, 4) ?? '';
  const newer = [...applied.values()].filter(({ name }) => !files.includes(name));
  const barrier = newer.find(({ needs }) => needs !== null && needs > newest);
  if (barrier !== undefined) {
    throw new SchemaMismatch(
      `The schema of the database is too new for this program (${barrier.name} needs one that ` +
        `knows ${barrier.needs ?? ''}): start a newer release.`,
    );
  }
  for (const name of files) requireUnchanged(name, await textOf(name, folder), applied.get(name));
  return newer.map(({ name }) => name);
}

async function textOf(name: string, folder: URL): Promise<string> {
  return readFile(new URL(name, folder), 'utf8');
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function requireUnchanged(name: string, text: string, applied: Applied | undefined): void {
  if (applied === undefined || applied.digest === digestOf(text)) return;
  throw new SchemaMismatch(
    `migration ${name} was changed after it was applied: use an unmodified release`,
  );
}

/**
 * Applies the missing migrations and returns their file names. `begins` is called before the first
 * one, if there is one; `ends` after the last one, while others still wait for their turn.
 */
export async function migrate(
  db: Database,
  folder: URL,
  begins: () => void = () => {},
  ends: (connection: Transaction) => Promise<void> = async () => {},
): Promise<string[]> {
  const files = await filesIn(folder);
  const connection = await db.connection();
  const applied: string[] = [];
  try {
    await connection.query({ text: 'select pg_advisory_lock($1)', values: [LOCK] });
    await connection.execute(`create table if not exists migration (
      name text collate "C" primary key, digest text not null,
      applied timestamptz not null default clock_timestamp())`);
    await connection.execute('alter table migration add column if not exists needs text');
    const known = await appliedTo(connection);
    for (const name of known.keys()) {
      if (!files.includes(name)) {
        throw new SchemaMismatch(
          `the database has migration ${name}, unknown to this release: use a newer one`,
        );
      }
    }
    if (files.some((name) => !known.has(name))) begins();
    for (const name of files) {
      const text = await textOf(name, folder);
      requireUnchanged(name, text, known.get(name));
      if (known.has(name)) continue;
      await apply(connection, name, text);
      applied.push(name);
    }
    // Nobody has ever served on it.
    if (known.size === 0) await writeNewForms(connection);
    await ends(connection);
    return applied;
  } finally {
    await connection
      .query({ text: 'select pg_advisory_unlock($1)', values: [LOCK] })
      .catch(() => []);
    connection.release();
  }
}

/** A line of a migration that the programs before a certain one cannot live with. */
export const NEEDS = /^-- Needs a program that knows (\d{4})\.$/m;

/** How long a migration is tried anew where those who serve hold what it locks. */
const PATIENCE_MS = 20_000;
const PAUSE_MS = 100;

/** `lock_not_available` and `deadlock_detected`. */
const IN_THE_WAY = ['55P03', '40P01'];

/**
 * Applies a migration. It waits for a lock for less time than PostgreSQL takes to look for a
 * deadlock, so that no request ends for it; then it lets go of all it has, and begins again.
 */
async function apply(connection: Transaction, name: string, text: string): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; ; await sleep(PAUSE_MS)) {
    try {
      return await applyOnce(connection, name, text);
    } catch (error) {
      if (!IN_THE_WAY.includes(sqlState(error) ?? '') || Date.now() > end) throw error;
    }
  }
}

async function applyOnce(connection: Transaction, name: string, text: string): Promise<void> {
  await connection.execute('begin');
  try {
    await connection.execute("set local lock_timeout = '300ms'");
    await connection.execute(text);
    await connection.execute({
      text: 'insert into migration (name, digest, needs) values ($1, $2, $3)',
      values: [name, digestOf(text), NEEDS.exec(text)?.[1] ?? null],
    });
    await connection.execute('commit');
  } catch (error) {
    await connection.execute('rollback');
    throw error;
  }
}
