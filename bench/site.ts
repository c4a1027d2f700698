// A platform on its own database with its market, ready to be loaded; and measuring one load on it:
// a checkpoint before, the laws after, one line for the reader.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Figures } from './figures.ts';
import { runLoad } from './load.ts';
import type { Cores, Load } from './load.ts';
import { Integrator, openMarket } from './market.ts';
import type { Market } from './market.ts';
import type { Options } from './options.ts';
import type { Plan, Sale, Target } from './plan.ts';
import { addressOf, startPlatform } from './platform.ts';
import type { Platform } from './platform.ts';
import type { Postgres } from './postgres.ts';
import { proveLoad, settledInvoices } from './proofs.ts';
import type { ProofSubject } from './proofs.ts';

/** Buyers, and as many sellers. */
const PEOPLE = 200;
/** Ports between two platforms of one run. */
const PORT_STEP = 40;

/** What all parts share. */
export interface Desk {
  readonly options: Options;
  readonly figures: Figures;
  /** Folder of this run, for output of the platforms and profilers. */
  readonly folder: string;
  /** Prints a line for the reader. */
  readonly say: (line: string) => void;
}

/** What parts with a database server share. */
export interface Run extends Desk {
  readonly postgres: Postgres;
}

/** A platform under load, with one server process or several. */
export interface Site {
  readonly database: string;
  readonly platforms: Platform[];
  readonly market: Market;
  readonly subject: ProofSubject;
}

let started = 0;

/** Starts one more server process of the platform on a database. */
export async function addPlatform(run: Run, database: string): Promise<Platform> {
  const { options, postgres } = run;
  const portBase = options.portBase + PORT_STEP * started;
  started += 1;
  const profiler = ['--cpu-prof', `--cpu-prof-dir=${run.folder}/profile`];
  // A soak, and an export that is measured, ask the process to collect its garbage.
  const inspector = options.soak === null && !options.lists ? [] : ['--inspect=127.0.0.1:0'];
  const platform = await startPlatform({
    program: options.program,
    databaseUrl: postgres.url(database, 'holdfast'),
    portBase,
    dataFolder: join(run.folder, database),
    nodeArguments: options.profile ? [...profiler, '--cpu-prof-interval=500'] : inspector,
  });
  run.say(`platform on ${database} ready after ${(platform.startMs / 1000).toFixed(2)} s`);
  return platform;
}

/** Creates a database, starts the platform on it and opens its market. */
export async function openSite(run: Run, database: string): Promise<Site> {
  mkdirSync(join(run.folder, database), { recursive: true });
  await run.postgres.createDatabase(database);
  const platform = await addPlatform(run, database);
  const integrator = new Integrator(platform.ready);
  const market = await openMarket(integrator, PEOPLE);
  const { postgres } = run;
  const { program } = run.options;
  return {
    database,
    platforms: [platform],
    market,
    subject: { postgres, database, integrator, program, dataFolder: join(run.folder, database) },
  };
}

/** Stops the site's processes. A process that does not end cleanly is a fault. */
export async function closeSite(run: Run, site: Site): Promise<void> {
  for (const platform of site.platforms) {
    const how = await platform.stop();
    if (how !== 0) run.say(`the platform ended with ${how}: ${platform.log().slice(-1500)}`);
  }
}

/** What distinguishes one load from another. */
export interface LoadChoice {
  readonly label: string;
  readonly sale?: Sale;
  /** All sales to one seller. */
  readonly hot?: boolean;
  /** Connections; absent: as the options say. */
  readonly connections?: number;
  /** Purchases per second of the open loop; absent: closed loop. */
  readonly rate?: number;
  /** How many of the site's server processes take part; default one. */
  readonly processes?: number;
  readonly seconds?: number;
  /** False: the load goes on in the midst of a checkpoint's cycle, as most sales do. */
  readonly checkpoint?: boolean;
}

async function targetOf(platform: Platform): Promise<Target> {
  const { ready } = platform;
  return {
    invoicing: addressOf(ready, 'invoicing'),
    payments: addressOf(ready, 'payments'),
    auth: addressOf(ready, 'auth'),
    token: await new Integrator(ready).token(),
  };
}

