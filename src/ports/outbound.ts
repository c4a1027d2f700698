// The port to receivers outside: one POST to an address that a tenant chose. Answers for the law
// that every adapter and every registration shares: which addresses may be called at all. Refuses
// to know sockets, resolvers, and what is sent.
import ipaddr from 'ipaddr.js';

/** Why an address may not be called. The names are shown to the tenant. */
export type TargetObjection =
  | 'malformed'
  | 'scheme'
  | 'credentials'
  | 'fragment'
  | 'port'
  | 'host'
  | 'address';

/** Where the house runs: production is stricter. [G-63] */
export type OutboundEnv = 'staging' | 'production';

/** An address that was read and may be tried; its resolved addresses are still to be checked. */
export interface Target {
  readonly url: URL;
  /** True when only loopback addresses may be connected to, because of its port or name. */
  readonly loopbackOnly: boolean;
}

/**
 * One request. Bodies are sent byte for byte; `timeoutMs` bounds it from name look-up to status.
 */
export interface OutboundRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
}

/** What came of a request. `ms` is its duration. */
export type OutboundResult =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** The header as sent, or null. */
      readonly retryAfter: string | null;
      readonly contentType: string | null;
      /** The first 4 kB of the answer at most; the rest was not read. */
      readonly bytes: Buffer;
      readonly ms: number;
    }
  | {
      readonly kind: 'failed';
      /** One word for a tenant's eyes; never an address of ours or a driver's sentence. */
      readonly reason: OutboundFailure;
      readonly ms: number;
    };

/** Why there was no answer. `target_*` means that no connection was opened. */
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
  /** Ends open connections; requests under way fail with `stopped`. */
  close(): Promise<void>;
}

/** No address on the wire is longer. */
export const TARGET_MAX = 2048;
const STAGING_PORTS: ReadonlySet<string> = new Set(['80', '443', '8443']);
/** Reachable from inside a cloud only, though the range is public: Azure's machine service. */
const INSIDE_A_CLOUD: ReadonlySet<string> = new Set(['168.63.129.16']);

/** A control character, a space or a backslash: the URL reader would drop or turn them silently. */
function hasOddCharacter(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= 0x20 || code >= 0x7f || code === 0x5c) return true;
  }
  return false;
}

/**
 * Reads an address: absolute, https, without credentials and fragment; port 443, on staging 80 and
 * 8443 and plain http too, and any port of a loopback host. Only ASCII, because full-width digits
 * would become an address that nobody sees. [G-63, EV5]
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
  // An empty "@" leaves no user name but is a trick all the same.
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

/** One part of a name: at most 63 characters, no hyphen at its ends (RFC 1035). */
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;
const NAME_MAX = 253;
/** Names under these never lead anywhere in public (RFC 6761, 6762, 7686, 8375, 9476; ICANN). */
const NEVER_PUBLIC = /(?:^|\.)(?:test|local|internal|onion|alt|home\.arpa)$/;

/**
 * False for a name that no look-up can find: a part that is empty or too long, `.invalid`, and in
 * production one that is not in the public tree. A sandbox may have names of its own network.
 */
function canExist(hostname: string, staging: boolean): boolean {
  const name = hostname.replace(/\.$/, '');
  const labels = name.split('.');
  if (name.length > NAME_MAX || !labels.every((label) => LABEL.test(label))) return false;
  if (labels.at(-1) === 'invalid') return false;
  return staging || (labels.length > 1 && !NEVER_PUBLIC.test(name));
}

/** What registration may know without a look-up: null when the address may be stored. */
export function targetObjection(url: string, env: OutboundEnv): TargetObjection | null {
  const read = readTarget(url, env);
  return 'objection' in read ? read.objection : null;
}

/**
 * The address that a URL's host spells, or null for a name. The URL reader has unified spellings.
 */
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
 * carrier, reserved, documentation, and each IPv6 form that carries an IPv4 address.
 */
export function placeOf(address: string): 'public' | 'loopback' | 'inside' {
  if (!ipaddr.isValid(address)) return 'inside';
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (range === 'loopback') return 'loopback';
  if (range !== 'unicast' || INSIDE_A_CLOUD.has(parsed.toString())) return 'inside';
  // Only 2000::/3 is handed out; this also refuses `::127.0.0.1`, which counts as unicast.
  if (parsed.kind() === 'ipv6' && ((parsed.toByteArray()[0] as number) & 0xe0) !== 0x20) {
    return 'inside';
  }
  return 'public';
}

/**
 * Checks what a name was resolved to: every address must be allowed, so that one good address does
 * not cover for a bad one. An empty list is not allowed.
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
