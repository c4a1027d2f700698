// The composition root: makes the parts of a process, joins them and stops them in order. Only this
// file imports adapters, and only a staging process loads the sandbox.
import { join } from 'node:path';
import { anchorFile } from './providers/anchors/file.ts';
import { fileWorkers, type FileWorkers } from './providers/files/inspector/index.ts';
import { fileKeyVersions, fileKeys, type FileKeysOptions } from './providers/keys/file.ts';
import { outboundHttp } from './providers/outbound/http.ts';
import type { ProviderRow, StoredConnection } from './providers/port.ts';
import { PROVIDERS } from './providers/registry.ts';
import { routeProviders, tried, type Routed } from './providers/router.ts';
import * as product from './catalogue.ts';
import { policiesOf, readConfig, type Config } from './config.ts';
import { consolePages } from './console/index.ts';
import { Database } from './db/index.ts';
import { migrate, pendingMigrations, refuseOldData } from './db/migrate.ts';
import { noteSettings } from './product/tell/audit/index.ts';
import type { DomainOperation, Services } from './product/context.ts';
import { tokensOf } from './product/access/oauth/index.ts';
import {
  addressesFor,
  connectionNamed,
  connectionsOf,
  standingLines,
} from './product/tenant/provider/index.ts';
import { readLineages, workspaceDirectory } from './product/tenant/tenant/index.ts';
import { ENGINE_SETTINGS, loadMoves } from './engine/index.ts';
import { commandLineEngine, serverEngine } from './engines.ts';
import { startHosts, type Platform } from './http/hosts.ts';
import { httpLog, logFault, type HttpLog } from './http/log.ts';
import { RequestNotes } from './http/notes.ts';
import { claimInstallation, isSealed, requireUsed, wrappedNoteKeys } from './installation.ts';
import { purposeOf } from './core/labels.ts';
import { systemRandom } from './core/random.ts';
import { Lineages } from './core/lineages.ts';
import type { HostName, Operation } from './core/operation.ts';
import { Records, Stream } from './outbox/index.ts';
import { pages } from './pages/index.ts';
import { pageOperations } from './pages/mount.ts';
import type { Anchors } from './providers/anchors/port.ts';
import type { Keys } from './providers/keys/port.ts';
import { openPools, type Pools } from './pools.ts';
import type { Sandbox } from './sandbox/index.ts';
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
  /** Providers to choose from; absent: those of the registry. */
  readonly providers?: readonly ProviderRow[];
  log(line: string): void;
}

/** What the operations of all hosts run on. */
type AllServices = Services & {
  readonly files: FileWorkers;
  readonly requestNotes: RequestNotes | null;
};

/** What every part of one start is made of. */
interface Base {
  readonly config: Config;
  readonly keys: Keys;
  readonly lineages: Lineages;
  readonly pools: Pools;
  readonly log: HttpLog;
  readonly operations: readonly DomainOperation[];
  /** Null in production. */
  readonly sandbox: Sandbox | null;
}

const MIGRATIONS = new URL('../migrations/', import.meta.url);

