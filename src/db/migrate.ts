// Brings a database to this release's schema: forward-only files, each in its own transaction,
// under an advisory lock so that two starts do not race.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { Database } from './index.ts';

const LOCK = 4_604_127_001;

/** The database was migrated by a newer release, or a migration was edited after use. */
export class SchemaMismatch extends Error {}

/**
 * Applies the missing migrations and returns their file names. `begins` is called before the first
 * one, if there is one.
 */
export async function migrate(
  db: Database,
  folder: URL,
  begins: () => void = () => {},
): Promise<string[]> {
  const files = (await readdir(folder)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).sort();
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
