// Answers for which hosts exist and where they listen: a table of base addresses, one listener for
// each on consecutive ports, and on wish one for all behind a proxy. Refuses to know what the hosts
// do; their operations are handed in.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';
import { BlockList } from 'node:net';
import { performance } from 'node:perf_hooks';
import { HOST_NAMES } from '../kernel/operation.ts';
import type { HostName, Operation } from '../kernel/operation.ts';
import { refuse } from '../kernel/refusal.ts';
import type { LiftBody } from '../ports/files.ts';
import { buildApp } from './app.ts';
import type { HostApp } from './app.ts';
import type { Gate, Verify } from './exchange.ts';
import { healthOperations } from './health.ts';
import type { Condition } from './health.ts';
import { HeavyBodies } from './heavy.ts';
import { Limits, NO_LIMITS } from './limits.ts';
import type { CallLimits } from './limits.ts';
import type { HttpLog } from './log.ts';
import type { RequestNotes } from './notes.ts';
import { contractOf, type Contract } from './openapi-contract.ts';
import { openapiOperation } from './openapi.ts';
import type { Pages } from './pages.ts';
import { bindBlock, isLoopback, LOOPBACK } from './ports.ts';
import type { Addresses, Bound } from './ports.ts';
import { httpRefusals } from './refusals.ts';
import { sendRefusal } from './send.ts';
import { senders } from './sender.ts';
import { closeServer, DEFAULT_LIMITS, drainServer, listen, makeServer } from './server.ts';
import type { ListenerLimits } from './server.ts';

/** What the hosts run on; made once their addresses are known. */
export interface Platform<S> {
  readonly services: S;
  readonly verify: Verify;
  /** Mixed into hashes of requests: who has only the database cannot try out what was sent. */
  readonly secret: string;
  /** The line of a world; absent: worlds have no copies. */
  readonly lineOf?: (world: number) => number;
  /** Reads heavy bodies; without it there may be no heavy operation. */
  readonly lift?: LiftBody;
  /** Notes which calls named which ids; absent or null: nobody does. */
  readonly notes?: RequestNotes | null;
  /** True when the process can do its work. */
  ready(): boolean;
  /** For how long work has been open without moving at all. */
  stillMs?(): number;
}

/** How the hosts are started. */
export interface HostsOptions<S> {
  readonly env: 'staging' | 'production';
  readonly operations: readonly Operation<S>[];
  /** Makes what the operations run on. Called once, when the addresses are known. */
  platform(urls: Readonly<Record<HostName, string>>): Promise<Platform<S>>;
  /** Pages beside the operations of a host. */
  readonly pages?: Partial<Readonly<Record<HostName, Pages<S>>>>;
  readonly log: HttpLog;
  /** First port; 0 lets the system choose each. Null: no listener for each host. [G-03] */
  readonly portBase: number | null;
  /** True: a taken port of the block fails the start; else the block moves on. [G-03] */
  readonly portBaseFixed?: boolean;
  /** Addresses that the listeners bind; 127.0.0.1 unless given. */
  readonly listen?: Addresses;
  /** Base addresses as the world sees them, where a proxy stands in front. */
  readonly urls?: Partial<Readonly<Record<HostName, string>>>;
  /** One listener for all hosts, chosen by the first label of the Host header. [G-03] */
  readonly proxy?: { readonly port: number; readonly address?: string };
  /** Hosts that there are not: nothing listens for them, and their address is ''. [G-04] */
  readonly absent?: readonly HostName[];
  readonly limits?: Partial<ListenerLimits>;
  /** What callers may take of this process; nothing is limited unless given. [G-06] */
  readonly callLimits?: CallLimits;
  /** Peers whose X-Forwarded-For is believed; none unless given. */
  readonly trustedProxies?: BlockList;
  /** Milliseconds that requests under way may still take. */
  readonly graceMs?: number;
  /** Milliseconds for which open work has not moved: then the process is not alive. */
  readonly stallMs?: number;
  /** Tests: answers that their operation does not declare are faults. */
  readonly checkAnswers?: boolean;
}

/** Hosts that answer. */
export interface RunningHosts {
  /** Base addresses; '' of a host that is absent. */
  readonly urls: Readonly<Record<HostName, string>>;
  /** Port of the listener for all hosts, or null. */
  readonly proxyPort: number | null;
  /**
   * From now on says that it is not ready, and ends each connection with its next answer; serves on
   * for `ms`, so that a balancer notices. [reliability: graceful stop]
   */
  drain(ms: number): Promise<void>;
  /** Accepts nothing new, finishes what is under way, cuts the rest. */
  stop(): Promise<void>;
}

const GRACE_MS = 10_000;
const STALL_MS = 30_000;
/** Work that stands still for so long is no place for more. */
const UNREADY_MS = 3_000;

type Apps = Readonly<Record<HostName, HostApp>>;

/**
 * Starts every host; resolves when all answer. Hosts without operations answer 404. [G-02, G-03]
 */
