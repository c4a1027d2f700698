// The dump of the release whose data every later release reads, restored into an empty database. It
// is plain SQL, since the programs that npm brings have no pg_dump.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { testDatabase, type TestDatabase } from '../kit/database.ts';

/** The release of the dump. */
const VERSION = '0.2.0';
/** The migrations of this release. */
export const MIGRATIONS = join(import.meta.dirname, '../../migrations');
/** The master keys that its data is sealed with: of a sandbox that nobody uses. */
export const KEY_FILE = join(import.meta.dirname, `${VERSION}.keys.json`);
const DUMP = join(import.meta.dirname, `${VERSION}.sql.gz`);
const DIGESTS = join(import.meta.dirname, `${VERSION}.digests.json`);

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

/** The SQL of the dump. */
export function sqlOfDump(): string {
  return gunzipSync(readFileSync(DUMP)).toString();
}

/** A database of its own that holds the dump. */
export async function restoredDump(): Promise<TestDatabase> {
  const base = await testDatabase('postgresql:///template0');
  try {
    await base.db.execute(sqlOfDump());
    return base;
  } catch (error) {
    await base.drop();
    throw error;
  }
}
