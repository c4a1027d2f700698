// `holdfast start`: starts the database, then the system, and stops both in reverse when told to.
// With --json exactly one line goes to stdout [G-02]. The stop ends within 15 seconds.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { openDirectory, startEmbedded, sweepAfter } from '../db/embedded/index.ts';
import type { StartArguments, StartPlan } from './arguments.ts';
import { DEFAULT_PORT_BASE, planStart } from './arguments.ts';
import type { CommandContext } from './context.ts';
import { banner } from './banner.ts';
import type { DatabaseUrls } from './database.ts';
import { leaveNote } from './discovery.ts';

// After the drain; a process supervisor expects the end within this time.
const STOP_WITHIN_MS = 13_000;

/** Adds the command `start`, which is also the default. */
export function addStart(program: Command, context: CommandContext): void {
  program
    .command('start', { isDefault: true })
    .description('start all hosts and workers, on the embedded database or on DATABASE_URL')
    .option('--json', 'print only one line of JSON on stdout when ready')
    .option('--ephemeral', 'use a temporary data directory and remove it at the end')
    .option('--port-base <port>', `first port of the hosts (default ${DEFAULT_PORT_BASE})`)
    .option('--forward-to <url>', "deliver the sandbox tenant's events to this URL")
    .option('--no-outbound', 'send nothing to the outside; for testing a restored backup')
    .option('--env <name>', 'staging (default) or production; also HOLDFAST_ENV')
    .allowExcessArguments(false)
    .action(async (given: StartArguments) => {
      await start(planStart(given, context.environment, context.home), context);
    });
}

const NO_OUTBOUND =
  'running with --no-outbound: webhooks, card payments, payouts and identity checks wait until ' +
  'the next start without it';

/** Starts by the plan, says so, and returns when everything has stopped again. */
async function start(plan: StartPlan, context: CommandContext): Promise<void> {
  const dataDir = plan.dataDir ?? mkdtempSync(join(tmpdir(), 'holdfast-'));
  if (plan.databaseUrl !== null) openDirectory(dataDir);
  if (!plan.outbound) context.say(NO_OUTBOUND);
  const database = await openDatabase(plan, dataDir, context);
  let ending: string;
  try {
    const system = await context.startSystem({
      env: plan.env,
      databaseUrl: database.url,
      ownerUrl: database.ownerUrl,
      portBase: plan.portBase,
      portBaseFixed: plan.portBaseFixed,
      forwardTo: plan.forwardTo,
      outbound: plan.outbound,
      dataDir,
      ephemeral: plan.dataDir === null,
      log: context.say,
    });
    const takeNote = leaveNote(system.ready, context);
    context.print(
      plan.json ? `${JSON.stringify(system.ready)}\n` : banner(system.ready, context.colours),
    );
    ending = await Promise.race([context.asked, database.lost]);
    takeNote();
    if (ending !== '') context.say(ending);
    const { drainMs } = system;
    if (drainMs > 0) context.say(drainSentence(drainMs));
    await within(drainMs + STOP_WITHIN_MS, system.stop(), context);
  } finally {
    await database.stop();
  }
  if (ending === DATABASE_LOST)
    throw new Error('The database stopped. Start again: nothing that was acknowledged is lost.');
}

function drainSentence(ms: number): string {
  return `draining: still serving for ${ms / 1000} s; a second signal stops at once`;
}

const DATABASE_LOST = 'the embedded PostgreSQL stopped unexpectedly';

interface OpenDatabase extends DatabaseUrls {
  stop(): Promise<void>;
  /** Resolves with a sentence if the server ends unasked. */
  readonly lost: Promise<string>;
}

async function openDatabase(
  plan: StartPlan,
  dataDir: string,
  context: CommandContext,
): Promise<OpenDatabase> {
  if (plan.databaseUrl !== null) {
    const sweeper = plan.dataDir === null ? sweepAfter([dataDir]) : null;
    return {
      url: plan.databaseUrl,
      ownerUrl: plan.ownerUrl,
      stop: async () => void (await sweeper?.stop()),
      lost: new Promise(() => {}),
    };
  }
  const server = await startEmbedded({
    dataDir,
    programsDir: plan.programsDir,
    ephemeral: plan.dataDir === null,
    log: context.say,
  });
  return {
    url: server.url,
    ownerUrl: server.ownerUrl,
    stop: () => server.stop(),
    lost: server.ended.then(() => DATABASE_LOST),
  };
}

async function within(ms: number, work: Promise<void>, context: CommandContext): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      context.say(`not everything stopped within ${ms / 1000} s; exiting anyway`);
      resolve();
    }, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
