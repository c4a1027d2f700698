// A scratch copy of the tree with a PostgreSQL server of its own: plants one edit in a file, runs
// named test files there until one fails, and takes the edit back. The packages are a link, and
// nothing is ever written through it.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { Database } from '../../src/db/index.ts';
import {
  startTestServer,
  TEST_URL_VARIABLE,
  type TestServer,
} from '../../src/db/embedded/test-server.ts';

const ROOT = dirname(dirname(import.meta.dirname));
/** A file that takes longer never ends, unless it was measured. */
const LIMIT_MS = 120_000;
/** Untouched it is long, and ends. */
const UNTOUCHED_MS = 600_000;
/** A busy machine takes longer than it did when it was measured. */
const [TIMES, MORE_MS] = [5, 20_000];

/** A signal ends what was started as well, also a change that never ends by itself. */
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => process.exit(1));
}

/** One change of one file; `from` stands there once, or at the offset that is given. */
export interface Edit {
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly at?: number;
}

/** One test file, and how long it may take. */
export interface TestFile {
  readonly file: string;
  readonly limitMs?: number;
}

/** A test file, and how long it takes untouched. */
export interface Measured extends TestFile {
  readonly ms: number;
}

/** `killed` by a test that failed or a process that crashed; `timed out` is killed as well. */
export interface Outcome {
  readonly end: 'killed' | 'timed out' | 'survived';
  /** The test file that noticed. */
  readonly by: string | null;
  /** The first test that failed, or what the process said last. */
  readonly how: string;
}

export const SURVIVED: Outcome = { end: 'survived', by: null, how: '' };

export class Scratch {
  readonly folder: string;
  readonly #server: TestServer;

  private constructor(folder: string, server: TestServer) {
    this.folder = folder;
    this.#server = server;
  }

  /** Copies what git lists; the server ends with this process at the latest. */
  static async open(): Promise<Scratch> {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'holdfast-scratch-')));
    for (const file of listed()) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      cpSync(join(ROOT, file), join(folder, file));
    }
    symlinkSync(realpathSync(join(ROOT, 'node_modules')), join(folder, 'node_modules'));
    return new Scratch(folder, await startTestServer(null));
  }

  /** Makes the change and gives what takes it back. */
  plant(edit: Edit): () => void {
    const path = join(this.folder, edit.file);
    const inside = realpathSync(path).startsWith(this.folder + sep);
    assert.ok(inside, `${edit.file} is not a file of the copy`);
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, changed(text, edit));
    return () => writeFileSync(path, text);
  }

  /** Plants the change, runs the files in this order up to the first that fails, takes it back. */
  async attempt(edit: Edit, files: readonly TestFile[]): Promise<Outcome> {
    const takeBack = this.plant(edit);
    try {
      for (const file of files) {
        const outcome = await this.run(file);
        if (outcome.end !== 'survived') return outcome;
      }
      return SURVIVED;
    } finally {
      takeBack();
    }
  }

  /** Runs one test file up to its first failure; `env` adds to the environment. */
  async run(test: TestFile, env: Readonly<Record<string, string>> = {}): Promise<Outcome> {
    const flags = ['--test-force-exit', '--test-reporter=tap', '--no-warnings'];
    const child = spawn(process.execPath, [...flags, test.file], {
      cwd: this.folder,
      // A group of its own: what the file started ends with it.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        NODE_COMPILE_CACHE: join(this.folder, '.compiled'),
        [TEST_URL_VARIABLE]: this.#server.url,
        // A file that believes it runs inside another runner would report to that one.
        NODE_TEST_CONTEXT: undefined,
        ...env,
      },
    });
    let cut: Outcome | null = null;
    let output = '';
    const stop = (outcome: Outcome): void => {
      cut ??= outcome;
      killGroup(child.pid);
    };
    const heard = (piece: Buffer): void => {
      output += piece.toString();
      const failed = /^\s*not ok \d+ - (.*)\n/m.exec(output)?.[1];
      if (failed !== undefined) stop({ end: 'killed', by: test.file, how: failed });
    };
    child.stdout.on('data', heard);
    child.stderr.on('data', heard);
    const over = { end: 'timed out', by: test.file, how: 'it did not end' } as const;
    const timer = setTimeout(() => stop(over), test.limitMs ?? LIMIT_MS);
    const orphan = (): void => killGroup(child.pid);
    process.once('exit', orphan);
    const code = await new Promise((resolve) => child.once('close', resolve));
    clearTimeout(timer);
    process.off('exit', orphan);
    killGroup(child.pid);
    if (cut !== null) await this.#dropDatabases();
    if (cut !== null) return cut;
    if (code === 0 && /^# pass [1-9]/m.test(output)) return SURVIVED;
    return { end: 'killed', by: test.file, how: output.trim().split('\n').at(-1) ?? '' };
  }

  /** Runs a file on the untouched copy; one that fails by itself can tell nothing. */
  async measured(file: string, env: Readonly<Record<string, string>> = {}): Promise<Measured> {
    const started = performance.now();
    const { end, how } = await this.run({ file, limitMs: UNTOUCHED_MS }, env);
    assert.equal(end, 'survived', `${file} fails on the untouched tree: ${how}`);
    const ms = Math.round(performance.now() - started);
    return { file, ms, limitMs: ms * TIMES + MORE_MS };
  }

  async close(): Promise<void> {
    await this.#server.stop();
    // Removes the link itself, never what it leads to.
    rmSync(join(this.folder, 'node_modules'));
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** A file that was cut short leaves its databases; the server is ours alone. */
  async #dropDatabases(): Promise<void> {
    const admin = new Database({ url: this.#server.url, max: 1 });
    const rows = await admin.query<{ datname: string }>({
      text: `select datname from pg_database where datname like 'test\\_%'`,
    });
    for (const { datname } of rows) {
      await admin.execute(`drop database if exists ${datname} with (force)`);
    }
    await admin.close();
  }
}

/** The files that git knows or would take up. */
function listed(): string[] {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { stdout, status } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' });
  assert.equal(status, 0, 'git lists the files of the checkout');
  return stdout.split('\0').filter((file) => file !== '' && existsSync(join(ROOT, file)));
}

/** The text with the change; a change that does not fit is an error, never a survivor. */
export function changed(text: string, { file, from, to, at }: Edit): string {
  const places = text.split(from).length - 1;
  const offset = at ?? text.indexOf(from);
  if (at === undefined) assert.equal(places, 1, `${file} holds "${from}" ${places} times`);
  const there = text.slice(offset, offset + from.length);
  assert.equal(there, from, `${file} does not hold "${from}" at ${offset}`);
  assert.notEqual(from, to, `${file}: the change changes nothing`);
  return text.slice(0, offset) + to + text.slice(offset + from.length);
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // The group has ended by itself.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
