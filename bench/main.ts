// `npm run bench`: starts its own PostgreSQL server and the platform on it, runs the chosen parts,
// prints the table and writes the generated block of docs/performance.md. Exit code 0 for a sound
// run, 1 for one with faults; a missed target is for the reader to judge.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { flushMilliseconds } from './disk.ts';
import { Figures } from './figures.ts';
import { grownPart } from './grown.ts';
import { listsPart } from './lists.ts';
import { readOptions, USAGE, type Options, type Part } from './options.ts';
import { matchingPart } from './matching.ts';
import {
  calibratePart,
  delayPart,
  escrowPart,
  filledPart,
  latencyPart,
  startPart,
  throughputPart,
  twoPart,
} from './parts.ts';
import { pairedLines, pairedPart } from './paired.ts';
import { findBrowser, NO_BROWSER } from '../test/kit/chromium.ts';
import { prepareYardstick } from './pgbench.ts';
import { findBinaries, NO_BINARIES, startPostgres } from './postgres.ts';
import { profileLines, resetStatements, statementLines } from './profile.ts';
import { conditionLines, machineConditions, terminalTable, writePage, writeRaw } from './report.ts';
import type { Conditions } from './report.ts';
import { sandboxPart } from './sandbox.ts';
import { closeSite, measure, openSite } from './site.ts';
import type { Desk, Run, Site } from './site.ts';
import { soakPart } from './soak.ts';
import { tenPart } from './ten-minutes.ts';
import { testingPart } from './testing.ts';
import { widgetPart } from './widget.ts';

const ROOT = join(import.meta.dirname, '..');
const AGAINST_YARDSTICK = ['spread', 'hot', 'fee', 'escrow', 'delay'] as const;
const ON_ONE_SITE = [...AGAINST_YARDSTICK, 'two', 'latency'] as const;
const NEED_DATABASE = [...ON_ONE_SITE, 'filled', 'matching', 'sandbox'] as const;

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Runs `work` on a new site and always closes it. */
async function onSite(
  run: Run,
  database: string,
  work: (site: Site) => Promise<void>,
): Promise<void> {
  const site = await openSite(run, database);
  try {
    await measure(run, site, { label: 'warming up', seconds: 3 });
    await work(site);
  } finally {
    await closeSite(run, site);
  }
}

/** The parts that load the same platform. */
async function mainSiteParts(run: Run, site: Site): Promise<void> {
  const { parts } = run.options;
  if (parts.has('spread') || parts.has('hot') || parts.has('fee')) await throughputPart(run, site);
  if (parts.has('escrow')) await escrowPart(run, site);
  if (parts.has('delay')) await delayPart(run, site);
  if (parts.has('latency')) await latencyPart(run, site);
  if (parts.has('two')) await twoPart(run, site);
}

/** One load under the profilers, and their result. */
async function profileLoad(run: Run): Promise<void> {
  const { parts } = run.options;
  const sale = parts.has('fee') ? 'fee' : parts.has('escrow') ? 'escrow' : 'plain';
  let window: readonly [number, number] = [0, 0];
  let statements: string[] = [];
  await onSite(run, 'bench', async (site) => {
    await resetStatements(run.postgres, 'bench');
    const load = await measure(run, site, { label: 'profiled', hot: parts.has('hot'), sale });
    window = load.window;
    statements = await statementLines(run.postgres, 'bench');
  });
  const text = [...profileLines(join(run.folder, 'profile'), window), ...statements];
  process.stdout.write(`${text.join('\n')}\n`);
}

/** The parts that need a database server; returns its version. */
async function databaseParts(desk: Desk): Promise<string> {
  const { paired, grown, lists, soak, parts, peers, profile, folder } = desk.options;
  const postgres = await startPostgres(folder, profile);
  const run: Run = { ...desk, postgres };
  try {
    if (profile) {
      await profileLoad(run);
      return postgres.version;
    }
    if (paired !== null) await pairedPart(run, paired);
    if (grown) await grownPart(run);
    if (lists) await listsPart(run);
    if (soak !== null) await soakPart(run, soak);
    if (AGAINST_YARDSTICK.some((part) => parts.has(part))) {
      await prepareYardstick(postgres, 'pgbench');
      if (peers) await prepareYardstick(postgres, 'peers');
    }
    if (ON_ONE_SITE.some((part) => parts.has(part))) {
      await onSite(run, 'bench', (site) => mainSiteParts(run, site));
    }
    if (parts.has('filled')) await filledPart(run);
    if (parts.has('matching')) await matchingPart(run);
    if (parts.has('sandbox')) await sandboxPart(run);
    return postgres.version;
  } finally {
    await postgres.stop();
  }
}

