// The client address of a request: the peer's, or what a trusted proxy reports. From anyone else
// X-Forwarded-For is only a claim.
import type { IncomingMessage } from 'node:http';
import { isIP, type BlockList } from 'node:net';
import ipaddr from 'ipaddr.js';

/** A request's client address as text; an IPv6 subscriber's /64 counts as one. */
export type ClientAddressOf = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string;

/**
 * Finds client addresses behind these proxies. The last hop that is no trusted proxy counts:
 * whatever stands before it was written by the client.
 */
export function senders(proxies: BlockList): ClientAddressOf {
  return ({ headers, socket }) => {
    // A link-local address names its interface after a percent sign.
    let sender = (socket.remoteAddress ?? '').split('%', 1)[0] as string;
    if (isIP(sender) === 0) return 'unknown';
    const noted = headers['x-forwarded-for'];
    const hops = noted === undefined ? [] : String(noted).split(',');
    while (hops.length > 0 && proxies.check(sender, isIP(sender) === 6 ? 'ipv6' : 'ipv4')) {
      const before = (hops.pop() as string).trim();
      if (isIP(before) === 0) break;
      sender = before;
    }
    return nameOf(sender);
  };
}

function nameOf(sender: string): string {
  const address = ipaddr.process(sender);
  if (address.kind() === 'ipv4') return address.toString();
  return address.toNormalizedString().split(':').slice(0, 4).join(':');
}