export async function startHosts<S>(options: HostsOptions<S>): Promise<RunningHosts> {
  const state: { apps: Apps | null; stopping: boolean } = { apps: null, stopping: false };
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const handle = (host: HostName, request: IncomingMessage, response: ServerResponse): void => {
    if (state.apps !== null) state.apps[host].handle(request, response);
    else sendRefusal(request, response, refuse(httpRefusals.OVERLOADED, {}, 1));
  };
  const bound = await bindAll(options, limits, handle);
  const proxy = await bindProxy(options, limits, handle);
  const servers = proxy === null ? bound.servers : [...bound.servers, proxy];
  const none = Object.fromEntries((options.absent ?? []).map((host) => [host, '']));
  const urls = { ...bound.urls, ...options.urls, ...none };
  const { stallMs = STALL_MS } = options;
  const close = async (): Promise<void> => {
    const grace = options.graceMs ?? GRACE_MS;
    await Promise.all(servers.map((server) => closeServer(server, grace)));
  };
  try {
    const platform = await options.platform(urls);
    const still = (): number => platform.stillMs?.() ?? 0;
    const condition: Condition = {
      ready: () => !state.stopping && still() <= UNREADY_MS && platform.ready(),
      alive: () => still() <= stallMs,
    };
    state.apps = await buildApps(options, platform, condition, urls);
  } catch (error) {
    await close();
    throw error;
  }
  const apps = state.apps;
  const drain = async (ms: number): Promise<void> => {
    state.stopping = true;
    servers.forEach(drainServer);
    await new Promise((resolve) => setTimeout(resolve, ms));
  };
  const stop = async (): Promise<void> => {
    await drain(0);
    await close();
    await Promise.all(Object.values(apps).map((app) => app.close()));
  };
  let stopped: Promise<void> | null = null;
  return { urls, proxyPort: portOf(proxy), drain, stop: () => (stopped ??= stop()) };
}

type HostHandler = (host: HostName, request: IncomingMessage, response: ServerResponse) => void;

async function bindAll<S>(
  options: HostsOptions<S>,
  limits: ListenerLimits,
  handle: HostHandler,
): Promise<Bound> {
  if (options.portBase === null) {
    const there = HOST_NAMES.filter((host) => options.absent?.includes(host) !== true);
    const missing = there.filter((host) => options.urls?.[host] === undefined);
    if (missing.length > 0) {
      throw new Error(`without listeners of their own hosts need base addresses: ${missing}`);
    }
    return { servers: [], urls: options.urls as Record<HostName, string> };
  }
  const make = (host: HostName): Server | null =>
    options.absent?.includes(host) === true
      ? null
      : makeServer(limits, (request, response) => handle(host, request, response));
  const { portBase, listen: addresses = LOOPBACK, portBaseFixed } = options;
  const bound = await bindBlock(portBase, addresses, make, portBaseFixed);
  if (options.portBase !== 0 && bound.base !== options.portBase) {
    const text = `Ports from ${options.portBase} are taken; the hosts listen from ${bound.base}.`;
    options.log.write({ event: 'notice', text });
  }
  return bound;
}

async function bindProxy<S>(
  options: HostsOptions<S>,
  limits: ListenerLimits,
  handle: HostHandler,
): Promise<Server | null> {
  if (options.proxy === undefined) return null;
  const { port, address = (options.listen ?? LOOPBACK).hosts } = options.proxy;
  const { internal } = options.listen ?? LOOPBACK;
  const withInternal = isLoopback(address) || !isLoopback(internal);
  const server = makeServer(limits, (request, response) => {
    const host = hostOf(request.headers.host ?? '');
    const hidden = host === null || (host === 'internal' && !withInternal);
    const there = !hidden && options.absent?.includes(host) !== true;
    if (!there) sendRefusal(request, response, refuse(httpRefusals.NOT_FOUND));
    else handle(host, request, response);
  });
  if (!(await listen(server, port, address))) {
    throw new Error(`port ${port} for the listener of all hosts is taken`);
  }
  return server;
}

const NAMES: ReadonlySet<string> = new Set(HOST_NAMES);

/** The host that the first label of a Host header names, or null. */
export function hostOf(header: string): HostName | null {
  const label = (header.split(/[.:]/, 1)[0] as string).toLowerCase();
  return NAMES.has(label) ? (label as HostName) : null;
}

function portOf(server: Server | null): number | null {
  const address = server?.address();
  return typeof address === 'object' && address !== null ? address.port : null;
}

async function buildApps<S>(
  options: HostsOptions<S>,
  platform: Platform<S>,
  condition: Condition,
  urls: Readonly<Record<HostName, string>>,
): Promise<Apps> {
  const gate: Gate<S> = {
    services: platform.services,
    verify: platform.verify,
    secret: platform.secret,
    lineOf: platform.lineOf ?? ((world) => world),
    log: options.log,
    notes: platform.notes ?? null,
    heavy: new HeavyBodies(platform.lift),
    limits: new Limits(
      options.callLimits ?? NO_LIMITS,
      senders(options.trustedProxies ?? new BlockList()),
      () => performance.now(),
    ),
    checkAnswers: options.checkAnswers ?? false,
    reference: randomUUID,
  };
  const entries: (readonly [HostName, HostApp])[] = [];
  const health = healthOperations<S>(condition);
  let contract: Contract | null = null;
  const described = (): Contract => (contract ??= contractOf([...options.operations, ...health]));
  for (const host of HOST_NAMES) {
    const own = options.operations.filter(
      (one) => one.host === host && (options.env === 'staging' || one.stagingOnly !== true),
    );
    const all = host === 'internal' ? [...own, ...health] : own;
    const told = all.filter((one) => one.mirror !== true);
    const document = openapiOperation<S>(host, told, described, urls, options.env);
    entries.push([host, await buildApp(host, [...all, document], gate, options.pages?.[host])]);
  }
  return Object.fromEntries(entries) as unknown as Apps;
}