/** Prints the table, stores the raw results, and writes the page if the options say so. */
function report(desk: Desk, postgres: string, flushMs: number): void {
  const { options, figures } = desk;
  const conditions: Conditions = {
    ...machineConditions(ROOT),
    postgres,
    flushMs,
    connections: options.connections,
    peers: options.peers,
    rounds: options.rounds,
    seconds: options.seconds,
    stored: options.stored,
  };
  process.stdout.write(`${conditionLines(conditions).join('\n')}\n\n${terminalTable(figures)}\n`);
  say(`raw results: ${writeRaw(ROOT, { conditions, figures: figures.all() })}`);
  if (options.write) writePage(ROOT, figures, conditions);
}

type Need = readonly [parts: readonly Part[], find: () => string | null, lacking: string];
const NEEDS: readonly Need[] = [
  [NEED_DATABASE, findBinaries, NO_BINARIES],
  [['widget'], findBrowser, NO_BROWSER],
];

/** What this machine lacks for a part, as one sentence before any begins; null: nothing. */
function obstacle({ parts }: Options): string | null {
  if (parts.size === 0 && findBinaries() === null) return NO_BINARIES;
  for (const [needing, find, lacking] of NEEDS) {
    const names = needing.filter((part) => parts.has(part));
    if (names.length === 0 || find() !== null) continue;
    const others = [...parts].filter((part) => !needing.includes(part)).join();
    const rest = others === '' ? '' : ` \`npm run bench -- --only ${others}\` measures the rest.`;
    return `${names.join()} cannot be measured: ${lacking}${rest}`;
  }
  return null;
}

async function main(options: Options): Promise<number> {
  const { parts } = options;
  const folder = mkdtempSync(join(options.folder, 'holdfast-bench-run-'));
  const desk: Desk = { options, figures: new Figures(), folder, say };
  // The profile stays: its path is printed, and other tools can open it.
  const tidy = (): void => {
    if (!options.profile) rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', tidy);
  const flushMs = flushMilliseconds(options.folder);
  if (parts.has('calibrate')) await calibratePart(desk);
  // A comparison or a soak has no parts, and prints its own lines.
  const needed = parts.size === 0 || NEED_DATABASE.some((part) => parts.has(part));
  const postgres = needed ? await databaseParts(desk) : 'not started';
  if (parts.has('start')) await startPart(desk, ROOT);
  if (parts.has('widget')) await widgetPart(desk);
  if (parts.has('testing')) await testingPart(desk);
  if (parts.has('ten')) await tenPart(desk);
  if (options.paired !== null) process.stdout.write(`${pairedLines(desk.figures).join('\n')}\n`);
  else if (parts.size > 0 && !options.profile) report(desk, postgres, flushMs);
  return desk.figures.rounds('faults').some((faults) => faults > 0) ? 1 : 0;
}

/** The requested run; null after printing why the options are invalid. */
function readRequest(): Options | null {
  try {
    const options = readOptions(process.argv.slice(2), join(ROOT, 'src', 'main.ts'));
    const why = obstacle(options);
    if (why === null) return options;
    say(`holdfast: ${why}`);
  } catch (error) {
    say(`holdfast: ${(error as Error).message}`);
  }
  return null;
}

if (process.argv.includes('--help')) {
  process.stdout.write(`${USAGE}\n`);
} else {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => process.exit(130));
  }
  try {
    const options = readRequest();
    process.exitCode = options === null ? 2 : await main(options);
  } catch (error) {
    say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    // A platform that the failed part left running would keep this process alive.
    process.exit(2);
  }
}
