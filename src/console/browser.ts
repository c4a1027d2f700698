// What the console checks about a browser's request: session cookie, host, and whether one of our
// pages sent it. What cannot be shown to be ours is refused.
import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Came } from '../product/access/operator/index.ts';

/** The console's public address. */
export interface Place {
  readonly origin: string;
  readonly host: string;
  /** False on a loopback address without TLS, where browsers do not store a secure cookie. */
  readonly secure: boolean;
}

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|localhost|\[::1\])$/;

/** Reads the console's base URL. */
export function placeOf(url: string): Place {
  const { origin, host, hostname, protocol } = new URL(url);
  return { origin, host, secure: protocol === 'https:' || !LOOPBACK.test(hostname) };
}

/**
 * Our cookies: the session, what a single sign-on began with, which comes from elsewhere, and by
 * which a browser is known again for 400 days, which allows nothing.
 */
const COOKIES = {
  console: 'Strict',
  sign_on: 'Lax; Max-Age=600',
  device: 'Lax; Max-Age=34560000',
} as const;
type Cookie = keyof typeof COOKIES;

function cookieName({ secure }: Place, cookie: Cookie): string {
  // With this prefix a browser accepts the cookie only over TLS and for this host alone.
  return `${secure ? '__Host-' : ''}holdfast_${cookie}`;
}

/** The session token, or what another of our cookies has; null for none. */
export function tokenOf(
  request: FastifyRequest,
  place: Place,
  cookie: Cookie = 'console',
): string | null {
  const start = `${cookieName(place, cookie)}=`;
  const pairs = (request.headers.cookie ?? '').split(/; */).filter((one) => one.startsWith(start));
  // If two are sent, one was planted; neither counts.
  return pairs.length === 1 ? (pairs[0] as string).slice(start.length) : null;
}

/** Set-Cookie header that keeps a token until the browser is closed; null deletes it. */
export function sessionCookie(
  token: string | null,
  place: Place,
  cookie: Cookie = 'console',
): string {
  const rules = `Path=/; HttpOnly; SameSite=${COOKIES[cookie]}${place.secure ? '; Secure' : ''}`;
  const end = token === null ? '; Max-Age=0' : '';
  return `${cookieName(place, cookie)}=${token ?? ''}; ${rules}${end}`;
}

/** True if the Host header is the console's address. */
export function rightHost(request: FastifyRequest, { host }: Place): boolean {
  return (request.headers.host ?? '').toLowerCase() === host;
}

/** True for another name of this machine, which only needs a redirect to the right one. */
export function isOtherLoopback(request: FastifyRequest, place: Place): boolean {
  const [named = '', port = ''] = (request.headers.host ?? '').split(/:(?=\d+$)/);
  return LOOPBACK.test(named) && place.host.endsWith(`:${port}`) && !place.secure;
}

/**
 * True if one of our pages sent the request: by Origin or, where a browser sends none, by
 * Sec-Fetch-Site. Without either it is refused.
 */
export function sentByUs(request: FastifyRequest, { origin }: Place): boolean {
  const { origin: given, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined && site !== 'same-origin') return false;
  return given === undefined ? site === 'same-origin' : given === origin;
}

/** The path to continue with after sign-in; the overview for anything that is not our path. */
export function ownPath(next: string | undefined): string {
  const plain = /^\/(?![/\\])[\x21-\x7e]{0,500}$/.test(next ?? '') && !next?.includes('\\');
  return plain ? (next as string) : '/';
}

const BROWSERS = [
  ['Edg', 'Edge'], ['OPR', 'Opera'], ['Firefox', 'Firefox'], ['FxiOS', 'Firefox'],
  ['Chrome', 'Chrome'], ['CriOS', 'Chrome'], ['Safari', 'Safari'],
] as const;
const SYSTEMS = [
  ['iPhone', 'iPhone'], ['iPad', 'iPad'], ['Android', 'Android'], ['Windows', 'Windows'],
  ['Macintosh', 'macOS'], ['Linux', 'Linux'],
] as const;

/** Who comes to sign in, for people: never the browser's own words, which anybody may choose. */
export function cameIn(request: FastifyRequest, place: Place, address: string): Came {
  const agent = request.headers['user-agent'] ?? '';
  const named = (names: readonly (readonly [string, string])[], otherwise: string): string =>
    names.find(([word]) => agent.includes(word))?.[1] ?? otherwise;
  const browser = `${named(BROWSERS, 'another browser')} on ${named(SYSTEMS, 'another system')}`;
  return { device: tokenOf(request, place, 'device'), browser, place: networkOf(address) };
}

/** The first three parts of an address, which name a network and nobody in it. */
function networkOf(address: string): string {
  if (isIP(address) === 4) return address.replace(/\.\d+$/, '.0/24');
  const parts = address.split(':');
  return parts.length < 3 ? 'unknown' : `${parts.slice(0, 3).join(':')}::/48`;
}

/** The Set-Cookie headers of a session that begins. */
export function begunCookies(
  { token, device }: { readonly token: string; readonly device: string },
  place: Place,
): string[] {
  return [sessionCookie(token, place), sessionCookie(device, place, 'device')];
}
