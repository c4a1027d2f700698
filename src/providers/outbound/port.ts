// Outbound HTTP: one POST to a URL that a tenant chose, and the rule which addresses may be called
// at all, shared by every adapter and by registration. Resolving names and sending are the
// adapter's.
import ipaddr from 'ipaddr.js';

/** Why a URL may not be called; shown to the tenant. */
export type TargetObjection =
  | 'malformed'
  | 'scheme'
  | 'credentials'
  | 'fragment'
  | 'port'
  | 'host'
  | 'address';

/** Production is stricter. [G-63] */
export type OutboundEnv = 'staging' | 'production';

/** A parsed URL that may be tried; its resolved addresses must still be checked. */
export interface Target {
  readonly url: URL;
  /** True if its port or name allows loopback addresses only. */
  readonly loopbackOnly: boolean;
}

/** One request. Bodies are sent byte for byte; `timeoutMs` covers name look-up to status. */
export interface OutboundRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
}

/** The outcome of a request; `ms` is its duration. */
export type OutboundResult =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** The header as sent, or null. */
      readonly retryAfter: string | null;
      readonly contentType: string | null;
      /** At most the first 4 kB of the answer; the rest is not read. */
      readonly bytes: Buffer;
      readonly ms: number;
    }
  | {
      readonly kind: 'failed';
      /** One word for the tenant; never an address of ours or a driver's message. */
      readonly reason: OutboundFailure;
      readonly ms: number;
    };

/** Why there was no answer. With `target_*` no connection was opened. */
export type OutboundFailure =
  | `target_${TargetObjection}`
  | 'name_not_resolved'
  | 'connection_refused'
  | 'connection_reset'
  | 'unreachable'
  | 'tls'
  | 'timeout'
  | 'protocol'
  | 'stopped';

/** The port. */
export interface Outbound {
  /** Sends one POST. Never throws for an outcome, never follows a redirect. */
  post(request: OutboundRequest): Promise<OutboundResult>;
  /** Ends open connections; running requests fail with `stopped`. */
  close(): Promise<void>;
}

/** Longest URL on the wire. */
export const TARGET_MAX = 2048;
const STAGING_PORTS: ReadonlySet<string> = new Set(['80', '443', '8443']);
/** Public by range but reachable only inside a cloud: Azure's machine service. */
const INSIDE_A_CLOUD: ReadonlySet<string> = new Set(['168.63.129.16']);

/** The URL parser would silently drop or rewrite control characters, spaces and backslashes. */
function hasOddCharacter(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= 0x20 || code >= 0x7f || code === 0x5c) return true;
  }
  return false;
}

/**
 * Parses a URL: absolute, https, no credentials or fragment, port 443; in staging also http, ports
 * 80 and 8443, and any port of a loopback host. ASCII only, because full-width digits would form an
 * address that nobody sees. [G-63, EV5]
 */
export function readTarget(
  text: string,
  env: OutboundEnv,
): { readonly target: Target } | { readonly objection: TargetObjection } {
  if (text.length > TARGET_MAX || hasOddCharacter(text)) return { objection: 'malformed' };
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return { objection: 'malformed' };
  if (!URL.canParse(text)) return { objection: 'malformed' };
  const url = new URL(text);
  const staging = env === 'staging';
  if (url.protocol !== 'https:' && !(staging && url.protocol === 'http:')) {
    return { objection: 'scheme' };
  }
  // An "@" without a user name is refused as well.
  const authority = text.slice(text.indexOf('//') + 2).split(/[/?#]/, 1)[0] as string;
  if (authority.includes('@')) return { objection: 'credentials' };
  if (text.includes('#')) return { objection: 'fragment' };
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  const literal = literalAddress(url.hostname);
  const place = literal === null ? 'unknown' : placeOf(literal);
  if (place === 'inside') return { objection: 'address' };
  const loopback = place === 'loopback' || isLoopbackName(url.hostname);
  if (!loopback && literal === null && !canExist(url.hostname, staging)) {
    return { objection: 'host' };
  }
  if (loopback) return staging ? { target: { url, loopbackOnly: true } } : { objection: 'address' };
  if (!(staging ? STAGING_PORTS.has(port) : port === '443')) return { objection: 'port' };
  return { target: { url, loopbackOnly: false } };
}

/** One label of a name: at most 63 characters, no hyphen at its ends (RFC 1035). */
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;
const NAME_MAX = 253;
/** Names below these are never public (RFC 6761, 6762, 7686, 8375, 9476; ICANN). */
const NEVER_PUBLIC = /(?:^|\.)(?:test|local|internal|onion|alt|home\.arpa)$/;

/**
 * False for a name that cannot be resolved: an empty or too long label, `.invalid`, and in
 * production one outside the public tree. A sandbox may use names of its own network.
 */
function canExist(hostname: string, staging: boolean): boolean {
  const name = hostname.replace(/\.$/, '');
  const labels = name.split('.');
  if (name.length > NAME_MAX || !labels.every((label) => LABEL.test(label))) return false;
  if (labels.at(-1) === 'invalid') return false;
  return staging || (labels.length > 1 && !NEVER_PUBLIC.test(name));
}

/** The check at registration, without a look-up: null if the URL may be stored. */
export function targetObjection(url: string, env: OutboundEnv): TargetObjection | null {
  const read = readTarget(url, env);
  return 'objection' in read ? read.objection : null;
}

/** The IP address in a URL's host, or null for a name. The URL parser has unified spellings. */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return ipaddr.isValid(bare) ? bare : null;
}

/** True for the names that always mean this machine. */
export function isLoopbackName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '');
  return name === 'localhost' || name.endsWith('.localhost');
}

/**
 * Where an address lies. `inside` is every range that is not plainly public: private, link-local,
 * carrier, reserved, documentation, and each IPv6 form that embeds an IPv4 address.
 */
export function placeOf(address: string): 'public' | 'loopback' | 'inside' {
  if (!ipaddr.isValid(address)) return 'inside';
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (range === 'loopback') return 'loopback';
  if (range !== 'unicast' || INSIDE_A_CLOUD.has(parsed.toString())) return 'inside';
  // Only 2000::/3 is allocated; this also refuses `::127.0.0.1`, which counts as unicast.
  if (parsed.kind() === 'ipv6' && ((parsed.toByteArray()[0] as number) & 0xe0) !== 0x20) {
    return 'inside';
  }
  return 'public';
}

/**
 * Checks resolved addresses: every one must be allowed, so that a good address does not cover for a
 * bad one. An empty list is refused.
 */
export function mayConnect(
  target: Target,
  addresses: readonly string[],
  env: OutboundEnv,
): boolean {
  if (addresses.length === 0) return false;
  const places = new Set(addresses.map(placeOf));
  if (places.size !== 1) return false;
  if (places.has('loopback')) return env === 'staging';
  return places.has('public') && !target.loopbackOnly;
}
