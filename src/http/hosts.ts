// The hosts: what they run on, and their start and stop. What they serve is passed in; where they
// listen is in listeners.ts.
import { BlockList } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { NO_OBSERVER, type Observer } from '../concurrency/observer.ts';
import { HOST_NAMES } from '../core/operation.ts';
import type { Caller, HostName, Operation, Shut } from '../core/operation.ts';
import { refuse } from '../core/refusal.ts';
import type { LiftBody } from '../providers/files/port.ts';
import { buildApp } from './app.ts';
import type { HostApp } from './app.ts';
import type { Gate, Verify } from './request-context.ts';
import { healthOperations, metricsOperation } from './health.ts';
import type { Condition } from './health.ts';
import { LargeBodies } from './large-body.ts';
import { Limits, NO_LIMITS } from './limits.ts';
import type { CallLimits } from './limits.ts';
import type { RequestNotes } from './notes.ts';
import { contractOf, type Contract } from './openapi-contract.ts';
import { openapiOperation } from './openapi.ts';
import type { Pages } from './pages.ts';
import { httpRefusals } from './refusals.ts';
import { sendRefusal } from './send.ts';
import { senders } from './client-address.ts';
import type { Handler } from './listener.ts';
import { bindListeners, type BoundListeners, type Doors, type ListenOptions } from './listeners.ts';

/** What the hosts run on; made once their addresses are known. */
export interface Platform<S> {
  readonly services: S;
  readonly verify: Verify;
  /** Key of request hashes, so that nobody can test guesses with the database alone. */
  readonly secret: string;
  /** Lineage of a workspace; absent: workspaces have no clones. */
  readonly lineageOf?: (workspace: number) => number;
  /** Parses large bodies; without it no operation may declare them. */
  readonly lift?: LiftBody;
  /** Records which calls named which ids; absent or null: off. */
  readonly notes?: RequestNotes | null;
  /** True if the process can do its work. */
  ready(): boolean;
  /** Milliseconds since open work last progressed. */
  stillMs?(): number;
  /** How many processes share the limits of callers; absent: this one alone. */
  nodes?: () => number;
  /** Whose writes are stopped, everybody's or the tenant's, or where the tenant is; else null. */
  stopped?(caller: Caller): Shut | null;
}

/** How the hosts are started. */
export interface HostsOptions<S> extends ListenOptions {
  readonly env: 'staging' | 'production';
  readonly operations: readonly Operation<S>[];
  /** Makes what the operations run on. Called once, when the addresses are known. */
  platform(urls: Readonly<Record<HostName, string>>): Promise<Platform<S>>;
  /** Pages beside the operations of a host. */
  readonly pages?: Partial<Readonly<Record<HostName, Pages<S>>>>;
  /** The pages that a browser is led to from `/` and `/docs` of hosts of programs. */
  readonly front?: { readonly host: HostName; readonly path: string };
  /** Limits per caller and process; none by default. [G-06] */
  readonly callLimits?: CallLimits;
  /** Peers whose X-Forwarded-For is trusted; none by default. */
  readonly trustedProxies?: BlockList;
  /** Milliseconds that running requests get at a stop. */
  readonly graceMs?: number;
  /** The process is not alive once open work has stood still for so many milliseconds. */
  readonly stallMs?: number;
  /** Counts, and records traces; absent: nobody does. */
  readonly observer?: Observer;
  /** The figures for Prometheus, with the lag of the HTTP thread; absent: there are none. */
  readonly metrics?: (threadLag: BoundListeners['threadLag']) => Promise<string>;
  /** Tests: undeclared answers are faults. */
  readonly checkAnswers?: boolean;
}

/** Running hosts. */
export interface RunningHosts {
  /** Base addresses; '' for an absent host. */
  readonly urls: Readonly<Record<HostName, string>>;
  /** Port of the listener for all hosts, or null. */
  readonly proxyPort: number | null;
  /**
   * Reports not ready from now on, closes each connection with its next answer, and serves on for
   * `ms` so that a load balancer notices. [reliability: graceful stop]
   */
  drain(ms: number): Promise<void>;
  /** Accepts nothing new, finishes running requests, cuts the rest. */
  stop(): Promise<void>;
  /** After a stop: resolves once no request runs that was cut, or after the time of grace. */
  ended(): Promise<void>;
}

const GRACE_MS = 10_000;
const STALL_MS = 30_000;
/** With open work still for so long, the process reports not ready. */
const UNREADY_MS = 3_000;