async function planOf(run: Run, site: Site, choice: LoadChoice): Promise<Plan> {
  const { options } = run;
  const platforms = site.platforms.slice(0, choice.processes ?? 1);
  const first = site.platforms[0];
  if (first === undefined) throw new Error('a site without a platform');
  const { sellers } = site.market;
  return {
    mode: choice.rate === undefined ? 'closed' : 'open',
    targets: await Promise.all(platforms.map(targetOf)),
    buyers: site.market.buyers,
    sellers: choice.hot === true ? sellers.slice(0, 1) : sellers,
    sale: choice.sale ?? 'plain',
    client: first.ready.client,
    connections: choice.connections ?? options.connections,
    rate: choice.rate ?? 0,
    warmupMs: options.warmupSeconds * 1000,
    measureMs: (choice.seconds ?? options.seconds) * 1000,
    seed: 20_240_611 + run.figures.rounds('memory').length,
  };
}

/** CPU of one purchase by part, microseconds; `idle`: what the cores had left. */
export function cpuOf(loads: readonly Load[]): Cores {
  const purchases = loads.reduce((sum, load) => sum + load.purchases, 0);
  const each = (part: keyof Cores): number =>
    (loads.reduce((all, { cores, elapsedMs }) => all + cores[part] * elapsedMs, 0) * 1000) /
    purchases;
  return {
    thread: each('thread'),
    helpers: each('helpers'),
    others: each('others'),
    database: each('database'),
    generator: each('generator'),
    idle: each('idle'),
  };
}

function loadLine(choice: LoadChoice, load: Load, walBytes: number): string {
  const { thread, helpers, others, database, generator, idle } = load.cores;
  const server = thread + helpers + others;
  const each = walBytes / Math.max(load.paidInAll, 1) / 1000;
  return (
    `${choice.label}: ${rateOf(load).toFixed(0)} invoices/s; ` +
    `cores: server ${server.toFixed(2)}, database ${database.toFixed(2)}, ` +
    `generator ${generator.toFixed(2)}, idle ${idle.toFixed(2)}; ` +
    `CPU each: ${cpuText(cpuOf([load]))}; ` +
    `${load.memory.toFixed(0)} MB; ` +
    `WAL ${each.toFixed(1)} kB each; per second ${load.perSecond.join(' ')}`
  );
}

/** `thread 190, helpers 41, others 0, database 184, generator 30, idle 60 us`. */
export function cpuText(cpu: Cores): string {
  return `${Object.entries(cpu).map(([part, us]) => `${part} ${us.toFixed(0)}`).join(', ')} us`;
}

/** Purchases created, paid and acknowledged per second of the window. */
export function rateOf(load: Load): number {
  return (load.purchases * 1000) / load.elapsedMs;
}

async function walPosition(run: Run): Promise<number> {
  const query = `select (pg_current_wal_lsn() - '0/0'::pg_lsn)::text as at`;
  const [row] = await run.postgres.sql('postgres', query);
  return Number(row?.['at']);
}

/** Runs one load, usually after a checkpoint, and records memory. */
export async function loadOnce(run: Run, site: Site, choice: LoadChoice): Promise<Load> {
  const plan = await planOf(run, site, choice);
  if (choice.checkpoint !== false) await run.postgres.checkpoint();
  const servers = site.platforms.slice(0, choice.processes ?? 1).map((platform) => platform.pid);
  const load = await runLoad(plan, { servers, postmaster: run.postgres.pid });
  run.figures.add('memory', load.memory);
  return load;
}

/** Runs one load, checks the laws, and records faults too. */
export async function measure(run: Run, site: Site, choice: LoadChoice): Promise<Load> {
  const settled = await settledInvoices(site.subject);
  const wal = await walPosition(run);
  const load = await loadOnce(run, site, choice);
  run.say(loadLine(choice, load, (await walPosition(run)) - wal));
  const faults = await proveLoad(site.subject, load, settled);
  for (const fault of faults) run.say(`FAULT in ${choice.label}: ${fault}`);
  if (faults.length > 0) run.say(site.platforms.map((platform) => platform.log()).join('\n'));
  run.figures.add('faults', faults.length > 0 ? 1 : 0);
  return load;
}
