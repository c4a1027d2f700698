// `npm run prove`: the batteries that `npm test` has no time for. Results go to docs/proof.md.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { startTestServer, TEST_URL_VARIABLE } from '../src/db/embedded/test-server.ts';
import { findBrowser, findFirefox, NO_BROWSER, NO_FIREFOX } from '../test/kit/chromium.ts';
import { BATTERIES, type Battery } from './batteries.ts';

const root = dirname(import.meta.dirname);

interface Result {
  readonly battery: Battery;
  readonly seed: string;
  readonly passed: number;
  readonly failed: number;
  readonly seconds: number;
  readonly notes: readonly string[];
}

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
  const notes = lines
    .filter((line) => /^# (?!Subtest|\s)/.test(line) && TOLD.test(line))
    .map((line) => line.slice(2).trim().slice(0, NOTE));
  return { battery, seed, passed, failed, seconds, notes };
}

/** What of a battery's lines is kept, and how much of one. */
const TOLD = /kill|surviv|racer|histor|charge|stops|served|doubled/i;
const NOTE = 240;
/** How a line begins that a test said by itself, indented. */
const SAID = '#   ';

/** The lines of a battery: its row, and its notes. */
function linesOf({ battery, seed, passed, failed, seconds, notes }: Result): string[] {
  const asked = ['rev-parse', '--short', 'HEAD'];
  const commit = spawnSync('git', asked, { cwd: root, encoding: 'utf8' }).stdout.trim();
  const { name, what } = battery;
  const row = `| ${name} | ${what} | ${passed} | ${failed} | ${seconds} | ${commit} | ${seed} |`;
  return [row, ...notes.map((note) => `- ${name}: ${note}`)];
}

/** The page with the lines of what ran; other batteries' lines stay. */
function page(before: string, results: readonly Result[]): string {
  const machine = `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores, ${Math.round(
    totalmem() / 2 ** 30,
  )} GB`;
  const old = before.split('\n');
  const lines = BATTERIES.flatMap(({ name }) => {
    const result = results.find(({ battery }) => battery.name === name);
    if (result !== undefined) return linesOf(result);
    return old.filter((line) => line.startsWith(`| ${name} |`) || line.startsWith(`- ${name}:`));
  });
  return `# Proof

The last results of \`npm run prove\`, which writes this page; \`npm run prove laws\` runs one
battery and replaces its lines. Each ends with the laws of the books as queries; one wrong cent
fails it.

${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${machine}.

| Battery | What it does | Passed | Failed | Seconds | Commit | Seed |
| :-- | :-- | --: | --: | --: | :-- | :-- |
${lines.filter((line) => line.startsWith('|')).join('\n')}

${lines.filter((line) => line.startsWith('-')).join('\n')}
`;
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
writeFileSync(path, page(readFileSync(path, 'utf8'), results));
const sum = (of: 'passed' | 'failed'): number => results.reduce((all, one) => all + one[of], 0);
say(`${sum('passed')} passed, ${sum('failed')} failed`);
process.exit(sum('failed') === 0 && results.length > 0 ? 0 : 1);