/** Answers while the hosts are being built. */
const notReady: Handler = (request, response) =>
  sendRefusal(request, response, refuse(httpRefusals.OVERLOADED, {}, 1));

/**
 * Starts every host; resolves when all answer. Hosts without operations answer 404. [G-02, G-03]
 */
export async function startHosts<S>(options: HostsOptions<S>): Promise<RunningHosts> {
  const state = { stopping: false };
  const closed = HOST_NAMES.map((host) => [host, { handle: notReady }]);
  const doors = Object.fromEntries(closed) as Doors;
  const bound = await bindListeners(options, doors);
  const none = Object.fromEntries((options.absent ?? []).map((host) => [host, '']));
  const urls = { ...bound.urls, ...options.urls, ...none };
  const { stallMs = STALL_MS } = options;
  const { graceMs: grace = GRACE_MS } = options;
  const apps: HostApp[] = [];
  let calls: Limits | null = null;
  try {
    const platform = await options.platform(urls);
    calls = limitsOf(options, platform);
    const still = (): number => platform.stillMs?.() ?? 0;
    const condition: Condition = {
      ready: () => !state.stopping && still() <= UNREADY_MS && platform.ready(),
      alive: () => still() <= stallMs,
    };
    const made = { platform, calls, threadLag: bound.threadLag };
    for (const [host, app] of await buildApps(options, made, condition, urls)) {
      doors[host].handle = app.handle;
      apps.push(app);
    }
  } catch (error) {
    await bound.close(grace);
    throw error;
  }
  const drain = async (ms: number): Promise<void> => {
    state.stopping = true;
    bound.drain();
    await new Promise((resolve) => setTimeout(resolve, ms));
  };
  const stop = async (): Promise<void> => {
    await drain(0);
    await bound.close(grace);
    await Promise.all(apps.map((app) => app.close()));
  };
  const ended = async (): Promise<void> => {
    await Promise.race([calls?.idle(), sleep(grace, null, { ref: false })]);
  };
  let stopped: Promise<void> | null = null;
  return { urls, proxyPort: bound.proxyPort, drain, stop: () => (stopped ??= stop()), ended };
}

function limitsOf<S>(options: HostsOptions<S>, { nodes }: Platform<S>): Limits {
  const addressOf = senders(options.trustedProxies ?? new BlockList());
  const { callLimits = NO_LIMITS } = options;
  return new Limits(callLimits, addressOf, () => performance.now(), nodes);
}

/** What there is once the listeners are bound. */
interface Made<S> extends Pick<BoundListeners, 'threadLag'> {
  readonly platform: Platform<S>;
  readonly calls: Limits;
}

async function buildApps<S>(
  options: HostsOptions<S>,
  { platform, calls, threadLag }: Made<S>,
  condition: Condition,
  urls: Readonly<Record<HostName, string>>,
): Promise<(readonly [HostName, HostApp])[]> {
  const gate: Gate<S> = {
    services: platform.services,
    verify: platform.verify,
    secret: platform.secret,
    lineageOf: platform.lineageOf ?? ((workspace) => workspace),
    log: options.log,
    notes: platform.notes ?? null,
    heavy: new LargeBodies(platform.lift),
    limits: calls,
    stopped: (caller) => platform.stopped?.(caller) ?? null,
    checkAnswers: options.checkAnswers ?? false,
    observer: options.observer ?? NO_OBSERVER,
  };
  const entries: (readonly [HostName, HostApp])[] = [];
  const health = healthOperations<S>(condition);
  const { front, metrics } = options;
  const figures = metrics === undefined ? [] : [metricsOperation<S>(() => metrics(threadLag))];
  let contract: Contract | null = null;
  const described = (): Contract => (contract ??= contractOf([...options.operations, ...health]));
  for (const host of HOST_NAMES) {
    const own = options.operations.filter(
      (one) => one.host === host && (options.env === 'staging' || one.stagingOnly !== true),
    );
    const all = host === 'internal' ? [...own, ...health] : own;
    const told = all.filter((one) => one.mirror !== true);
    const document = openapiOperation<S>(host, told, described, urls, options.env);
    const untold = host === 'internal' ? [document, ...figures] : [document];
    const pages = options.pages?.[host];
    const led = front !== undefined && (host === front.host || pages === undefined);
    const to = led ? urls[front.host] + front.path : undefined;
    entries.push([host, await buildApp(host, [...all, ...untold], gate, pages, to)]);
  }
  return entries;
}
