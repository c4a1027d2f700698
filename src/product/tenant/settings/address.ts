// Which sites may hold our pages in a frame, and where people may be sent back to. An accepted
// address means to every browser what it shows to a person. Pure.
import type { Environment } from '../../context.ts';

/** In characters, of an address or origin. */
export const ADDRESS_MAX = 2_048;

/** The longest name in DNS. */
const HOST_MAX = 253;
/** A name or an IPv4 address; no wildcard, and nothing that could end a policy's word. */
const HOST = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;
const LOOPBACK = /^(localhost|[a-z0-9.-]+\.localhost|127\.\d+\.\d+\.\d+)$/;
/** Escapes that a server behind the address may take for a dot or a slash. */
const HIDDEN_IN_PATH = /%(2e|2f|5c|00)/i;
/** Printable ASCII without backslash. */
const PLAIN = /^[!-[\]-~]+$/;
const SCHEME = /^([a-z][a-z0-9+.-]*):\/\//;

/** Schemes that cannot be an app's own: they run, read or send something, or are no address. */
const NOT_AN_APPS: ReadonlySet<string> = new Set([
  ...['http', 'https', 'ws', 'wss', 'ftp', 'file', 'filesystem', 'data', 'blob', 'about'],
  ...['javascript', 'vbscript', 'view-source', 'jar', 'resource', 'content', 'chrome'],
  ...['chrome-extension', 'moz-extension', 'intent', 'android-app', 'mailto', 'tel', 'sms'],
  ...['urn', 'cid', 'mid'],
]);

interface Address {
  /** Scheme, host and port, compared exactly. */
  readonly base: string;
  /** Begins with a slash, or is empty. */
  readonly path: string;
  readonly hasQuery: boolean;
}

function isLoopback(url: URL): boolean {
  return LOOPBACK.test(url.hostname);
}

/** https; http for loopback in staging; with `apps` also an app's own scheme. */
function mayBe(url: URL, env: Environment, apps: boolean): boolean {
  if (url.protocol === 'https:') return true;
  if (url.protocol === 'http:') return env === 'staging' && isLoopback(url);
  return apps && !NOT_AN_APPS.has(url.protocol.slice(0, -1));
}

/**
 * Reads an address that, up to its query, is spelled exactly as a browser would; null for any
 * other: relative, with credentials, a fragment, a backslash, dot segments, escaped dots and
 * slashes, host names in capitals, numbers that stand for an IP address.
 */
function readAddress(text: string, env: Environment, apps: boolean): Address | null {
  if (text.length > ADDRESS_MAX || !PLAIN.test(text) || text.includes('#')) return null;
  if (!SCHEME.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  const base = `${url.protocol}//${url.host}`;
  if (url.hostname.length > HOST_MAX || !HOST.test(url.hostname)) return null;
  if (!mayBe(url, env, apps)) return null;
  const [head = '', query] = text.split('?', 2);
  const path = head.slice(base.length);
  const same = head.startsWith(base) && (path === url.pathname || path === '');
  if (!same || HIDDEN_IN_PATH.test(path)) return null;
  return { base, path: url.pathname, hasQuery: query !== undefined };
}

/** True for an origin that can be registered: `https://host[:port]`, as a browser spells it. */
export function isOrigin(text: string, env: Environment): boolean {
  const address = readAddress(text, env, false);
  return address !== null && address.base === text;
}

/** True for an address that can be registered; with `apps` also with an app's own scheme. */
export function isAddress(text: string, env: Environment, apps: boolean): boolean {
  return readAddress(text, env, apps)?.hasQuery === false;
}

function covers(entry: Address, asked: Address): boolean {
  if (entry.base !== asked.base) return false;
  const below = entry.path.endsWith('/') ? entry.path : `${entry.path}/`;
  return asked.path === entry.path || asked.path.startsWith(below);
}

/**
 * True where people may be sent to `url`: it has the origin of an entry, and its path or one below
 * it. In staging an empty list allows loopback addresses. [G-64]
 */
export function addressAllowed(list: readonly string[], env: Environment, url: string): boolean {
  const asked = readAddress(url, env, list.length > 0);
  if (asked === null) return false;
  if (list.length === 0) return env === 'staging' && isLoopback(new URL(url));
  return list.some((text) => {
    const entry = readAddress(text, env, true);
    return entry !== null && covers(entry, asked);
  });
}

/** Allowed while a sandbox has registered nothing: the developer's own machine. */
const OWN_MACHINE: readonly string[] = ['http://localhost:*', 'http://127.0.0.1:*'];

/**
 * Sites that may hold our pages in a frame, for a policy's frame-ancestors. Empty in production:
 * nobody may. In staging an empty list allows the developer's own machine. [G-64]
 */
export function frameOrigins(
  settings: { readonly registered_origins: readonly string[] },
  env: Environment,
): readonly string[] {
  const origins = settings.registered_origins.filter((origin) => isOrigin(origin, env));
  return origins.length === 0 && env === 'staging' ? OWN_MACHINE : origins;
}
