// The PostgreSQL server of the bench: found, created, started and removed here, with the settings
// that the report prints. Durability is on: a figure without fsync is no figure.
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { Database } from '../src/db/index.ts';

const run = promisify(execFile);
const DEBIAN = '/usr/lib/postgresql';

/** Settings of the server under load, as the report prints them. */
export const SETTINGS: Readonly<Record<string, string>> = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: '512MB',
  max_wal_size: '4GB',
  checkpoint_timeout: '15min',
  max_connections: '320',
};

/** Printed if there is none. */
export const NO_BINARIES =
  'there is no PostgreSQL with pgbench on the PATH or in /usr/lib/postgresql; ' +
  '`apt-get install postgresql` brings it on Debian.';

/** Folder of `pgbench` and its server: Debian's newest, or one on PATH; null if there is none. */
export function findBinaries(): string | null {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).map(Number) : [];
  const debian = versions.toSorted((a, b) => b - a).map((version) => `${DEBIAN}/${version}/bin`);
  const onPath = (process.env['PATH'] ?? '').split(delimiter);
  // Debian puts a wrapper of pgbench on the PATH, without initdb beside it: its folder comes first.
  const whole = [...debian, ...onPath].find((folder) =>
    ['initdb', 'pg_ctl', 'postgres', 'pgbench'].every((name) => existsSync(join(folder, name))),
  );
  return whole ?? null;
}

/** The account to run the server as: PostgreSQL refuses to run as root. */
function serverUser(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const line = /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'));
  return { uid: Number(line?.[1] ?? 65534), gid: Number(line?.[2] ?? 65534) };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}

/** A running server. */
export interface Postgres {
  readonly binaries: string;
  readonly port: number;
  /** Process id of the postmaster. */
  readonly pid: number;
  /** `15.18` and the like. */
  readonly version: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Connection URL of a database, as its superuser or as the owner `holdfast`. */
  url(database: string, user?: 'postgres' | 'holdfast'): string;
  /** Runs statements one by one, outside a transaction, as superuser. */
  sql(database: string, ...statements: string[]): Promise<Record<string, unknown>[]>;
  /** Creates a database owned by `holdfast`. */
  createDatabase(name: string): Promise<void>;
  /** Changes settings of the running server; null restores the default. */
  alter(settings: Readonly<Record<string, string | null>>): Promise<void>;
  /** Writes out what earlier loads left dirty, so that the next load does not pay for it. */
  checkpoint(): Promise<void>;
  /** Stops the server and removes its folder. */
  stop(): Promise<void>;
}

/** Creates and starts a server under `parent`. `profile` loads pg_stat_statements. */
export async function startPostgres(parent: string, profile: boolean): Promise<Postgres> {
  const binaries = findBinaries();
  if (binaries === null) throw new Error(NO_BINARIES);
  const user = serverUser();
  const as = user ?? {};
  const folder = mkdtempSync(join(parent, 'holdfast-bench-'));
  const password = randomBytes(18).toString('base64url');
  const secret = join(folder, 'password');
  writeFileSync(secret, password, { mode: 0o600 });
  if (user !== null) for (const path of [folder, secret]) chownSync(path, user.uid, user.gid);
  const data = join(folder, 'data');
  const initdb = ['-D', data, '-U', 'postgres', '--auth=scram-sha-256', `--pwfile=${secret}`];
  initdb.push('--data-checksums', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync');
  await run(join(binaries, 'initdb'), initdb, { ...as, cwd: folder });
  const port = await freePort();
  const settings = { ...SETTINGS, listen_addresses: '127.0.0.1', unix_socket_directories: folder };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'`);
  if (profile) lines.push("shared_preload_libraries = 'pg_stat_statements'");
  writeFileSync(join(data, 'postgresql.auto.conf'), `${lines.join('\n')}\nport = ${port}\n`);
  const child = spawn(join(binaries, 'postgres'), ['-D', data], {
    ...as,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.on('data', (piece: Buffer) => {
    log = (log + piece.toString()).slice(-4000);
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  // An interrupted bench leaves neither server nor folder behind.
  const abandon = (): void => {
    child.kill('SIGQUIT');
    // Nothing asynchronous runs any more; the server needs a moment to leave its folder.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  process.once('exit', abandon);
  const stop = async (): Promise<void> => {
    process.removeListener('exit', abandon);
    child.kill('SIGINT');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  const server = { binaries, port, pid: child.pid ?? 0, password, stop };
  try {
    return await connect(server);
  } catch (error) {
    await stop();
    throw new Error(`PostgreSQL did not start: ${log}`, { cause: error });
  }
}

interface Started extends Pick<Postgres, 'binaries' | 'port' | 'pid' | 'stop'> {
  readonly password: string;
}

async function connect(started: Started): Promise<Postgres> {
  const { port, password } = started;
  const url = (database: string, user: 'postgres' | 'holdfast' = 'postgres'): string =>
    `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;
  const sql: Postgres['sql'] = async (database, ...statements) => {
    const db = new Database({
      url: url(database),
      max: 1,
      settings: { statement_timeout: '0' },
    });
    try {
      let rows: Record<string, unknown>[] = [];
      for (const statement of statements) rows = await db.query(statement);
      return rows;
    } finally {
      await db.close();
    }
  };
  await untilReady(() => sql('postgres', 'select 1'));
  await sql('postgres', `create role holdfast login password '${password}'`);
  const [row] = await sql('postgres', 'show server_version');
  return {
    binaries: started.binaries,
    port,
    pid: started.pid,
    stop: started.stop,
    version: String(row?.['server_version']).split(' ')[0] ?? '',
    environment: { PGPASSWORD: password, PGHOST: '127.0.0.1', PGPORT: String(port) },
    url,
    sql,
    async createDatabase(name) {
      await sql('postgres', `create database ${name} owner holdfast`);
    },
    async alter(changes) {
      const statements = Object.entries(changes).map(([name, value]) =>
        value === null ? `alter system reset ${name}` : `alter system set ${name} = '${value}'`,
      );
      await sql('postgres', ...statements, 'select pg_reload_conf()');
    },
    async checkpoint() {
      await sql('postgres', 'checkpoint');
    },
  };
}

/** Tries until it succeeds, for at most 30 seconds. */
async function untilReady(attempt: () => Promise<unknown>): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (tries >= 300) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
