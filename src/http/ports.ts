// Finds a free block of consecutive ports, one for each host in order.
import { isIP } from 'node:net';
import { HOST_NAMES } from '../core/operation.ts';
import type { HostName } from '../core/operation.ts';
import type { Listener } from './listener.ts';

/** Listeners and their addresses. */
export interface Bound {
  readonly listeners: readonly Listener[];
  readonly urls: Readonly<Record<HostName, string>>;
  /** First port of the block; 0 if the system chose. */
  readonly base?: number;
}

/** IP addresses that listeners bind; `internal` has its own. */
export interface Addresses {
  readonly hosts: string;
  readonly internal: string;
}

/** Reachable from this machine only. */
export const LOOPBACK: Addresses = { hosts: '127.0.0.1', internal: '127.0.0.1' };

/** True for an address reachable from this machine only. */
export function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.');
}

const MOST_BLOCKS = 200;
const LAST_PORT = 65_535;

/**
 * Binds one listener per host from `base` on, except where `make` gives none. If one port is taken,
 * the whole next block is tried, so that ports stay in the order of hosts; with `fixed` it fails
 * and names the port. [G-03] With base 0 the system chooses each port.
 */
export async function bindBlock(
  base: number,
  addresses: Addresses,
  make: (host: HostName) => Listener | null,
  fixed = false,
): Promise<Bound> {
  for (let block = 0; block < MOST_BLOCKS; block += 1) {
    const first = base + block * HOST_NAMES.length;
    if (first + HOST_NAMES.length - 1 > LAST_PORT) break;
    const bound = await tryBlock(base === 0 ? 0 : first, addresses, make);
    if (typeof bound !== 'number') return bound;
    if (fixed && base !== 0) throw new Error(`Port ${bound} is taken: ${sentenceOf(base)}`);
  }
  throw new Error(`no block of ${HOST_NAMES.length} free ports was found from ${base} on`);
}

function sentenceOf(base: number): string {
  const last = base + HOST_NAMES.length - 1;
  return `the hosts need every port from ${base} to ${last}; free it or choose another port base.`;
}

/** The bound block, or its first taken port. */
async function tryBlock(
  first: number,
  addresses: Addresses,
  make: (host: HostName) => Listener | null,
): Promise<Bound | number> {
  const listeners: Listener[] = [];
  const urls: Partial<Record<HostName, string>> = {};
  for (const [at, host] of HOST_NAMES.entries()) {
    const listener = make(host);
    if (listener === null) {
      urls[host] = '';
      continue;
    }
    listeners.push(listener);
    const address = host === 'internal' ? addresses.internal : addresses.hosts;
    const port = await listener.listen(first === 0 ? 0 : first + at, address);
    // A browser may try ::1 first for the shop's name; without IPv6 nothing is lost.
    const twice = port !== null && isLocalName(host) && isIP(address) === 4;
    const second = twice ? (make(host) as Listener) : null;
    if (second !== null) listeners.push(second);
    if (port === null || (second !== null && (await isTakenOnIpv6(second, port)))) {
      await Promise.all(listeners.map((one) => one.close(0)));
      return first + at;
    }
    urls[host] = `http://${nameOf(host, address)}:${port}`;
  }
  return { listeners, urls: urls as Record<HostName, string>, base: first };
}

/** Where the host is reached from this machine. */
function nameOf(host: HostName, address: string): string {
  const own = ANY.get(address) ?? address;
  if (isLocalName(host) && isLoopback(own)) return 'localhost';
  return isIP(own) === 6 ? `[${own}]` : own;
}

/** The local name of a listener on all addresses. */
const ANY: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

/** The shop has another host name, so that a browser treats it as another site. [G-03] */
function isLocalName(host: HostName): boolean {
  return host === 'shop';
}

/** True if somebody else has the port there; a machine may have no IPv6 at all. */
async function isTakenOnIpv6(listener: Listener, port: number): Promise<boolean> {
  try {
    return (await listener.listen(port, '::1')) === null;
  } catch {
    return false;
  }
}
