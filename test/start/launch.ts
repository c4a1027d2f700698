// Starts and stops real processes of the two commands, in an environment free of the test run's own
// variables and in copies of the checkout, and leaves no process behind.
import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { patiently, tree, writtenBy } from './patience.ts';

export { patiently, tree } from './patience.ts';

/** This checkout. */
export const CHECKOUT = resolve(import.meta.dirname, '../..');

/** What to start, and where. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly account?: { readonly uid: number; readonly gid: number };
}

/** A started process and what it has said so far. */
export interface Launched {
  readonly child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Its exit code, or the name of the signal that ended it. */
  readonly ended: Promise<number | string>;
  /** Waits for the first line on stdout and gives it parsed; fails as `said` does. */
  ready(): Promise<Record<string, unknown>>;
  /**
   * Waits until this stands on stdout; fails when the process ends before, or stands still: nothing
   * is printed and nothing written, by it or what it started.
   */
  said(text: string): Promise<void>;
}

const launched = new Set<ChildProcess>();

/** Starts a process. */
export function launch(order: Launch): Launched {
  const child = spawn(order.command, order.args, {
    cwd: order.cwd ?? CHECKOUT,
    env: { ...cleanEnvironment(), ...order.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...order.account,
  });
  launched.add(child);
  let out = '';
  let err = '';
  child.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const ended = new Promise<number | string>((done) => {
    child.once('error', (error) => done(error.message));
    child.once('close', (code, signal) => done(code ?? signal ?? 'gone'));
  });
  void ended.then(() => launched.delete(child));
  const progress = (): string => `${out.length} ${err.length} ${writtenBy(tree(child.pid ?? 0))}`;
  const said = async (text: string): Promise<void> => {
    const over = (): boolean => child.exitCode !== null || child.signalCode !== null;
    await patiently(() => out.includes(text) || over(), progress);
    if (!out.includes(text)) throw new Error(`not ready: ${err}`);
  };
  return {
    child,
    stdout: () => out,
    stderr: () => err,
    ended,
    said,
    async ready() {
      await said('\n');
      return JSON.parse(out.slice(0, out.indexOf('\n'))) as Record<string, unknown>;
    },
  };
}

/** `npm start --silent -- --json` with more options, keeping its data in `dataDir`. */
export function npmStart(
  dataDir: string | null,
  options: readonly string[],
  more: Partial<Launch> = {},
): Launched {
  return launch({
    command: 'npm',
    args: ['start', '--silent', '--', '--json', ...options],
    ...more,
    env: { ...(dataDir === null ? {} : { HOLDFAST_DATA_DIR: dataDir }), ...more.env },
  });
}

/** Ends what a failed test may have left. Everything below a start script ends with it. */
export function endAll(): void {
  for (const child of launched) child.kill('SIGKILL');
}

/** Asks the process alone to end, and gives its exit code. */
export async function terminate(started: Launched): Promise<number | string> {
  started.child.kill('SIGTERM');
  return started.ended;
}

/** Waits until none of the processes runs; false when they stand still instead. */
export function allGone(pids: readonly number[]): Promise<boolean> {
  const left = (): number[] => pids.filter((pid) => runs(pid));
  return patiently(
    () => left().length === 0,
    () => `${left().join()} ${writtenBy(left())}`,
  );
}

function runs(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) !== 'Z';
  } catch {
    return false;
  }
}

/** A temporary folder that every account may enter. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-start-'));
  spawnSync('chmod', ['755', folder]);
  return folder;
}

/** Removes a folder, and what a root server had to keep elsewhere for a data directory in it. */
export function remove(folder: string): void {
  for (const pointer of readPointers(folder)) {
    const place = readFileSync(pointer, 'utf8').trim();
    if (/\/holdfast\/[0-9a-f]{12}-[0-9a-f]{8}\/postgres-\d+$/.test(place)) {
      rmSync(resolve(place, '..'), { recursive: true, force: true });
    }
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

function readPointers(folder: string): string[] {
  const names = ['.holdfast', 'checkout/.holdfast', 'home/checkout/.holdfast'];
  return names
    .map((name) => join(folder, name, 'staging/postgres-18.location'))
    .filter((file) => existsSync(file));
}

/**
 * Copies the checkout without what is made in it; node_modules comes as hard links, which cost
 * nothing.
 */
export function copyCheckout(target: string): void {
  const skipped = new Set(['node_modules', '.git', '.holdfast', 'dist', '.screens']);
  cpSync(CHECKOUT, target, {
    recursive: true,
    filter: (source) => !skipped.has(basename(source)) || source === CHECKOUT,
  });
  linkTree(join(CHECKOUT, 'node_modules'), join(target, 'node_modules'));
}

/** A copy of a tree by hard links, or by bytes across file systems; never a link to the tree. */
export function linkTree(from: string, target: string): void {
  const source = realpathSync(from);
  if (spawnSync('cp', ['-al', source, target], { stdio: 'ignore' }).status === 0) return;
  rmSync(target, { recursive: true, force: true });
  const copied = spawnSync('cp', ['-a', source, target], { encoding: 'utf8' });
  if (copied.status !== 0) throw new Error(copied.stderr);
}

/** The first port of a block that is free now, below the ports that systems hand out themselves. */
export async function freeBlock(): Promise<number> {
  for (;;) {
    const base = 20_000 + Math.floor(Math.random() * 600) * 20;
    if (!(await isFree(base + CLAIM, true))) continue;
    const free = await Promise.all(Array.from({ length: 14 }, (_, at) => isFree(base + at)));
    if (free.every(Boolean)) return base;
  }
}

/** Its last port stays taken while this process lives, so that no other test has the same block. */
const CLAIM = 19;

function isFree(port: number, keep = false): Promise<boolean> {
  return new Promise((done) => {
    const probe = createServer();
    probe.once('error', () => done(false));
    probe.listen(port, '127.0.0.1', () => {
      if (!keep) probe.close(() => done(true));
      else done(probe.unref() === probe);
    });
  });
}

/** The environment without npm's, the test run's and our own variables. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const own = /^(npm_|HOLDFAST_|NODE_TEST|NODE_OPTIONS$|DATABASE_URL$|INIT_CWD$|PG|NODE_ENV$)/;
  const others = Object.entries(process.env).filter(([name]) => !own.test(name));
  // No balancer stands in front of what a test stops.
  return { ...Object.fromEntries(others), HOLDFAST_DRAIN_MS: '0' };
}

/** The process id of npm itself. */
export function pidOf({ child }: Launched): number {
  if (child.pid === undefined) throw new Error('it did not start');
  return child.pid;
}
