// The dump of the release whose data every later release reads: how it is written, and restored
// into an empty database. Plain SQL, since the programs that npm brings have no pg_dump.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Database } from '../../src/db/index.ts';
import { testDatabase, type TestDatabase } from '../kit/database.ts';

/** The release of the dump. */
export const VERSION = '0.2.0';
/** The migrations of this release. */
export const MIGRATIONS = join(import.meta.dirname, '../../migrations');
/** The master keys that its data is sealed with: of a sandbox that nobody uses. */
export const KEY_FILE = join(import.meta.dirname, `${VERSION}.keys.json`);
const DUMP = join(import.meta.dirname, `${VERSION}.sql.gz`);
const DIGESTS = join(import.meta.dirname, `${VERSION}.digests.json`);
/** Tables of snapshot storage, which a start makes. */
const STORAGE = 'stored_';
const ROWS_IN_ONE = 200;

type Digests = Readonly<Record<string, string>>;

/** The digest of each migration, by the name of its file. */
export function digestsOfFiles(): Digests {
  const names = readdirSync(MIGRATIONS).toSorted();
  const digest = (name: string): string =>
    createHash('sha256').update(readFileSync(join(MIGRATIONS, name))).digest('hex');
  return Object.fromEntries(names.map((name) => [name, digest(name)]));
}

/** The digests of the migrations that made the dump. */
export function digestsOfDump(): Digests {
  return JSON.parse(readFileSync(DIGESTS, 'utf8')) as Digests;
}

/** Writes the dump of a database and the digests of its migrations; gives its compressed size. */
export async function writeDump(db: Database): Promise<number> {
  const files = digestsOfFiles();
  const made = Object.keys(files).map((name) => readFileSync(join(MIGRATIONS, name), 'utf8'));
  const head = `create table migration (name text collate "C" primary key, digest text not null,
    applied timestamptz not null default clock_timestamp());\n`;
  const parts = [head, ...made, ...(await storageOf(db)), ...(await rowsOf(db))];
  const packed = gzipSync(parts.join('\n'), { level: 9 });
  writeFileSync(DUMP, packed);
  writeFileSync(DIGESTS, `${JSON.stringify(files, null, 2)}\n`);
  return packed.length;
}

async function storageOf(db: Database): Promise<string[]> {
  const rows = await db.query<{ name: string; indexes: string[] }>({
    text: `select c.relname as name, array_agg(pg_get_indexdef(i.indexrelid) || ';') as indexes
      from pg_class c join pg_index i on i.indrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and starts_with(c.relname, $1)
      group by c.relname order by c.relname`,
    values: [STORAGE],
  });
  return rows.flatMap(({ name, indexes }) => [
    `create table ${name} (like ${name.slice(STORAGE.length)}, snapshot integer not null);`,
    ...indexes,
  ]);
}

/** Rows are written without triggers and references, as they lie there. */
async function rowsOf(db: Database): Promise<string[]> {
  const tables = await db.query<{ name: string; columns: string[] }>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not a.attisdropped
    group by c.relname order by c.relname`,
  );
  const parts = ['set session_replication_role = replica;'];
  for (const { name, columns } of tables) {
    const values = columns.map((column) => `quote_nullable(${column}::text)`).join(", ', ', ");
    const rows = await db.query<{ line: string }>(
      `select concat('(', ${values}, ')') as line from ${name} order by ctid`,
    );
    if (rows.length > 0) parts.push(`delete from ${name};`);
    for (let at = 0; at < rows.length; at += ROWS_IN_ONE) {
      const lines = rows.slice(at, at + ROWS_IN_ONE).map(({ line }) => line);
      parts.push(
        `insert into ${name} (${columns.join(', ')}) overriding system value values`,
        `${lines.join(',\n')};`,
      );
    }
  }
  const sequences = await db.query<{ line: string }>(
    `select format('select setval(%L, %s);', sequencename, last_value) as line
    from pg_sequences where schemaname = 'public' and last_value is not null order by 1`,
  );
  return [...parts, ...sequences.map(({ line }) => line), 'reset session_replication_role;', ''];
}

/** A database of its own that holds the dump. */
export async function restoredDump(): Promise<TestDatabase> {
  const base = await testDatabase('postgresql:///template0');
  try {
    await base.db.execute(gunzipSync(readFileSync(DUMP)).toString());
    return base;
  } catch (error) {
    await base.drop();
    throw error;
  }
}
