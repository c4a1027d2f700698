// Creates, starts and stops one PostgreSQL cluster on this machine. The server takes connections
// when `startCluster` resolves and is gone when `stop` does.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync } from 'node:fs';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import type { Binaries } from './binaries.ts';
import type { Operator } from './operator.ts';
import { entrust } from './operator.ts';
import { vacate } from './orphan-processes.ts';
import { serverSettings } from './settings.ts';
import type { WatchedServer } from './parent-watchdog.ts';
import { watch } from './parent-watchdog.ts';

const USER = 'holdfast';
const DATABASE = 'holdfast';
const POLL_MS = 4;
// After a kill, old shared memory can refuse a start for about two seconds; a port can be taken.
const RETRY_FOR_MS = 6_000;
const RETRY_EVERY_MS = 200;
const READY_WITHIN_MS = 180_000;
const SAY_SLOW_AFTER_MS = 5_000;
const PASSING = /pre-existing shared memory|lock file "postmaster\.pid"|could not bind|in use/;

/** What a cluster is made and started from. */
export interface ClusterOrder {
  readonly binaries: Binaries;
  readonly operator: Operator;
  /** The cluster's own folder; created if absent. */
  readonly folder: string;
  readonly logPath: string;
  readonly durable: boolean;
  /** Pipe of an ephemeral folder's sweeper for the server to hold open, or null. */
  readonly held: Writable | null;
  log(line: string): void;
}

/** A running cluster. */
export interface Cluster {
  readonly url: string;
  /** Stops the server and waits for its end. */
  stop(): Promise<void>;
  /** Resolves with the exit code when the server ends, for whatever reason. */
  readonly ended: Promise<number>;
}

/**
 * Creates the cluster if needed, starts its server on `fixedPort` or a free port and waits until it
 * takes connections. Fails with one sentence for the operator.
 */
export async function startCluster(order: ClusterOrder, fixedPort?: number): Promise<Cluster> {
  if (!existsSync(join(order.folder, 'PG_VERSION'))) await makeCluster(order);
  await vacate(order.folder, order.log);
  const password = readFileSync(join(order.folder, 'holdfast.password'), 'utf8').trim();
  const giveUp = Date.now() + RETRY_FOR_MS;
  for (;;) {
    const port = fixedPort ?? (await freePort());
    const server = launch(order, port);
    const failure = await untilReady(order, server);
    if (failure === null) {
      return {
        url: `postgres://${USER}:${password}@127.0.0.1:${port}/${DATABASE}`,
        ended: server.ended,
        stop: async () => void (await server.stop()),
      };
    }
    if (!PASSING.test(failure) || Date.now() >= giveUp) {
      throw new Error(`PostgreSQL did not start (${failure}); its log is ${order.logPath}.`);
    }
    await pause(RETRY_EVERY_MS);
  }
}

function launch(order: ClusterOrder, port: number): WatchedServer {
  const logFile = openSync(order.logPath, 'w', 0o600);
  const settings = serverSettings({ port, durable: order.durable });
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  try {
    return watch({
      command: [join(order.binaries.bin, 'postgres'), '-D', order.folder, ...flags],
      operator: order.operator,
      logFile,
      // An ephemeral cluster is deleted, so it is stopped without a last checkpoint.
      stopSignal: order.held === null ? 'INT' : 'QUIT',
      held: order.held,
      env: serverEnvironment(),
    });
  } finally {
    closeSync(logFile);
  }
}

/** Null when the server takes connections, else why it ended. */
async function untilReady(order: ClusterOrder, server: WatchedServer): Promise<string | null> {
  const pidFile = join(order.folder, 'postmaster.pid');
  const before = readOr(pidFile);
  const started = Date.now();
  let ended = false;
  let said = false;
  void server.ended.then(() => (ended = true));
  for (;;) {
    const status = readOr(pidFile);
    if (status !== before && status.split('\n')[7]?.trim() === 'ready') return null;
    if (ended) return lastWords(order.logPath);
    const waited = Date.now() - started;
    if (waited > READY_WITHIN_MS) {
      await server.stop();
      return `not ready after ${READY_WITHIN_MS / 1000} s`;
    }
    if (waited > SAY_SLOW_AFTER_MS && !said) {
      said = true;
      order.log('PostgreSQL is recovering from a crash; this can take a while');
    }
    await pause(POLL_MS);
  }
}

/** Creates the cluster aside and renames it when complete, so a crash leaves no half-made one. */
async function makeCluster(order: ClusterOrder): Promise<void> {
  order.log('creating a new PostgreSQL cluster');
  const parent = dirname(order.folder);
  const prefix = `${basename(order.folder)}.new-`;
  for (const name of readdirSync(parent)) {
    if (name.startsWith(prefix)) rmSync(join(parent, name), { recursive: true, force: true });
  }
  const aside = join(parent, prefix + randomBytes(4).toString('hex'));
  mkdirSync(aside);
  entrust(order.operator, aside, 0o700);
  const secret = `${aside}.password`;
  writeFileSync(secret, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600, flush: true });
  entrust(order.operator, secret, 0o600);
  const sync = order.durable ? [] : ['--no-sync'];
  const program = (name: string): string => join(order.binaries.bin, name);
  try {
    await run(order.operator, program('initdb'), [
      ...['-D', aside, '-U', USER, `--pwfile=${secret}`, '--auth=scram-sha-256'],
      ...['--data-checksums', '--encoding=UTF8', '--locale=C', '--no-instructions', ...sync],
    ]);
    const single = ['--single', '-D', aside, '-c', `fsync=${order.durable ? 'on' : 'off'}`];
    await run(
      order.operator,
      program('postgres'),
      [...single, 'postgres'],
      `create database ${DATABASE}\n`,
    );
    renameSync(secret, join(aside, 'holdfast.password'));
    renameSync(aside, order.folder);
  } catch (error) {
    rmSync(aside, { recursive: true, force: true });
    rmSync(secret, { force: true });
    throw error;
  }
}

function run(operator: Operator, program: string, args: string[], input = ''): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: '/',
      env: serverEnvironment(),
      stdio: ['pipe', 'pipe', 'pipe'],
      ...(operator.switchTo ?? {}),
    });
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    child.once('error', (error) => reject(new Error(`${basename(program)}: ${error.message}`)));
    child.once('close', (code) => {
      if (code === 0 && !/^\S+ (FATAL|ERROR|PANIC):/m.test(said)) return resolve();
      const words = said.trim().split('\n').slice(-3).join(' ');
      reject(new Error(`PostgreSQL's ${basename(program)} failed (${words}).`));
    });
  });
}

/** The path only: no PG* variable may redirect the server, no secret may reach it. */
function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
}

function lastWords(logPath: string): string {
  const lines = readOr(logPath).trim().split('\n');
  const fatal = lines.filter((line) => /FATAL|PANIC|cannot|could not|error/i.test(line));
  return (
    (fatal.at(-1) ?? lines.at(-1) ?? '').replace(/^.*?(FATAL|PANIC|LOG):\s*/, '') ||
    'no reason given'
  );
}

function readOr(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        resolve(typeof address === 'object' && address !== null ? address.port : 0),
      );
    });
  });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
