// Where the hosts listen: one listener each on consecutive ports, and optionally one for all hosts
// behind a proxy, which chooses by the Host header; on the HTTP thread where there is one.
import { HOST_NAMES } from '../core/operation.ts';
import type { HostName } from '../core/operation.ts';
import { refuse } from '../core/refusal.ts';
import { DEFAULT_LIMITS } from './listener.ts';
import type { Door, Handler, Listener, ListenerLimits } from './listener.ts';
import type { HttpLog } from './log.ts';
import { bindBlock, isLoopback, LOOPBACK } from './ports.ts';
import type { Addresses, Bound } from './ports.ts';
import { httpRefusals } from './refusals.ts';
import { sendRefusal } from './send.ts';
import { makeListener } from './server.ts';
import { HttpThread } from './thread/index.ts';

/** Where the hosts listen. */
export interface ListenOptions {
  readonly log: HttpLog;
  /** First port; 0 lets the system choose each. Null: no listener per host. [G-03] */
  readonly portBase: number | null;
  /** True: a taken port fails the start; else the next block is tried. [G-03] */
  readonly portBaseFixed?: boolean;
  /** True: the hosts of programs, and the listener for all, are on a thread of their own. */
  readonly thread?: boolean;
  /** Addresses the listeners bind; 127.0.0.1 by default. */
  readonly listen?: Addresses;
  /** Public base addresses, if a proxy stands in front. */
  readonly urls?: Partial<Readonly<Record<HostName, string>>>;
  /**
   * One listener for all hosts, chosen by the first label of the Host header; of `internal` it has
   * the health checks alone. [G-03]
   */
  readonly proxy?: { readonly port: number; readonly address?: string };
  /** Hosts that are off: nothing listens, their address is ''. [G-04] */
  readonly absent?: readonly HostName[];
  readonly limits?: Partial<ListenerLimits>;
}

/** Who answers for each host. */
export type Doors = Readonly<Record<HostName, Door>>;
/** Makes the listener of a host, or of all. */
type MakeListener = (door: Door, host: HostName | null) => Listener;

/** Hosts of programs: what they are asked is short, and no page. */
const THREADED: ReadonlySet<HostName> = new Set([
  'pii',
  'invoicing',
  'payments',
  'auth',
  'accounts',
  'wallets',
]);

/** The listeners of all hosts. */
export interface BoundListeners {
  readonly urls: Readonly<Record<HostName, string>>;
  /** Port of the listener for all hosts, or null. */
  readonly proxyPort: number | null;
  /** Seconds that the event loop of the HTTP thread was late; null without that thread. */
  readonly threadLag: (() => Promise<number>) | null;
  /** From now on every answer closes its connection. */
  drain(): void;
  /** Closes all; running requests get `graceMs`. */
  close(graceMs: number): Promise<void>;
}

/** Binds the listeners of all hosts. Throws where an address is taken that may be no other. */
export async function bindListeners(
  options: ListenOptions,
  doors: Doors,
): Promise<BoundListeners> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const thread = options.thread === true ? new HttpThread() : null;
  const make: MakeListener = (door, host) =>
    thread === null || (host !== null && !THREADED.has(host))
      ? makeListener(limits, door)
      : thread.listener(limits, door);
  try {
    const bound = await bindHosts(options, make, doors);
    const proxy = await bindProxy(options, make, doors);
    const listeners = [...bound.listeners, ...(proxy === null ? [] : [proxy.listener])];
    return {
      ...{ urls: bound.urls, proxyPort: proxy?.port ?? null },
      threadLag: thread === null ? null : () => thread.lag(),
      drain: () => listeners.forEach((listener) => listener.drain()),
      close: async (graceMs) => {
        await Promise.all(listeners.map((listener) => listener.close(graceMs)));
        await thread?.end();
      },
    };
  } catch (error) {
    await thread?.end();
    throw error;
  }
}

async function bindHosts(
  options: ListenOptions,
  makeFor: MakeListener,
  doors: Doors,
): Promise<Bound> {
  if (options.portBase === null) {
    const there = HOST_NAMES.filter((host) => options.absent?.includes(host) !== true);
    const missing = there.filter((host) => options.urls?.[host] === undefined);
    if (missing.length > 0) {
      throw new Error(`without listeners of their own hosts need base addresses: ${missing}`);
    }
    return { listeners: [], urls: options.urls as Record<HostName, string> };
  }
  const make = (host: HostName): Listener | null =>
    options.absent?.includes(host) === true ? null : makeFor(doors[host], host);
  const { portBase, listen: addresses = LOOPBACK, portBaseFixed } = options;
  const bound = await bindBlock(portBase, addresses, make, portBaseFixed);
  if (options.portBase !== 0 && bound.base !== options.portBase) {
    const text = `Ports from ${options.portBase} are taken; the hosts listen from ${bound.base}.`;
    options.log.write({ event: 'notice', text });
  }
  return bound;
}

async function bindProxy(
  options: ListenOptions,
  make: MakeListener,
  doors: Doors,
): Promise<{ readonly listener: Listener; readonly port: number } | null> {
  if (options.proxy === undefined) return null;
  const { port, address = (options.listen ?? LOOPBACK).hosts } = options.proxy;
  const { internal } = options.listen ?? LOOPBACK;
  const withInternal = isLoopback(address) || !isLoopback(internal);
  const choose: Handler = (request, response) => {
    const host = hostOf(request.headers.host ?? '');
    const isHealth = (): boolean => withInternal && HEALTH.test(request.url as string);
    const hidden = host === null || (host === 'internal' && !isHealth());
    const there = !hidden && options.absent?.includes(host) !== true;
    if (!there) sendRefusal(request, response, refuse(httpRefusals.NOT_FOUND));
    else doors[host].handle(request, response);
  };
  const listener = make({ handle: choose }, null);
  const bound = await listener.listen(port, address);
  if (bound === null) throw new Error(`port ${port} for the listener of all hosts is taken`);
  return { listener, port: bound };
}

/** All that `internal` answers there: a proxy asks for it, and might let others ask too. */
const HEALTH = /^\/(?:readyz|healthz)$/;
const NAMES: ReadonlySet<string> = new Set(HOST_NAMES);

/** The host named by the first label of a Host header, or null. */
export function hostOf(header: string): HostName | null {
  const label = (header.split(/[.:]/, 1)[0] as string).toLowerCase();
  return NAMES.has(label) ? (label as HostName) : null;
}
