// Answers for finding a block of ports that is free as a whole, one for each host in their order.
// Refuses to know what listens there.
import type { Server } from 'node:http';
import { isIP } from 'node:net';
import { HOST_NAMES } from '../kernel/operation.ts';
import type { HostName } from '../kernel/operation.ts';
import { listen } from './server.ts';

/** Listeners and the addresses under which they are reached. */
export interface Bound {
  readonly servers: readonly Server[];
  readonly urls: Readonly<Record<HostName, string>>;
  /** First port of the block; 0 when the system chose. */
  readonly base?: number;
}

/** IP addresses that listeners bind; that of `internal` apart. */
export interface Addresses {
  readonly hosts: string;
  readonly internal: string;
}

/** Reached from this machine only. */
export const LOOPBACK: Addresses = { hosts: '127.0.0.1', internal: '127.0.0.1' };

/** True for an address that only this machine reaches. */
export function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.');
}

const MOST_BLOCKS = 200;
const LAST_PORT = 65_535;

/**
 * Binds one listener for each host from `base` on, except where `make` gives none. If one port is
 * taken, none of the block is used and the next block is tried, so that the order of ports stays
 * the order of hosts; with `fixed` that is a failure that names the port. [G-03] Base 0 lets the
 * system choose each port.
 */
export async function bindBlock(
  base: number,
  addresses: Addresses,
  make: (host: HostName) => Server | null,
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

/** The bound block, or the first port of it that is taken. */
async function tryBlock(
  first: number,
  addresses: Addresses,
  make: (host: HostName) => Server | null,
): Promise<Bound | number> {
  const servers: Server[] = [];
  const urls: Partial<Record<HostName, string>> = {};
  for (const [at, host] of HOST_NAMES.entries()) {
    const server = make(host);
    if (server === null) {
      urls[host] = '';
      continue;
    }
    const address = host === 'internal' ? addresses.internal : addresses.hosts;
    const free = await listen(server, first === 0 ? 0 : first + at, address);
    if (free) servers.push(server);
    // A browser may try ::1 first for the shop's name; where IPv6 is absent nothing is lost.
    const port = free ? portOf(server) : 0;
    const twice = free && isLocalName(host) && isIP(address) === 4;
    const second = twice ? await onIpv6(make(host) as Server, port) : null;
    if (second?.server !== undefined) servers.push(second.server);
    if (!free || second?.taken === true) {
      await Promise.all(servers.map(close));
      return first + at;
    }
    urls[host] = `http://${nameOf(host, address)}:${port}`;
  }
  return { servers, urls: urls as Record<HostName, string>, base: first };
}

/** Where the host is found from this machine. */
function nameOf(host: HostName, address: string): string {
  const own = ANY.get(address) ?? address;
  if (isLocalName(host) && isLoopback(own)) return 'localhost';
  return isIP(own) === 6 ? `[${own}]` : own;
}

/** What a listener on all addresses is called on its own machine. */
const ANY: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

/** The shop has another name than the rest, so that a browser takes it for another site. [G-03] */
function isLocalName(host: HostName): boolean {
  return host === 'shop';
}

function portOf(server: Server): number {
  const address = server.address();
  if (typeof address === 'string' || address === null) throw new Error('a listener has no port');
  return address.port;
}

interface Second {
  readonly server?: Server;
  readonly taken: boolean;
}

async function onIpv6(server: Server, port: number): Promise<Second> {
  try {
    return (await listen(server, port, '::1')) ? { server, taken: false } : { taken: true };
  } catch {
    return { taken: false };
  }
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => void server.close(() => resolve()));
}
