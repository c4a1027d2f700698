// How a test process obtains the platform and keeps it: by an open connection to its supervisor
// (keeper.ts), which it starts if none runs. The connection does not keep the process alive, and
// ends with it.
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { cacheFolder, KEEPER, ROOT, serverEnvironment, serverNode, shortHash } from './places.ts';
import type { Ready } from './ready.ts';

/** Which platform is used, and how. */
export interface HoldOptions {
  /** False for a platform of its own. */
  readonly shared: boolean;
  /** Settings of the server; tests with equal settings share one. */
  readonly env: Readonly<Record<string, string>>;
  /** Milliseconds for everything. */
  readonly timeoutMs: number;
}

/** A platform in use. */
export interface Held {
  readonly ready: Ready;
  /** Why the platform is gone; null while it runs. */
  lost(): string | null;
  /** Releases it: the last release ends it. Waits for that end if the platform is not shared. */
  release(): Promise<void>;
}

/** How long a shared platform waits for the next test file. */
const LINGER_MS = 1_500;
const LOOK_EVERY_MS = 15;
const HELLO_WITHIN_MS = 2_000;
/** Supervisors that may end silently before we give up. */
const MOST_KEEPERS = 8;

/** The files of one supervisor, and how it is started. */
interface Place {
  readonly note: string;
  readonly log: string;
  readonly shared: boolean;
  readonly start: () => ChildProcess;
}

/** Obtains the platform, starting it if none runs. Throws a sentence that says what to do. */
export async function hold(options: HoldOptions): Promise<Held> {
  const deadline = Date.now() + options.timeoutMs;
  const place = await placeOf(options);
  let keeper: ChildProcess | null = null;
  for (let keepers = 0; keepers <= MOST_KEEPERS && Date.now() < deadline; ) {
    const line = existsSync(place.note) ? await callKeeper(place, deadline) : null;
    if (line !== null) return heldBy(line, place, keeper);
    if (keeper === null || keeper.exitCode !== null || keeper.signalCode !== null) {
      keeper = place.start();
      keepers += 1;
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  throw new Error(`The platform did not start in ${options.timeoutMs} ms. ${lastWords(place)}`);
}

async function placeOf({ shared, env }: HoldOptions): Promise<Place> {
  const { node, flags } = await serverNode();
  const folder = cacheFolder();
  const settings = Object.entries(env).toSorted().flat();
  const key = shared ? shortHash([ROOT, ...settings].join('\n')) : `own-${randomUUID()}`;
  const log = join(folder, `${key}.log`);
  const args = [KEEPER, folder, key, String(shared ? LINGER_MS : 0), ...flags];
  // What the server keeps between runs (programs, compiled sources) is here too.
  const kept = { HOLDFAST_DATA_DIR: folder, ...env };
  const start = (): ChildProcess => {
    const words = openSync(log, 'a', 0o600);
    const child = spawn(node, args, {
      cwd: folder,
      detached: true,
      stdio: ['ignore', words, words],
      env: serverEnvironment(kept),
    });
    closeSync(words);
    child.once('error', () => {});
    child.unref();
    return child;
  };
  return { note: join(folder, `${key}.json`), log, shared, start };
}

/** A connection to a supervisor, with what it sent. */
interface Line {
  readonly socket: Socket;
  readonly ready: Ready;
  failed: string | null;
}

/** Null if the file is old: nobody answers, or somebody else does. */
function callKeeper({ note }: Place, deadline: number): Promise<Line | null> {
  const { port, token } = readNote(note);
  return new Promise((resolve, reject) => {
    let line: Line | null = null;
    const socket = connect(port, '127.0.0.1', () => void socket.write(`${token}\n`));
    const giveUp = (): void => void socket.destroy();
    let patience = setTimeout(giveUp, HELLO_WITHIN_MS);
    const done = (): void => {
      clearTimeout(patience);
      resolve(line);
    };
    socket.on('error', () => {}).once('close', done);
    const lines = createInterface({ input: socket }).on('error', () => {});
    lines.on('line', (text) => {
      const { keeper, ready, failed } = said(text);
      clearTimeout(patience);
      if (keeper !== undefined) patience = setTimeout(giveUp, deadline - Date.now());
      if (failed !== undefined && line === null) reject(new Error(failed));
      if (failed !== undefined && line !== null) line.failed = failed;
      if (ready === undefined) return;
      line = { socket, ready, failed: null };
      socket.unref();
      done();
    });
  });
}

function readNote(note: string): { readonly port: number; readonly token: string } {
  try {
    return JSON.parse(readFileSync(note, 'utf8')) as { port: number; token: string };
  } catch {
    // Removed in between: nothing listens on port 0.
    return { port: 0, token: '' };
  }
}

interface Said {
  readonly keeper?: number;
  readonly ready?: Ready;
  readonly failed?: string;
}

function said(text: string): Said {
  try {
    return JSON.parse(text) as Said;
  } catch {
    return {};
  }
}

function heldBy(line: Line, place: Place, keeper: ChildProcess | null): Held {
  const { socket, ready } = line;
  return {
    ready,
    lost: () =>
      socket.destroyed ? (line.failed ?? `The platform was stopped. ${lastWords(place)}`) : null,
    async release() {
      socket.destroy();
      if (place.shared || keeper === null || keeper.exitCode !== null) return;
      keeper.ref();
      await new Promise((resolve) => keeper.once('exit', resolve));
    },
  };
}

function lastWords({ log }: Place): string {
  if (!existsSync(log)) return 'It printed nothing.';
  const words = readFileSync(log, 'utf8').trim().split('\n').slice(-5).join(' ');
  return `Its last output: ${words || 'none'} (${log})`;
}
