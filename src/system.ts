// The composition root: makes the parts of a process, joins them and stops them in order. Only this
// file imports adapters, and only a staging process loads the sandbox.
import { anchorFile } from './providers/anchors/file.ts';
import { fileWorkers, type FileWorkers } from './providers/files/inspector/index.ts';
import { fileKeyVersions, fileKeys, type FileKeysOptions } from './providers/keys/file.ts';
import { serverOf, smtpMail } from './providers/mail/smtp.ts';
import { outboundHttp } from './providers/outbound/http.ts';
import type { StoredConnection } from './providers/port.ts';
import { PROVIDERS } from './providers/registry.ts';
import { routeProviders, tried, type Routed } from './providers/router.ts';
import { openIdSignOn } from './providers/sign-on/openid.ts';
import * as product from './catalogue.ts';
import { anchorFileOf, keyFileOf, policiesOf, readConfig } from './config.ts';
import type { Config, Place, StartOptions } from './config.ts';
import { consolePages } from './console/index.ts';
import { Database } from './db/index.ts';
import { noteSettings } from './product/tell/audit/index.ts';
import type { Services } from './product/context.ts';
import { tokensOf } from './product/access/oauth/index.ts';
import * as provider from './product/tenant/provider/index.ts';
import { Stops } from './product/tenant/stop/index.ts';
import { readLineages, workspaceDirectory } from './product/tenant/tenant/index.ts';
import { ENGINE_SETTINGS } from './engine/index.ts';
import { commandLineEngine, serverEngine } from './engines.ts';
import { startHosts, type Platform, type RunningHosts } from './http/hosts.ts';
import { httpLog, logFault, workFaults, type HttpLog } from './http/log.ts';
import { notesOf, type RequestNotes } from './http/notes.ts';
import { withTransport } from './http/refusals.ts';
import * as installation from './installation.ts';
import { purposeOf } from './core/labels.ts';
import { systemRandom } from './core/random.ts';
import { Lineages } from './core/lineages.ts';
import type { HostName, Operation } from './core/operation.ts';
import { Records, Stream } from './outbox/index.ts';
import { front, pages } from './pages/index.ts';
import { pageOperations } from './pages/mount.ts';
import type { Keys } from './providers/keys/port.ts';
import type { Spans } from './providers/spans/port.ts';
import { Seen } from './seen/index.ts';
import { concernsOf, nodeConnections, openPools, type Pools } from './pools.ts';
import type { Sandbox } from './sandbox/index.ts';
import { openSchema, ownerOf, readySchema, requireSchema } from './schema.ts';
import type { OpenOptions } from './schema.ts';
import { startLoops } from './worker/index.ts';

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
  readonly fault: ReturnType<typeof workFaults>;
  readonly seen: Seen;
  readonly catalogue: Pick<typeof product, 'operations' | 'refusals'>;
  /** Null in production. */
  readonly sandbox: Sandbox | null;
  readonly stops: Stops;
}

