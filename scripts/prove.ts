// `npm run prove`: the batteries that `npm test` has no time for. Results go to docs/proof.md.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { startTestServer, TEST_URL_VARIABLE } from '../src/db/embedded/test-server.ts';
import { findBrowser, findFirefox, NO_BROWSER, NO_FIREFOX } from '../test/kit/chromium.ts';
import { BATTERIES, type Battery } from './batteries.ts';
import { notesOf, proofPage, type Commit, type Result } from './proof-page.ts';

const root = dirname(import.meta.dirname);

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function refuse(sentence: string): never {
  process.stderr.write(`holdfast: ${sentence}\n`);
  process.exit(1);
}

/** Runs one battery on a fresh server; `#` lines of its tests are kept as notes. */
async function prove(battery: Battery, seed: string): Promise<Result> {
  const server = await startTestServer(null);
  const started = performance.now();
  const args = ['--test', '--test-reporter=tap', '--test-concurrency=1', ...battery.files];
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      ...battery.settings,
      HOLDFAST_TEST_SEED: seed,
      [TEST_URL_VARIABLE]: server.url,
    },
  });
  let output = '';
  child.stdout.on('data', (piece: Buffer) => (output += piece.toString()));
  await new Promise((resolve) => child.once('close', resolve));
  await server.stop();
  const count = (word: string): number =>
    Number(new RegExp(`^# ${word} (\\d+)$`, 'm').exec(output)?.[1] ?? 0);
  const passed = count('pass');
  // A skipped test, and a battery without tests, has not run.
  const failed = Math.max(count('tests'), 1) - passed;
  if (failed > 0) say(output);
  const lines = output.split('\n');
  if (battery.shown === true) lines.filter((line) => line.startsWith(SAID)).forEach(say);
  const seconds = Math.round((performance.now() - started) / 1000);
  return { battery, seed, passed, failed, seconds, notes: notesOf(output) };
}

/** How a line begins that a test said by itself, indented. */
const SAID = '#   ';

/** What is checked out. */
function commit(): Commit {
  const asked = ['log', '-1', '--format=%h %cs'];
  const said = spawnSync('git', asked, { cwd: root, encoding: 'utf8' }).stdout.trim();
  const [hash = '', date = ''] = said.split(' ');
  return { hash, date };
}

/** When and where this run is. */
function lastRun(): string {
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  const machine = `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores, ${memory}`;
  return `${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${machine}`;
}

const given = process.env['HOLDFAST_TEST_SEED'] || null;
const seed = given ?? String(Math.floor(Math.random() * 2 ** 31));
const wanted = process.argv.slice(2);
const unknown = wanted.find((word) => !BATTERIES.some(({ name }) => name === word));
const chosen = BATTERIES.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
if (unknown !== undefined) {
  const names = BATTERIES.map(({ name }) => name).join(', ');
  refuse(`there is no battery ${unknown}; there are ${names}.`);
}
const sighted = chosen.filter(({ browser }) => browser === true).map(({ name }) => name);
if (sighted.length > 0 && findBrowser() === null) {
  refuse(`${sighted.join(', ')} cannot be proved: ${NO_BROWSER}`);
}
say(`seed ${seed} (HOLDFAST_TEST_SEED=${seed} npm run prove repeats this run)`);
const results: Result[] = [];
for (const battery of chosen) {
  if (battery.firefox === true && findFirefox() === null) {
    // Beside others it is left out; alone, or where nothing may be, it is a failure.
    if (chosen.length === 1 || process.env['CI'] === 'true') refuse(NO_FIREFOX);
    say(`left out: ${battery.name}: ${NO_FIREFOX}`);
    continue;
  }
  say(`${battery.name}: ${battery.what} ...`);
  const result = await prove(battery, given ?? battery.seed ?? seed);
  say(`  ${result.passed} passed, ${result.failed} failed, ${result.seconds} s`);
  results.push(result);
}
const path = join(root, 'docs/proof.md');
const about = { commit: commit(), lastRun: lastRun() };
writeFileSync(path, proofPage(readFileSync(path, 'utf8'), results, about));
const sum = (of: 'passed' | 'failed'): number => results.reduce((all, one) => all + one[of], 0);
say(`${sum('passed')} passed, ${sum('failed')} failed`);
process.exit(sum('failed') === 0 && results.length > 0 ? 0 : 1);
