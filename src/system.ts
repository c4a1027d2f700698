// The composition root: makes the parts of a process, joins them and stops them in order. Only this
// file imports adapters.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { absentMethodEntry } from './providers/method-entry/none.ts';
import { absentProcessor } from './providers/processor/none.ts';
import { absentVendor } from './providers/identity/none.ts';
import { anchorFile } from './providers/anchors/file.ts';
import { fileWorkers, type FileWorkers } from './providers/files/inspector/index.ts';
import { fileKeyVersions, fileKeys } from './providers/keys/file.ts';
import { outboundHttp } from './providers/outbound/http.ts';
import {
  processorPages,
  sandboxOperations,
  startSandbox,
  type RunningSandbox,
  type SandboxServices,
} from './sandbox/simulators/index.ts';
import { machines, operations, recordKinds, wrappedColumns } from './catalogue.ts';
import { policiesOf, readConfig, type Config } from './config.ts';
import { consolePages } from './console/index.ts';
import { Database } from './db/index.ts';
import { migrate, refuseOldData } from './db/migrate.ts';
import { demoShop } from './demo-shop.ts';
import { noteSettings } from './product/tell/audit/index.ts';
import type { Services } from './product/context.ts';
import { tokensOf } from './product/access/oauth/index.ts';
import { frameOrigins, settingsOf } from './product/tenant/settings/index.ts';
import { readLines, workspaceDirectory } from './product/tenant/tenant/index.ts';
import { copyNamed, secretsInUse } from './product/tell/webhook/index.ts';
import { loadMoves } from './engine/index.ts';
import { commandLineEngine, serverEngine } from './engines.ts';
import { startHosts, type Platform } from './http/hosts.ts';
import { httpLog, logFault, type HttpLog } from './http/log.ts';
import { RequestNotes } from './http/notes.ts';
import { claimInstallation, isSealed, requireUsed, wrappedNoteKeys } from './installation.ts';
import { purposeOf } from './core/labels.ts';
import { systemRandom } from './core/random.ts';
import { Lines } from './core/lines.ts';
import type { HostName, Operation } from './core/operation.ts';
import { Records, Stream } from './outbox/index.ts';
import { pages } from './pages/index.ts';
import { pageOperations } from './pages/mount.ts';
import type { Anchors } from './providers/anchors/port.ts';
import type { Keys } from './providers/keys/port.ts';
import { openNews, openPools, type News, type Pools } from './pools.ts';
import { openSandbox } from './seeding.ts';
import { startLoops } from './worker/index.ts';

/** One start of the whole system. */
export interface StartOptions {
  readonly env: 'staging' | 'production';
  readonly databaseUrl: string;
  readonly portBase: number;
  readonly portBaseFixed?: boolean;
  readonly forwardTo: string | null;
  /** False: no provider or receiver is called; deliveries and provider calls wait. Default true. */
  readonly outbound?: boolean;
  readonly dataDir: string;
  readonly ephemeral: boolean;
  log(line: string): void;
}

/** What the operations of all hosts run on. */
type AllServices = Services &
  SandboxServices & {
    readonly files: FileWorkers;
    readonly requestNotes: RequestNotes | null;
    /** Tells those who wait for the loops that there will be no more turns. */
    endTurns(): Promise<void>;
  };

/** What every part of one start is made of. */
interface Base {
  readonly config: Config;
  readonly keys: Keys;
  readonly lines: Lines;
  readonly pools: Pools;
  readonly log: HttpLog;
  /** Null in production: workspaces are neither cloned nor archived there. */
  readonly news: News | null;
}

const MIGRATIONS = new URL('../migrations/', import.meta.url);

