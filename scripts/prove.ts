// `npm run prove`: the batteries that `npm test` has no time for. Results go to docs/proof.md.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { startTestServer, TEST_URL_VARIABLE } from '../src/db/embedded/test-server.ts';
import { findBrowser, NO_BROWSER } from '../test/kit/chromium.ts';

const root = dirname(import.meta.dirname);

interface Battery {
  readonly name: string;
  readonly what: string;
  readonly files: readonly string[];
  readonly settings: Readonly<Record<string, string>>;
  /** True if some of its files open pages in a browser. */
  readonly browser?: boolean;
  /** True where its tests say a line each, which is shown. */
  readonly shown?: boolean;
  /** Its own, unless one is given: what it draws is a named sample. */
  readonly seed?: string;
}

const BATTERIES: readonly Battery[] = [
  {
    name: 'laws',
    what: '100,000 random histories on the pure core against a model, 40 of them on PostgreSQL too',
    files: ['test/laws/money.test.ts', 'test/laws/replay.pg.test.ts'],
    settings: { HOLDFAST_LAW_RUNS: '10000', HOLDFAST_LAW_REPLAYS: '40' },
  },
  {
    name: 'races',
    what: 'races over HTTP through two processes on one database, 1,000 callers, 5 rounds',
    files: [
      'test/races/escrow.test.ts',
      'test/races/dispute.test.ts',
      'test/races/money.test.ts',
      'test/races/http.test.ts',
      'test/races/accrual.test.ts',
      'test/races/events.test.ts',
      'test/races/late.test.ts',
      'test/races/payout.test.ts',
    ],
    settings: { HOLDFAST_PAYOUT_FLIPS: '2000', HOLDFAST_RACE_ROUNDS: '5' },
  },
  {
    name: 'processor',
    what: 'every scenario and test person as listed, each bad day of the processor at its length',
    files: [
      'test/prove/cards.test.ts',
      'test/prove/counterparties.test.ts',
      'test/prove/test-persons.test.ts',
      'test/faults/scripts.test.ts',
      'test/prove/statement.test.ts',
    ],
    settings: { HOLDFAST_SCRIPTS: 'full', HOLDFAST_SCRIPT_COUNT: '3' },
  },
  {
    name: 'going_live',
    what: 'the guide as it stands, four eyes, thirty days of production, moves, sales at Stripe',
    files: [
      ...['test/prove/going-live.test.ts', 'test/prove/thirty-days.test.ts'],
      'test/prove/four-eyes.test.ts',
      ...['test/prove/treasury.test.ts', 'test/prove/import.test.ts', 'test/prove/stripe.test.ts'],
    ],
    settings: {},
  },
  {
    name: 'kills',
    what: '200 kill -9 of server and database at random moments under load, and at exact points',
    files: [
      'test/faults/kill.test.ts',
      'test/faults/crash.test.ts',
      'test/prove/rotation.test.ts',
      'test/prove/sealers.test.ts',
    ],
    settings: { HOLDFAST_KILLS: '200', HOLDFAST_ROTATION_KILLS: '10' },
  },
  {
    name: 'wire',
    what: 'a recorded walk through every operation, byte for byte',
    files: ['test/prove/walk.test.ts'],
    settings: {},
  },
  {
    name: 'input',
    what: 'every wrong shape of every field of every operation',
    files: ['test/prove/bad-input.test.ts'],
    settings: {},
  },
  {
    name: 'faults',
    what: 'a database that falls silent or is frozen, and a process frozen in a transaction',
    files: ['test/prove/silence.test.ts'],
    settings: {},
  },
  {
    name: 'rolling',
    what: 'ten rolling stops of two processes under load, behind what a usual proxy does',
    files: ['test/prove/rolling.test.ts'],
    settings: {},
  },
  {
    name: 'browser',
    what: 'every screen in four looks for everybody, and payments in a browser that go wrong',
    files: [
      ...['test/prove/everybody.test.ts', 'test/prove/keyboard.test.ts'],
      ...['test/prove/once.test.ts', 'test/prove/hostile.test.ts', 'test/prove/told.test.ts'],
      ...['test/prove/cookies.test.ts', 'test/prove/ways.test.ts', 'test/prove/loader.test.ts'],
      ...['test/prove/shell.test.ts'],
    ],
    settings: { HOLDFAST_BROWSER: 'full' },
    browser: true,
  },
  {
    name: 'flows',
    what: 'every flow in a browser: identity, business, payout, history, 3-D Secure, apps, reviews',
    files: [
      ...['test/prove/kyc.test.ts', 'test/prove/kyb.test.ts', 'test/prove/payout.test.ts'],
      ...['test/prove/history.test.ts', 'test/prove/entry.test.ts'],
      ...['test/prove/challenge.test.ts', 'test/prove/leaving.test.ts'],
      ...['test/prove/client.test.ts', 'test/prove/native-app.test.ts'],
      ...['test/prove/review.test.ts', 'test/prove/company.test.ts', 'test/prove/shop.test.ts'],
    ],
    settings: {},
    browser: true,
  },
  {
    name: 'sandbox',
    what: 'the platform in tests of other projects, events in a terminal, races of copies, pages',
    files: [
      'test/prove/testing.test.ts',
      'test/prove/listen.test.ts',
      'test/prove/trigger.test.ts',
      'test/prove/counterparty.test.ts',
      'test/prove/workspace-races.test.ts',
      'test/prove/archived-workspaces.test.ts',
      'test/prove/testing-package.test.ts',
    ],
    settings: {},
    browser: true,
  },
  {
    name: 'planted',
    what: 'known defects of core, engine, ledger, outbox and lifecycles: each must fail its tests',
    files: ['test/prove/planted.test.ts'],
    settings: {},
    shown: true,
  },
  {
    name: 'clients',
    what: 'clients that two foreign generators make from the OpenAPI documents pay an invoice',
    files: ['test/prove/generators.test.ts'],
    settings: {},
  },
  {
    name: 'newcomer',
    what: 'every command of the documents in a clone where only `npm start` ran, walks one by one',
    files: [
      'test/prove/commands.test.ts',
      'test/prove/walks.test.ts',
      'test/prove/checkout.test.ts',
      'test/prove/packed.test.ts',
      'test/prove/ten-minutes.test.ts',
      'test/prove/release.test.ts',
    ],
    settings: {},
    browser: true,
  },
  {
    name: 'mutants',
    what: '500 changes in core, engine, ledger, machines and commands, each before its tests',
    files: ['test/prove/mutants.test.ts'],
    settings: { HOLDFAST_MUTANTS: '520', HOLDFAST_LAW_RUNS: '20' },
    seed: '1',
  },
];

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
const TOLD = /kill|surviv|racer|histor|charge|stops/i;
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
