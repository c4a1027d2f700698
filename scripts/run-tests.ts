// One test run: type check, lint, every test file on the newest PostgreSQL, and the database's own
// files again on the oldest supported one. Prints the seed and what was left out; in CI nothing may
// be left out.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { inspect } from 'node:util';
import type { Binaries } from '../src/db/embedded/binaries.ts';
import { untilAsked } from '../src/cli/shutdown.ts';
import {
  TEST_MAJOR_VARIABLE,
  TEST_URL_VARIABLE,
  oldestBinaries,
  startTestServer,
} from '../src/db/embedded/test-server.ts';
import { findBrowser, NO_BROWSER } from '../test/kit/chromium.ts';
import { unitFiles } from '../test/kit/unit-files.ts';

const root = dirname(import.meta.dirname);
// Most files are a process: they share what one has compiled.
process.env['NODE_COMPILE_CACHE'] ??= join(root, '.holdfast', 'compiled');
const inCi = /^(1|true)$/.test(process.env['CI'] ?? '');
const TEST_TIMEOUT_MS = 300_000;
/** Two per processor on a two-core machine: many tests mostly wait. */
const CONCURRENCY = 4;
/** Files listed at the end. */
const SLOWEST = 12;
const END_WITHIN_MS = 5_000;
/** A file that is ended writes its last results first: they would be lost with a full pipe. */
const WRITE_AT_ONCE = 'data:text/javascript,process.stdout._handle?.setBlocking?.(true)';

const interrupted = new AbortController();
let passed = 0;
let failed = 0;
/** What failed, told again at the end: long outputs are read from there. */
const failures: string[] = [];
const TOLD_OF_EACH = 700;
/** Milliseconds of each file. */
const took: (readonly [file: string, ms: number])[] = [];

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Reports a battery that could not run: in CI a failure, elsewhere one line. */
function leaveOut(line: string): void {
  say(`left out: ${line}`);
  if (inCi) failed += 1;
}

async function check(name: string, script: string, args: readonly string[]): Promise<void> {
  const started = Date.now();
  const child = spawn(process.execPath, [join(root, script), ...args], {
    cwd: root,
    stdio: ['ignore', 1, 2],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code === 0) passed += 1;
  else failed += 1;
  say(`${code === 0 ? '✔' : '✖'} ${name} (${Date.now() - started} ms)`);
}

async function runFiles(files: readonly string[]): Promise<void> {
  const stream = run({
    files: [...files],
    cwd: root,
    concurrency: CONCURRENCY,
    isolation: 'process',
    // A hanging test fails; a file whose tests have ended ends, whatever it left open.
    execArgv: [`--test-timeout=${TEST_TIMEOUT_MS}`, `--import=${WRITE_AT_ONCE}`],
    forceExit: true,
    signal: interrupted.signal,
  });
  let ran = 0;
  stream.on('test:fail', ({ name, file, details }) => {
    const why = inspect(details.error.cause ?? details.error).slice(0, TOLD_OF_EACH);
    failures.push(`✖ ${name} (${relative(root, file ?? root)})\n${why}`);
  });
  stream.on('test:summary', (summary) => {
    if (summary.file !== undefined) {
      took.push([relative(root, summary.file), summary.duration_ms]);
      return;
    }
    ran += summary.counts.tests;
    passed += summary.counts.passed;
    // A test that was skipped, or is still to be done, has not run.
    failed += summary.counts.tests - summary.counts.passed;
  });
  for await (const text of stream.compose(new spec())) process.stdout.write(String(text));
  if (ran === 0) {
    say('no test ran');
    failed += 1;
  }
}

/** Runs the files with a server of their own, named to them in the environment. */
async function onServer(files: readonly string[], binaries: Binaries | null): Promise<void> {
  const server = await startTestServer(binaries);
  process.env[TEST_URL_VARIABLE] = server.url;
  process.env[TEST_MAJOR_VARIABLE] = String(server.major);
  try {
    await runFiles(files);
  } finally {
    await server.stop();
  }
}

function findFiles(args: readonly string[]): string[] {
  if (args.length > 0) return args.map((file) => resolve(file));
  // These are imported by test/unit.test.ts.
  const units = new Set(unitFiles());
  return globSync('{src,test,client,shop,widget}/**/*.test.ts', { cwd: root })
    // `npm run prove` runs those, at their length.
    .filter((file) => !file.startsWith('test/prove/'))
    .map((file) => join(root, file))
    .filter((file) => !units.has(file))
    .toSorted();
}

function withoutBrowserTests(files: readonly string[]): string[] {
  const needing = files.filter((file) => relative(root, file).startsWith('test/browser/'));
  if (needing.length === 0) return [...files];
  if (findBrowser() !== null) return [...files];
  leaveOut(`${needing.length} files of browser tests: ${NO_BROWSER}`);
  return files.filter((file) => !needing.includes(file));
}

/** Ends the test processes with this one: on a signal, or when the start script is gone. */
async function endWhenAsked(): Promise<void> {
  say(await untilAsked(process.stdout));
  interrupted.abort();
  setTimeout(() => process.exit(1), END_WITHIN_MS);
}

async function main(): Promise<void> {
  void endWhenAsked();
  process.stdout.on('error', () => process.exit(1));
  const args = process.argv.slice(2);
  const seed = process.env['HOLDFAST_TEST_SEED'] || String(Math.floor(Math.random() * 2 ** 31));
  process.env['HOLDFAST_TEST_SEED'] = seed;
  say(`seed ${seed} (HOLDFAST_TEST_SEED=${seed} npm test repeats this run)`);
  if (args.length === 0) {
    await Promise.all([
      check('types', 'scripts/check.ts', []),
      check('lint', 'node_modules/oxlint/bin/oxlint', ['--quiet']),
    ]);
  } else say('files were named, so types and lint are not checked');
  const files = withoutBrowserTests(findFiles(args));
  await onServer(files, null);
  const again = files.filter((file) => file.endsWith('.pg.test.ts'));
  if (again.length === 0) return;
  const oldest = oldestBinaries();
  if (oldest === null) {
    leaveOut(`${again.length} files a second time, since there is no PostgreSQL 15 to 17 here`);
    return;
  }
  say(`\n${again.length} files again, on PostgreSQL ${oldest.major}:`);
  await onServer(again, oldest);
}

try {
  await main();
} catch (error) {
  process.stderr.write(
    `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  failed += 1;
}
if (failures.length > 0) say(`\n${failures.join('\n')}\n`);
const slowest = took.toSorted((one, other) => other[1] - one[1]).slice(0, SLOWEST);
say(slowest.map(([file, ms]) => `${(ms / 1_000).toFixed(1)} s ${file}`).join('\n'));
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