/** Starts everything; resolves when it is ready. */
export async function startSystem(
  options: StartOptions,
): Promise<{ ready: Record<string, unknown>; drainMs: number; stop(): Promise<void> }> {
  const config = readConfig(options.env);
  const lines = new Lines();
  const pools = openPools(options.databaseUrl, config);
  const log = httpLog(config.accessLog ? 'info' : 'error');
  const ends = Object.values(pools).map((pool) => (): Promise<void> => pool.close());
  const stop = async (): Promise<void> => {
    while (ends.length > 0) await ends.pop()?.().catch((error: unknown) => logFault(log, error));
  };
  try {
    await refuseOldData(pools.long);
    if (options.outbound === false) await requireUsed(pools.long);
    const { keys } = await openKeys(pools.long, config, options.dataDir, lines);
    await migrate(pools.long, MIGRATIONS, () => options.log('updating the database schema'));
    await pools.heartbeat.begin();
    await claimInstallation(pools.long, options.env, keys);
    await loadMoves(pools.long, machines, options.env === 'staging');
    await noteSettings(pools.long, config);
    const told = (error: unknown): void => logFault(log, error, 'cacheInvalidation');
    const staging = options.env === 'staging';
    const news = staging ? await openNews(options.databaseUrl, pools, lines, told) : null;
    if (news !== null) ends.push(() => news.close());
    const base = { config, keys, lines, pools, log, news };
    return { ready: await joinParts(options, base, ends), drainMs: config.drainMs, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * What short commands of the command line need: no hosts, no workers. `migrated` brings the schema
 * to this release, as a start does; without it the database is only read.
 */
export async function openInstallation(
  options: Pick<StartOptions, 'env' | 'databaseUrl' | 'dataDir'> & { readonly migrated: boolean },
) {
  const config = readConfig(options.env);
  const lines = new Lines();
  const db = new Database({
    url: options.databaseUrl,
    max: 2,
    applicationName: 'holdfast cli',
    // A law may read everything there is.
    settings: { statement_timeout: '0', jit: 'off' },
  });
  try {
    await refuseOldData(db);
    const { keys, versions } = await openKeys(db, config, options.dataDir, lines);
    const applied = options.migrated ? await migrate(db, MIGRATIONS) : [];
    const made = await db.query<{ there: boolean }>(
      `select to_regclass('installation') is not null as there`,
    );
    if (made[0]?.there !== true) {
      throw new Error('The database is empty: run `holdfast migrate` or `holdfast start` first.');
    }
    await claimInstallation(db, options.env, keys);
    await readLines(db, lines);
    if (options.migrated) await loadMoves(db, machines, options.env === 'staging');
    const wrapped = [...wrappedColumns, wrappedNoteKeys];
    const key = { keys, versions, wrapped };
    const outside = { anchors: anchorsOf(config, options.dataDir), random: systemRandom };
    const engine = commandLineEngine(options.env, db, lines);
    const close = (): Promise<void> => engine.stop().then(() => db.close());
    return { env: options.env, db, ...key, ...outside, engine, applied, close };
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** The installation's key file; created only if the database was never used with another. */
async function openKeys(db: Database, { keyFile }: Config, dataDir: string, lines: Lines) {
  const path = keyFile ?? join(dataDir, 'keys.json');
  return { keys: fileKeys(path, lines, !(await isSealed(db))), versions: fileKeyVersions(path) };
}

function anchorsOf({ auditAnchor, anchorName }: Config, dataDir: string): Anchors {
  return anchorFile(auditAnchor ?? join(dataDir, anchorName));
}

async function joinParts(
  options: StartOptions,
  base: Base,
  ends: (() => Promise<void>)[],
): Promise<Record<string, unknown>> {
  const { config, keys, pools, log, news } = base;
  const { callLimits, trustedProxies, listen, stallSeconds } = config;
  const staging = options.env === 'staging';
  const known = operations as readonly Operation<AllServices>[];
  const sandboxed = staging ? (sandboxOperations as readonly Operation<AllServices>[]) : [];
  const shop = demoShop((error) => logFault(log, error, 'shop'));
  const quiet = options.outbound === false;
  // The shop calls the platform by its addresses, which may be another platform's.
  const sandboxPages = { processor: processorPages, ...(quiet ? {} : { shop: shop.pages }) };
  let services: AllServices | null = null;
  const hosts = await startHosts<AllServices>({
    env: options.env,
    operations: [...known, ...pageOperations(known), ...sandboxed],
    pages: { ...pages, console: consolePages, ...(staging ? sandboxPages : {}) },
    log,
    ...{ portBase: options.portBase, portBaseFixed: options.portBaseFixed ?? false },
    urls: config.urls as Partial<Record<HostName, string>>,
    ...(config.proxyPort === null ? {} : { proxy: { port: config.proxyPort } }),
    ...{ callLimits, trustedProxies, listen, stallMs: stallSeconds * 1_000 },
    limits: { keepAliveMs: config.keepAliveMs },
    absent: staging ? (quiet ? ['shop'] : []) : ['shop', 'processor'],
    checkAnswers: config.checkAnswers,
    async platform(urls): Promise<Platform<AllServices>> {
      services = assemble(options, base, urls, ends);
      const tokens = await tokensOf(services);
      base.news?.also(() => tokens.watch.refreshAnew());
      return {
        services,
        verify: (token) => tokens.verify(token),
        ...{ secret: keys.mac(purposeOf('idempotency'), ''), lineOf: keys.lineOf },
        lift: services.files.lift,
        notes: services.requestNotes,
        ready: () => pools.heartbeat.well,
        stillMs: () => services?.engine.stillMs ?? 0,
      };
    },
  });
  ends.push(() => hosts.stop(), shop.close, async () => services?.endTurns());
  if (services === null) throw new Error('the hosts started without services');
  const said = quiet ? { outbound: false } : {};
  const urls = Object.fromEntries(Object.entries(hosts.urls).filter(([, url]) => url !== ''));
  const ready = { ready: true, env: options.env, ...said, urls };
  const forwardTo = quiet ? undefined : options.forwardTo;
  const made = staging
    ? await openSandbox(pools.long, services, operations, forwardTo, news)
    : null;
  if (made !== null) shop.open({ urls: hosts.urls, ...made });
  ends.push(() => hosts.drain(config.drainMs));
  return { ...ready, ...made };
}

/** Makes services and loops, and records how each is stopped. */
function assemble(
  { env, dataDir, outbound: calls = true }: StartOptions,
  base: Base,
  urls: Readonly<Record<HostName, string>>,
  ends: (() => Promise<void>)[],
): AllServices {
  const { config, keys, lines, pools, log, news } = base;
  const fault = (error: unknown, operation?: string): void => logFault(log, error, operation);
  const records = new Records(recordKinds);
  const sandbox = calls ? sandboxOf(config, keys, pools.work, urls, fault) : null;
  const outbound = calls ? outboundHttp({ env }) : null;
  const stopping = new AbortController();
  let ending = false;
  const engine = serverEngine({
    ...{ env, config, pools, lines, records, fault, away: () => pools.heartbeat.away },
    committed: (workspaces, tables) => loops.committed(workspaces, tables),
  });
  const services: AllServices = {
    env,
    db: pools.reads,
    engine,
    keys,
    random: systemRandom,
    urls,
    word: config.word,
    processor: sandbox?.processor ?? absentProcessor,
    methodEntry: sandbox?.methodEntry ?? absentMethodEntry,
    identityVendor: sandbox?.vendor ?? absentVendor,
    stream: new Stream(pools.reads, records, env),
    workspaces: workspaceDirectory(pools.reads, { lines }),
    requestNotes: config.requestNotes ? new RequestNotes(pools.work, fault) : null,
    cacheInvalidation: news,
    copies: env === 'staging' ? pools.long : null,
    policies: policiesOf(config),
    turn: sandbox && (async () => {
      if (ending) return false;
      sandbox.wakeNotices();
      await loops.turn();
      return true;
    }),
    endTurns: async () => void (ending = true),
    ...{ sandboxCards: sandbox?.cards ?? null, sandboxPersons: sandbox?.persons ?? null },
    sandboxCounterparties: sandbox?.counterparties ?? null,
    copyNamed: (id) => copyNamed(pools.reads, id),
    secretsOf: (workspace, endpoint) => secretsInUse(pools.reads, { keys }, workspace, endpoint),
    files: fileWorkers({ fault: (error) => fault(error, 'fileWorkers') }),
    delay: (ms) => sleep(ms, undefined, { signal: stopping.signal }).catch(() => {}),
    framesOf: async (workspace) => frameOrigins(await settingsOf(pools.reads, workspace), env),
  };
  const notice = (text: string): void => log.write({ event: 'notice', text });
  const { processorTimeoutMs } = config;
  const outside = { outbound, anchors: anchorsOf(config, dataDir), processorTimeoutMs };
  const loops = startLoops({ services, db: pools.work, ...outside, fault, notice });
  // Stops run in reverse order: no new work, then begun work, then its announcements.
  ends.push(async () => services.requestNotes?.flush(), async () => outbound?.close());
  ends.push(() => services.files.close(), async () => sandbox?.close());
  ends.push(() => loops.stopTelling(), () => engine.stop(), () => loops.stopAsking());
  ends.push(async () => stopping.abort(), async () => sandbox?.stopNotices());
  return services;
}

/** The sandbox's card processor and identity vendor; null in production. */
function sandboxOf(
  { env, processorTimeoutMs: timeoutMs, processorNotices: notices }: Config,
  keys: Keys,
  db: Database,
  urls: Readonly<Record<HostName, string>>,
  fault: (error: unknown, operation?: string) => void,
): RunningSandbox | null {
  if (env !== 'staging') return null;
  const told = (error: unknown): void => fault(error, 'sandboxNotices');
  return startSandbox({ keys, db, urls, timeoutMs, notices, fault: told });
}
