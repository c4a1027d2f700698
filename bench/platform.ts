// Starts the platform under load as a user would: `start --json`, then the ready line [G-02].
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Address } from './plan.ts';

/** The flags that `npm start` gives to the server's Node: those of the program's own checkout. */
function serverFlags(program: string): readonly string[] {
  const own = join(dirname(program), '../scripts/setup/server-flags.json');
  const ours = join(import.meta.dirname, '../scripts/setup/server-flags.json');
  return JSON.parse(readFileSync(existsSync(own) ? own : ours, 'utf8')) as readonly string[];
}

/** Where the program of a checkout keeps what Node compiled of it. */
function compiledOf(program: string): string {
  return join(dirname(program), '../.holdfast/compiled');
}

/** The part of the ready line that the bench reads. */
export interface Ready {
  readonly urls: Readonly<Record<string, string>>;
  readonly client: { readonly client_id: string; readonly client_secret: string };
}

/** How a platform process is started. */
export interface PlatformOptions {
  /** The program: `src/main.ts` of this checkout or a stand-in. */
  readonly program: string;
  readonly databaseUrl: string | null;
  readonly portBase: number;
  /** Folder for what the platform stores beside the database. */
  readonly dataFolder: string;
  /** Arguments for node itself, such as its profiler's. */
  readonly nodeArguments?: readonly string[];
}

/** A running platform process. */
export interface Platform {
  readonly pid: number;
  readonly ready: Ready;
  /** Milliseconds from spawn to the ready line. */
  readonly startMs: number;
  /** Its last output on stderr. */
  log(): string;
  /** SIGTERM, and SIGKILL after 20 seconds. Returns the exit code, or the signal that ended it. */
  stop(): Promise<number | string>;
}

const START_LIMIT_MS = 120_000;
const STOP_LIMIT_MS = 20_000;
const LOG_KEPT = 8000;

/** The ready line in a process's output; rejects if it ends or stays silent too long. */
export function readyLine(child: ChildProcess, log: () => string): Promise<Ready> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(
      () => reject(new Error(`no ready line within ${START_LIMIT_MS / 1000} s: ${log()}`)),
      START_LIMIT_MS,
    );
    if (child.stdout === null) throw new Error('stdout is not piped');
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (!line.startsWith('{')) return;
      clearTimeout(late);
      resolve(JSON.parse(line) as Ready);
    });
    child.once('error', reject);
    child.once('exit', (code) => {
      clearTimeout(late);
      reject(new Error(`the platform ended with code ${code} before it was ready: ${log()}`));
    });
  });
}

/** Ends a process by SIGTERM, then SIGKILL. */
export async function stopProcess(child: ChildProcess): Promise<number | string> {
  if (child.exitCode !== null) return child.exitCode;
  if (child.signalCode !== null) return child.signalCode;
  const ended = new Promise<number | string>((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  const how = await ended;
  clearTimeout(late);
  return how;
}

/** Keeps a child's last stderr output, for error messages. */
export function keepLog(child: ChildProcess): () => string {
  let log = '';
  child.stderr?.on('data', (piece: Buffer) => {
    log = (log + piece.toString()).slice(-LOG_KEPT);
  });
  return () => log;
}

/** Environment of a platform: this process's own, with database and folder set. */
export function platformEnvironment(options: PlatformOptions): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = {
    ...process.env,
    HOLDFAST_DATA_DIR: options.dataFolder,
    // Sandbox-only work must not be measured as the product's speed.
    HOLDFAST_REQUEST_NOTES: 'off',
    // No load balancer stands in front.
    HOLDFAST_DRAIN_MS: '0',
  };
  delete environment['DATABASE_URL'];
  // The pipe to whoever started the bench is not the platform's.
  delete environment['HOLDFAST_LIFELINE_FD'];
  if (options.databaseUrl !== null) environment['DATABASE_URL'] = options.databaseUrl;
  return environment;
}

/** Starts a platform and waits until it is ready. */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const args = [...serverFlags(options.program), ...(options.nodeArguments ?? [])];
  args.push(options.program, 'start', '--json');
  args.push('--port-base', String(options.portBase));
  const started = performance.now();
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    // As `npm start` sets it.
    env: { NODE_COMPILE_CACHE: compiledOf(options.program), ...platformEnvironment(options) },
  });
  const log = keepLog(child);
  process.once('exit', () => child.kill('SIGKILL'));
  const ready = await readyLine(child, log).catch(async (error: unknown) => {
    await stopProcess(child);
    throw error;
  });
  const startMs = performance.now() - started;
  return { pid: child.pid ?? 0, ready, startMs, log, stop: () => stopProcess(child) };
}

/** Where a host of the ready line listens. */
export function addressOf(ready: Ready, host: string): Address {
  const url = new URL(ready.urls[host] ?? '');
  return { host: url.hostname, port: Number(url.port === '' ? 80 : url.port) };
}
