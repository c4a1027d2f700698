// Starts the real system for tests, in this process or as processes of their own, several on one
// database if wanted. Each has its own database and ports, and nothing is left behind.
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serverUrl } from '../../src/db/embedded/server-role.ts';
import { Database } from '../../src/db/index.ts';
import type { StartOptions } from '../../src/config.ts';
import { startSystem } from '../../src/system.ts';
import { CHECKOUT, freeBlock, launch, type Launch, type Launched } from '../start/launch.ts';
import { Api, type Ready } from './api.ts';
import { sealed, settled } from './books.ts';
import { startedDatabase, type TestDatabase } from './database.ts';
import type { Wire } from './wire.ts';

const SETTLED_MS = 10_000;

/** Settings by the names of the environment, such as HOLDFAST_PROCESSOR_TIMEOUT_MS. */
export type Settings = Readonly<Record<string, string>>;

/** A running system with a client. */
export interface Platform {
  readonly ready: Ready;
  readonly api: Api;
  /** A pool on its database, for looking behind the interface. */
  readonly db: Database;
  /** Of its keys, until it is stopped. */
  readonly keyFile: string;
  /** Ends the system and keeps its database: nobody else takes locks there any more. */
  halt(): Promise<void>;
  stop(): Promise<void>;
}

/** What may differ from a plain start. */
export interface PlatformOptions {
  readonly settings?: Settings;
  /** Receives every event of the sandbox tenant. */
  readonly forwardTo?: string;
  /** Opens the wire that it reaches its database by; it is closed with the platform. */
  readonly by?: (databaseUrl: string) => Promise<Pick<Wire, 'url' | 'close'>>;
  /** Providers to choose from; absent: those of the registry. */
  readonly providers?: StartOptions['providers'];
}

/** The whole system in this process, on a database of its own; answers fit their schemas. */
export async function startPlatform(options: PlatformOptions = {}): Promise<Platform> {
  const dataDir = dataFolder();
  const keyFile = options.settings?.['HOLDFAST_KEY_FILE'] ?? join(dataDir, 'keys.json');
  const base = await sandboxDatabase(keyFile);
  const wire = await options.by?.(base.served);
  const databaseUrl = wire?.url ?? base.served;
  const before = { ...process.env };
  Object.assign(process.env, { HOLDFAST_CHECK_ANSWERS: '1' }, options.settings);
  // The settings are read before the first turn of the event loop; nobody else sees them.
  const starting = startSystem({
    env: 'staging',
    databaseUrl,
    portBase: 0,
    forwardTo: options.forwardTo ?? null,
    dataDir,
    ephemeral: true,
    log: () => {},
    ...(options.providers && { providers: options.providers }),
  });
  restore(before);
  const clean = async (): Promise<void> => {
    // First, since what a silent wire holds open keeps the database from being dropped.
    await wire?.close();
    await base.drop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const system = await starting;
    const ready = system.ready as unknown as Ready;
    const halt = (): Promise<void> => system.stop();
    const stop = (): Promise<void> => halt().then(clean);
    return { ready, api: await Api.open(ready), db: base.db, keyFile, halt, stop };
  } catch (error) {
    await clean();
    throw error;
  }
}

/** A database in which the sandbox has been started before, and its keys in a file. */
export async function sandboxDatabase(keyFile: string): Promise<TestDatabase> {
  const { note: keys, ...base } = await startedDatabase(async (ownerUrl) => {
    const folder = dataFolder();
    const database = { DATABASE_URL: serverUrl(ownerUrl), HOLDFAST_OWNER_URL: ownerUrl };
    const place = { ...database, HOLDFAST_DATA_DIR: folder, HOLDFAST_KEY_FILE: keyFile };
    const node = await startNode({ ...place, HOLDFAST_CHECK_ANSWERS: '1' });
    await node.ready();
    const db = new Database({ url: ownerUrl, max: 1 });
    await settled(db, SETTLED_MS);
    await sealed(db);
    node.child.kill('SIGTERM');
    assert.equal(await node.ended, 0, node.stderr());
    // Each copy is reached by addresses of its own, and issues its tokens under them.
    await db.execute("delete from installation where name = 'issuer'");
    await db.close();
    rmSync(folder, { recursive: true, force: true });
    return readFileSync(keyFile, 'utf8');
  });
  writeFileSync(keyFile, keys, { mode: 0o600 });
  return base;
}

function restore(before: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) {
    if (!(name in before)) delete process.env[name];
  }
  Object.assign(process.env, before);
}

/** A process of its own. */
export interface Node {
  readonly ready: Ready;
  readonly process: Launched;
}

/** Several processes on one database and one key file. */
export interface Fleet {
  readonly nodes: readonly Node[];
  /** A client of each node, all with one token. */
  readonly apis: readonly Api[];
  readonly db: Database;
  /** Of the database. */
  readonly url: string;
  /** What each node was started with: for one more. */
  readonly settings: Settings;
  /** Lines that the nodes wrote on stderr about faults. */
  faults(): string[];
  stop(): Promise<void>;
}

/** Starts `count` processes at the same moment on one database, each with these arguments. */
export async function startFleet(
  count: number,
  settings: Settings = {},
  args: readonly string[] = [],
  empty: TestDatabase | null = null,
): Promise<Fleet> {
  const dataDir = dataFolder();
  const HOLDFAST_KEY_FILE = settings['HOLDFAST_KEY_FILE'] ?? join(dataDir, 'keys.json');
  const base = empty ?? (await sandboxDatabase(HOLDFAST_KEY_FILE));
  const place = { DATABASE_URL: base.served, HOLDFAST_DATA_DIR: dataDir, HOLDFAST_KEY_FILE };
  const owner = empty === null ? {} : { HOLDFAST_OWNER_URL: base.url };
  const env = { ...place, ...owner, ...settings };
  const started: Launched[] = [];
  const stop = async (): Promise<void> => {
    for (const one of started) one.child.kill('SIGTERM');
    await Promise.all(started.map((one) => one.ended));
    await base.drop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    for (let n = 0; n < count; n += 1) started.push(await startNode(env, args));
    const nodes = await Promise.all(
      started.map(async (one) => {
        const ready = (await one.ready()) as unknown as Ready;
        return { process: one, ready };
      }),
    );
    const [first] = nodes;
    assert.ok(first);
    const api = await Api.open(first.ready);
    const apis = nodes.map((node) => api.through(node.ready));
    const faults = (): string[] => started.flatMap((one) => faultsOf(one.stderr()));
    return { nodes, apis, db: base.db, url: base.served, settings: env, faults, stop };
  } catch (error) {
    // What a failed start leaves would keep the test's process alive.
    await stop();
    throw error;
  }
}

/** Starts one process of the program, as `npm start -- --json` does in the end. */
export async function startNode(
  env: Settings,
  args: readonly string[] = [],
  more: Pick<Launch, 'account' | 'cwd'> = {},
): Promise<Launched> {
  const port = String(await freeBlock());
  return launch({
    command: process.execPath,
    args: [join(CHECKOUT, 'src/main.ts'), 'start', '--json', '--port-base', port, ...args],
    env,
    ...more,
  });
}

/** The fault lines of what a process wrote on stderr. */
export function faultsOf(stderr: string): string[] {
  return stderr.split('\n').filter((line) => line.includes('"event":"fault"'));
}

/** A folder that PostgreSQL's account may enter. */
export function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-kit-'));
  chmodSync(folder, 0o755);
  return folder;
}
