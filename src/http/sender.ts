// Answers for whose address a request comes from: the peer's, or what a proxy that was named as
// ours says that it saw. From anybody else X-Forwarded-For is only a claim. Refuses to know what is
// counted by address.
import type { IncomingMessage } from 'node:http';
import { isIP, type BlockList } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The address that a request comes from, as one text; of IPv6 a subscriber's /64 is one. */
export type SenderOf = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string;

/**
 * Reads senders behind these proxies. Of the addresses that hops noted, the last one that is no
 * proxy of ours counts: those before it are its sender's own words.
 */
export function senders(proxies: BlockList): SenderOf {
  return ({ headers, socket }) => {
    // A link-local address names the interface behind a percent sign.
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
