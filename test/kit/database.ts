// A database per test file, copied from a template that is migrated once per server and set of
// migrations. Real PostgreSQL; fsync is off on the test server only.
import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { Database } from '../../src/db/index.ts';
import { testServer } from '../../src/db/embedded/test-server.ts';
import { migrate } from '../../src/db/migrate.ts';

const MIGRATIONS = new URL('../../migrations/', import.meta.url);

/** A fresh, migrated database. */
export interface TestDatabase {
  readonly url: string;
  readonly db: Database;
  /** A further pool on it, closed by `drop`. */
  pool(max: number, settings?: Record<string, string>): Database;
  drop(): Promise<void>;
}

/** Makes a database from the template; or as a copy of another that nobody is connected to. */
export async function testDatabase(of: string | null = null): Promise<TestDatabase> {
  const server = await testServer();
  const admin = new Database({ url: server.url, max: 1 });
  const template = of === null ? await ensureTemplate(admin, server.url) : nameOf(of);
  const name = `test_${randomBytes(6).toString('hex')}`;
  await admin.execute(`create database ${name} template ${template} strategy file_copy`);
  const url = urlOf(server.url, name);
  const db = new Database({ url, max: 8 });
  const pools: Database[] = [db];
  return {
    url,
    db,
    pool(max, settings = {}) {
      const pool = new Database({ url, max, settings });
      pools.push(pool);
      return pool;
    },
    async drop() {
      for (const pool of pools) await pool.close();
      try {
        await admin.execute(`drop database ${name} with (force)`);
      } finally {
        // What is left open would keep the process of the test alive.
        await admin.close();
        await server.stop();
      }
    },
  };
}

async function ensureTemplate(admin: Database, url: string): Promise<string> {
  const digest = createHash('sha256');
  for (const file of readdirSync(MIGRATIONS).sort()) {
    digest.update(file).update(readFileSync(new URL(file, MIGRATIONS)));
  }
  const name = `template_${digest.digest('hex').slice(0, 16)}`;
  const connection = await admin.connection();
  try {
    await connection.query('select pg_advisory_lock(77001)');
    const found = await connection.query({
      text: `select 1 from pg_database where datname = $1 and datconnlimit = -1`,
      values: [name],
    });
    if (found.length === 0) {
      const draft = `${name}_draft`;
      await connection.execute(`drop database if exists ${draft} with (force)`);
      await connection.execute(`create database ${draft} template template0`);
      const db = new Database({ url: urlOf(url, draft), max: 1 });
      await migrate(db, MIGRATIONS);
      await db.close();
      await connection.execute(`alter database ${draft} rename to ${name}`);
    }
    await connection.query('select pg_advisory_unlock(77001)');
  } finally {
    connection.release();
  }
  return name;
}

function nameOf(url: string): string {
  return new URL(url).pathname.slice(1);
}

function urlOf(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
