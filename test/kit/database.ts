// A database per test file, copied from a template that is migrated once per server and set of
// migrations. Real PostgreSQL; fsync is off on the test server only.
import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { Database, type Transaction } from '../../src/db/index.ts';
import { serverUrl } from '../../src/db/embedded/server-role.ts';
import { testServer, type TestServer } from '../../src/db/embedded/test-server.ts';
import { migrate } from '../../src/db/migrate.ts';
import { bringSchema } from '../../src/schema.ts';

const MIGRATIONS = new URL('../../migrations/', import.meta.url);

/** A fresh, migrated database. */
export interface TestDatabase {
  /** As the owner of everything. */
  readonly url: string;
  /** As the role of a server, which has its rights after a start or `testDatabase` gave them. */
  readonly served: string;
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
  return copyOf(template, admin, server);
}

/** As `testDatabase`, with the moves and rights of a production that `holdfast migrate` made. */
export async function productionDatabase(): Promise<TestDatabase> {
  const base = await testDatabase();
  const { served: databaseUrl, url: ownerUrl } = base;
  await bringSchema({ env: 'production', databaseUrl, ownerUrl, look: async () => {} });
  return base;
}

/** Makes what a started database holds beside its rows; nobody may be connected in the end. */
type Start = (ownerUrl: string) => Promise<string>;

/**
 * Makes a database as a copy of one in which `start` has run once for all files of the run, and
 * gives what that run returned: a start by itself costs more than most tests.
 */
export async function startedDatabase(start: Start): Promise<TestDatabase & { note: string }> {
  const server = await testServer();
  const admin = new Database({ url: server.url, max: 1 });
  const template = await ensureTemplate(admin, server.url);
  const name = template.replace('template', 'started');
  const note = await locked(admin, 77_002, async (connection) => {
    const find = `select shobj_description(oid, 'pg_database') as note from pg_database
      where datname = $1`;
    const [found] = await connection.query<{ note: string }>({ text: find, values: [name] });
    if (found !== undefined) return found.note;
    const draft = `${name}_draft`;
    await connection.execute(`drop database if exists ${draft} with (force)`);
    await connection.execute(`create database ${draft} template ${template}`);
    const told = await start(urlOf(server.url, draft));
    const text = `select format('comment on database %I is %L', $1::text, $2::text) as command`;
    const said = await connection.query<{ command: string }>({ text, values: [draft, told] });
    await connection.execute(said[0]?.command ?? '');
    await connection.execute(`alter database ${draft} rename to ${name}`);
    return told;
  });
  return { ...(await copyOf(name, admin, server)), note };
}

async function copyOf(
  template: string,
  admin: Database,
  server: TestServer,
): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await admin.execute(`create database ${name} template ${template} strategy file_copy`);
  const url = urlOf(server.url, name);
  const served = serverUrl(url);
  const db = new Database({ url, max: 8 });
  const pools: Database[] = [db];
  return {
    url,
    served,
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
  await locked(admin, 77_001, async (connection) => {
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
  });
  return name;
}

/** Does something that only one process at a time may do. */
async function locked<T>(
  admin: Database,
  lock: number,
  work: (connection: Transaction) => Promise<T>,
): Promise<T> {
  const connection = await admin.connection();
  try {
    await connection.query(`select pg_advisory_lock(${lock})`);
    const done = await work(connection);
    await connection.query(`select pg_advisory_unlock(${lock})`);
    return done;
  } finally {
    connection.release();
  }
}

function nameOf(url: string): string {
  return new URL(url).pathname.slice(1);
}

function urlOf(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