/** Starts everything; resolves when it is ready. */
export async function startSystem(
  options: StartOptions,
): Promise<{ ready: Record<string, unknown>; drainMs: number; stop(): Promise<void> }> {
  const config = readConfig(options.env);
  const lineages = new Lineages();
  const pools = openPools(options.databaseUrl, config);
  const { env: environment, dataDir, databaseUrl, outbound = true } = options;
  const spans = await spansTo(config.tracesUrl, environment);
  const versions = fileKeyVersions(keyFileOf(config, dataDir));
  const seen = new Seen({ spans, pools, versions, environment });
  const log = httpLog(config.accessLog ? 'info' : 'error', undefined, (name) => seen.fault(name));
  const ends = Object.values(pools).map((pool) => (): Promise<void> => pool.close());
  ends.push(async () => spans?.close());
  const stop = async (): Promise<void> => {
    while (ends.length > 0) await ends.pop()?.().catch((error: unknown) => logFault(log, error));
  };
  try {
    for (const line of await concernsOf(pools.long, config)) options.log(line);
    const wing = await wingOf(options.env);
    const notice = (text: string): void => log.write({ event: 'notice', text });
    const { seen: { keys }, says } = await readySchema(pools.long, {
      ...schemaOf(options, wing, config, { lineages, notice }),
      begins: () => options.log('updating the database schema'),
    });
    says.forEach(options.log);
    const stops = new Stops();
    await pools.heartbeat.begin((db) => stops.read(db));
    await installation.claimInstallation(pools.long, options.env, keys);
    await noteSettings(pools.long, config);
    const fault = workFaults(log, (name) => seen.disconnected(name));
    const parts = { config, databaseUrl, pools, lineages, keys, outbound, fault };
    const sandbox = wing === null ? null : await wing.startSandbox(parts);
    ends.push(async () => sandbox?.close());
    const catalogue = wing ?? product;
    const base = { config, keys, lineages, pools, log, fault, catalogue, sandbox, stops, seen };
    const ready = await joinParts(options, base, ends);
    if (wing === null) (await provider.standingLines(pools.long, config.mail)).forEach(options.log);
    return { ready, drainMs: config.drainMs, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What OpenTelemetry needs is loaded only where traces are wanted. */
async function spansTo(url: string | null, env: string): Promise<Spans | null> {
  return url === null ? null : (await import('./providers/spans/otlp.ts')).otlpSpans(url, env);
}

/** The sandbox wing; production has none. */
async function wingOf(env: StartOptions['env']) {
  return env === 'staging' ? await import('./sandbox/index.ts') : null;
}

/**
 * What short commands of the command line need: no hosts, no workers. `migrated`: the schema is
 * made ready as by a start, brought to this release, or only read.
 */
export async function openInstallation(options: OpenOptions) {
  const config = readConfig(options.env, options.environment);
  const lineages = new Lineages();
  const common = { url: options.databaseUrl, max: 2, applicationName: 'holdfast cli' } as const;
  // A law may read everything there is.
  const db = new Database({ ...common, settings: { statement_timeout: '0', jit: 'off' } });
  // Its statements by key, planned on an empty table, would scan what an import has filled.
  const keyed = new Database({ ...common, settings: ENGINE_SETTINGS });
  try {
    const wing = await wingOf(options.env);
    const schema = schemaOf(options, wing, config, { lineages });
    const { seen, seen: { keys }, brought } = await openSchema(db, schema, options.migrated);
    await installation.requireMade(db);
    await installation.claimInstallation(db, options.env, keys);
    await readLineages(db, lineages);
    const wrapped = [...(wing ?? product).wrappedColumns, installation.wrappedNoteKeys];
    const key = { ...seen, wrapped, anchors: anchorFile(anchorFileOf(config, options.dataDir)) };
    const engine = commandLineEngine(options.env, keyed, lineages);
    const close = async (): Promise<void> => {
      await engine.stop();
      await Promise.all([db.close(), keyed.close()]);
    };
    const rememberBeginning = async (of: number) => wing?.rememberBeginning(db, of);
    const { env, providers = PROVIDERS } = options;
    const { urls, processorTimeoutMs: timeoutMs } = config;
    const connecting = { rows: providers, env, timeoutMs, ...provider.addressesFor(urls) };
    const tryConnection = (one: StoredConnection) => tried(connecting, one);
    const chosen = { providers, urls, tryConnection, policies: policiesOf(config) };
    const fit = { nodeConnections: nodeConnections(config), signOn: openIdSignOn(config.signOn) };
    const own = { engine, random: systemRandom, brought, rememberBeginning, close };
    const made = { owner: () => ownerOf(options), schemaIs: () => requireSchema(db, env) };
    const mailServer = serverOf(config.mail);
    return { env, db, mailServer, ...key, ...chosen, ...fit, ...own, ...made };
  } catch (error) {
    await Promise.all([db.close(), keyed.close()]);
    throw error;
  }
}

/** The schema as a start or a command wants it; a look at it opens the installation's keys. */
function schemaOf(
  { dataDir, outbound, ...place }: Place & Pick<StartOptions, 'dataDir' | 'outbound'>,
  wing: Awaited<ReturnType<typeof wingOf>>,
  config: Config,
  of: FileKeysOptions,
) {
  const path = keyFileOf(config, dataDir);
  return {
    ...place,
    prepare: installation.preparation(config.installation, wing?.prepareStorage),
    async look(db: Database) {
      await installation.requireUsable(db, place.env, outbound);
      // Created only if the database was never used with another.
      const keys = await fileKeys(path, { ...of, mayMake: !(await installation.isSealed(db)) });
      return { keys, versions: fileKeyVersions(path) };
    },
  };
}

async function joinParts(
  options: StartOptions,
  base: Base,
  ends: (() => Promise<void>)[],
): Promise<Record<string, unknown>> {
  const { config, keys, pools, log, sandbox, seen } = base;
  const { callLimits, trustedProxies, listen, stallSeconds } = config;
  const known = base.catalogue.operations as readonly Operation<AllServices>[];
  const simulated = (sandbox?.operations ?? []) as readonly Operation<AllServices>[];
  let services: AllServices | null = null;
  const late: { hosts?: RunningHosts } = {};
  // What was cut may still read: it ends before the connections close.
  ends.push(async () => late.hosts?.ended());
  const hosts = (late.hosts = await startHosts<AllServices>({
    env: options.env,
    operations: [...known, ...pageOperations(known), ...simulated],
    pages: { ...pages, console: consolePages, ...sandbox?.pages },
    ...{ log, front, observer: seen, metrics: seen.text },
    ...{ portBase: options.portBase, portBaseFixed: options.portBaseFixed ?? false },
    urls: config.urls as Partial<Record<HostName, string>>,
    ...(config.proxyPort === null ? {} : { proxy: { port: config.proxyPort } }),
    ...{ callLimits, trustedProxies, listen, stallMs: stallSeconds * 1_000 },
    ...{ thread: config.httpThread, limits: { keepAliveMs: config.keepAliveMs } },
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
        ...{ ready: () => pools.heartbeat.well, nodes: () => pools.heartbeat.nodes },
        stopped: (caller) => base.stops.shutTo(caller),
        stillMs: () => services?.engine.stillMs ?? 0,
      };
    },
  }));
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
  const { config, keys, lineages, pools, log, fault, sandbox, seen } = base;
  const records = new Records(product.recordKinds);
  const outbound = calls ? outboundHttp({ env }) : null;
  const engine = serverEngine({
    ...{ env, config, pools, lineages, records, fault, away: () => pools.heartbeat.away },
    committed: (workspaces, tables) => loops.committed(workspaces, tables),
  });
  seen.runs(engine);
  const joined = sandbox?.join(urls, () => loops.turn());
  const { close: closeProviders, ...providers } = routed(options, base, urls, joined ?? {});
  const services: AllServices = {
    env,
    db: pools.reads,
    ...{ engine, keys, random: systemRandom, urls },
    word: config.word,
    stream: new Stream(pools.reads, records, env),
    workspaces: workspaceDirectory(pools.reads, { lineages }),
    requestNotes: notesOf(pools.work, fault, config.requestNotes),
    ...{ policies: policiesOf(config), signOn: openIdSignOn(config.signOn) },
    ...{ mail: config.mail && smtpMail(config.mail), mailbox: null },
    reference: { machines: product.machines, refusals: withTransport(base.catalogue.refusals) },
    files: fileWorkers({ fault: (error) => fault(error, 'fileWorkers') }),
    ...{ ...joined, ...providers, outbound },
  };
  const notice = (text: string): void => log.write({ event: 'notice', text });
  const patienceOf = joined?.counterparties?.receivers.patienceAt ?? (() => null);
  const anchors = anchorFile(anchorFileOf(config, dataDir));
  const outside = { outbound, patienceOf, anchors, processorTimeoutMs: config.processorTimeoutMs };
  const told = { observer: seen, anchored: () => seen.anchored(), fault, notice };
  const loops = startLoops({ services, db: pools.work, ...outside, ...told });
  // Stops run in reverse order: no new work, then begun work, then its announcements.
  ends.push(async () => services.requestNotes?.flush(), async () => outbound?.close());
  ends.push(closeProviders, () => services.files.close());
  ends.push(() => loops.stopTelling(), () => engine.stop(), () => loops.stopAsking());
  ends.push(async () => sandbox?.stopNotices());
  return services;
}

/** The ports of this process: of each workspace's providers, and else of the simulators. */
function routed(
  { env, outbound = true, providers: rows = PROVIDERS }: StartOptions,
  { config, keys, pools: { discovery }, fault, stops }: Base,
  urls: Readonly<Record<HostName, string>>,
  { processor, methodEntry, identityVendor, payees }: Partial<Services>,
): Routed {
  const isPlayed = processor && methodEntry && identityVendor && payees;
  return routeProviders({
    ...{ rows, env, outbound, timeoutMs: config.processorTimeoutMs },
    simulators: isPlayed ? { processor, methodEntry, identityVendor, payees } : null,
    // Requests and workers both ask, and neither is to wait for the other's connections.
    read: (workspace) => provider.connectionsOf(discovery, keys, workspace),
    find: (id) => provider.connectionNamed(discovery, keys, id),
    stopped: (workspace) => stops.within(workspace),
    ...provider.addressesFor(urls),
    fault: (error) => fault(error, 'providers'),
  });
}