/** Starts everything; resolves when it is ready. */
export async function startSystem(
  options: StartOptions,
): Promise<{ ready: Record<string, unknown>; drainMs: number; stop(): Promise<void> }> {
  const config = readConfig(options.env);
  const lineages = new Lineages();
  const pools = openPools(options.databaseUrl, config);
  const log = httpLog(config.accessLog ? 'info' : 'error');
  const ends = Object.values(pools).map((pool) => (): Promise<void> => pool.close());
  const stop = async (): Promise<void> => {
    while (ends.length > 0) await ends.pop()?.().catch((error: unknown) => logFault(log, error));
  };
  try {
    await refuseOldData(pools.long);
    if (options.outbound === false) await requireUsed(pools.long);
    const notice = (text: string): void => log.write({ event: 'notice', text });
    const { keys } = await openKeys(pools.long, config, options.dataDir, { lineages, notice });
    await migrate(pools.long, MIGRATIONS, () => options.log('updating the database schema'));
    await pools.heartbeat.begin();
    await claimInstallation(pools.long, options.env, keys);
    await loadMoves(pools.long, product.machines, options.env === 'staging');
    await noteSettings(pools.long, config);
    const wing = await wingOf(options.env);
    const { databaseUrl, outbound = true } = options;
    const fault = (error: unknown, operation: string): void => logFault(log, error, operation);
    const parts = { config, databaseUrl, pools, lineages, keys, outbound, fault };
    const sandbox = wing === null ? null : await wing.startSandbox(parts);
    ends.push(async () => sandbox?.close());
    const { operations } = wing ?? product;
    const base = { config, keys, lineages, pools, log, operations, sandbox };
    const ready = await joinParts(options, base, ends);
    if (wing === null) for (const line of await standingLines(pools.long)) options.log(line);
    return { ready, drainMs: config.drainMs, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The sandbox wing; production has none. */
async function wingOf(env: StartOptions['env']) {
  return env === 'staging' ? await import('./sandbox/index.ts') : null;
}

/**
 * What short commands of the command line need: no hosts, no workers. `migrated` brings the schema
 * to this release, as a start does; without it the database is only read.
 */
export async function openInstallation(
  options: Pick<StartOptions, 'env' | 'databaseUrl' | 'dataDir' | 'providers'> & {
    readonly migrated: boolean;
  },
) {
  const config = readConfig(options.env);
  const lineages = new Lineages();
  const common = { url: options.databaseUrl, max: 2, applicationName: 'holdfast cli' } as const;
  // A law may read everything there is.
  const db = new Database({ ...common, settings: { statement_timeout: '0', jit: 'off' } });
  // Its statements by key, planned on an empty table, would scan what an import has filled.
  const keyed = new Database({ ...common, settings: ENGINE_SETTINGS });
  try {
    await refuseOldData(db);
    const { keys, versions } = await openKeys(db, config, options.dataDir, { lineages });
    const applied = options.migrated ? await migrate(db, MIGRATIONS) : [];
    const made = await db.query<{ there: boolean }>(
      `select to_regclass('installation') is not null as there`,
    );
    if (made[0]?.there !== true) {
      throw new Error('The database is empty: run `holdfast migrate` or `holdfast start` first.');
    }
    await claimInstallation(db, options.env, keys);
    await readLineages(db, lineages);
    if (options.migrated) await loadMoves(db, product.machines, options.env === 'staging');
    const wing = await wingOf(options.env);
    const key = { keys, versions, wrapped: [...(wing ?? product).wrappedColumns, wrappedNoteKeys] };
    const outside = { anchors: anchorsOf(config, options.dataDir), random: systemRandom };
    const engine = commandLineEngine(options.env, keyed, lineages);
    const close = async (): Promise<void> => {
      await engine.stop();
      await Promise.all([db.close(), keyed.close()]);
    };
    const rememberBeginning = async (workspace: number): Promise<void> =>
      wing?.rememberBeginning(db, workspace);
    const { env, providers = PROVIDERS } = options;
    const { urls, processorTimeoutMs: timeoutMs } = config;
    const connecting = { rows: providers, env, timeoutMs, ...addressesFor(urls) };
    const tryConnection = (one: StoredConnection) => tried(connecting, one);
    const pending = () => pendingMigrations(db, MIGRATIONS);
    const chosen = { providers, urls, tryConnection, pending, policies: policiesOf(config) };
    return { env, db, ...key, ...outside, ...chosen, engine, applied, rememberBeginning, close };
  } catch (error) {
    await Promise.all([db.close(), keyed.close()]);
    throw error;
  }
}

/** The installation's key file; created only if the database was never used with another. */
async function openKeys(db: Database, { keyFile }: Config, dataDir: string, of: FileKeysOptions) {
  const path = keyFile ?? join(dataDir, 'keys.json');
  const keys = await fileKeys(path, { ...of, mayMake: !(await isSealed(db)) });
  return { keys, versions: fileKeyVersions(path) };
}

function anchorsOf({ auditAnchor, anchorName }: Config, dataDir: string): Anchors {
  return anchorFile(auditAnchor ?? join(dataDir, anchorName));
}

async function joinParts(
  options: StartOptions,
  base: Base,
  ends: (() => Promise<void>)[],
): Promise<Record<string, unknown>> {
  const { config, keys, pools, log, sandbox } = base;
  const { callLimits, trustedProxies, listen, stallSeconds } = config;
  const known = base.operations as readonly Operation<AllServices>[];
  const simulated = (sandbox?.operations ?? []) as readonly Operation<AllServices>[];
  let services: AllServices | null = null;
  const hosts = await startHosts<AllServices>({
    env: options.env,
    operations: [...known, ...pageOperations(known), ...simulated],
    pages: { ...pages, console: consolePages, ...sandbox?.pages },
    log,
    ...{ portBase: options.portBase, portBaseFixed: options.portBaseFixed ?? false },
    urls: config.urls as Partial<Record<HostName, string>>,
    ...(config.proxyPort === null ? {} : { proxy: { port: config.proxyPort } }),
    ...{ callLimits, trustedProxies, listen, stallMs: stallSeconds * 1_000 },
    limits: { keepAliveMs: config.keepAliveMs },
    absent: sandbox?.absent ?? ['shop', 'processor'],
    checkAnswers: config.checkAnswers,
    async platform(urls): Promise<Platform<AllServices>> {
      services = assemble(options, base, urls, ends);
      const tokens = await tokensOf(services);
      sandbox?.also(() => tokens.watch.refreshAnew());
      return {
        services,
        verify: (token) => tokens.verify(token),
        ...{ secret: keys.mac(purposeOf('idempotency'), ''), lineageOf: keys.lineageOf },
        lift: services.files.lift,
        notes: services.requestNotes,
        ready: () => pools.heartbeat.well,
        stillMs: () => services?.engine.stillMs ?? 0,
      };
    },
  });
  ends.push(() => hosts.stop(), async () => sandbox?.endTurns());
  if (services === null) throw new Error('the hosts started without services');
  const said = options.outbound === false ? { outbound: false } : {};
  const urls = Object.fromEntries(Object.entries(hosts.urls).filter(([, url]) => url !== ''));
  const ready = { ready: true, env: options.env, ...said, urls };
  const made = await sandbox?.open(services, hosts.urls, options.forwardTo);
  ends.push(() => hosts.drain(config.drainMs));
  return { ...ready, ...made };
}

/** Makes services and loops, and records how each is stopped. */
function assemble(
  options: StartOptions,
  base: Base,
  urls: Readonly<Record<HostName, string>>,
  ends: (() => Promise<void>)[],
): AllServices {
  const { env, dataDir, outbound: calls = true } = options;
  const { config, keys, lineages, pools, log, sandbox } = base;
  const fault = (error: unknown, operation?: string): void => logFault(log, error, operation);
  const records = new Records(product.recordKinds);
  const outbound = calls ? outboundHttp({ env }) : null;
  const engine = serverEngine({
    ...{ env, config, pools, lineages, records, fault, away: () => pools.heartbeat.away },
    committed: (workspaces, tables) => loops.committed(workspaces, tables),
  });
  const joined = sandbox?.join(urls, () => loops.turn());
  const { close: closeProviders, ...providers } = routed(options, base, urls, joined ?? {});
  const services: AllServices = {
    env,
    db: pools.reads,
    engine,
    keys,
    random: systemRandom,
    urls,
    word: config.word,
    stream: new Stream(pools.reads, records, env),
    workspaces: workspaceDirectory(pools.reads, { lineages }),
    requestNotes: config.requestNotes ? new RequestNotes(pools.work, fault) : null,
    policies: policiesOf(config),
    files: fileWorkers({ fault: (error) => fault(error, 'fileWorkers') }),
    ...joined,
    ...providers,
  };
  const notice = (text: string): void => log.write({ event: 'notice', text });
  const { processorTimeoutMs } = config;
  const patienceOf = joined?.counterparties?.receivers.patienceAt ?? (() => null);
  const outside = { outbound, patienceOf, anchors: anchorsOf(config, dataDir), processorTimeoutMs };
  const loops = startLoops({ services, db: pools.work, ...outside, fault, notice });
  // Stops run in reverse order: no new work, then begun work, then its announcements.
  ends.push(async () => services.requestNotes?.flush(), async () => outbound?.close());
  ends.push(closeProviders);
  ends.push(() => services.files.close());
  ends.push(() => loops.stopTelling(), () => engine.stop(), () => loops.stopAsking());
  ends.push(async () => sandbox?.stopNotices());
  return services;
}

/** The ports of this process: of each workspace's providers, and else of the simulators. */
function routed(
  { env, outbound = true, providers: rows = PROVIDERS }: StartOptions,
  { config, keys, pools: { discovery }, log }: Base,
  urls: Readonly<Record<HostName, string>>,
  { processor, methodEntry, identityVendor, payees }: Partial<Services>,
): Routed {
  const isPlayed = processor && methodEntry && identityVendor && payees;
  return routeProviders({
    ...{ rows, env, outbound, timeoutMs: config.processorTimeoutMs },
    simulators: isPlayed ? { processor, methodEntry, identityVendor, payees } : null,
    // Requests and workers both ask, and neither is to wait for the other's connections.
    read: (workspace) => connectionsOf(discovery, keys, workspace),
    find: (id) => connectionNamed(discovery, keys, id),
    ...addressesFor(urls),
    fault: (error) => logFault(log, error, 'providers'),
  });
}
