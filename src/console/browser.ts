// What a request says about the browser behind it: its cookie, where it comes from, whether a page
// of ours sent it. Answers for refusing what cannot be shown to be ours. Refuses to know sessions.
import type { FastifyRequest } from 'fastify';

/** Where the console is, as the world sees it. */
export interface Place {
  readonly origin: string;
  readonly host: string;
  /** False on a loopback address without TLS: a browser would not keep a secure cookie there. */
  readonly secure: boolean;
}

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|localhost|\[::1\])$/;

/** Reads the console's base address. */
export function placeOf(url: string): Place {
  const { origin, host, hostname, protocol } = new URL(url);
  return { origin, host, secure: protocol === 'https:' || !LOOPBACK.test(hostname) };
}

function cookieName({ secure }: Place): string {
  // With this prefix a browser takes the cookie only over TLS, for this host alone.
  return secure ? '__Host-holdfast_console' : 'holdfast_console';
}

/** The token of the session, or null. */
export function tokenOf(request: FastifyRequest, place: Place): string | null {
  const start = `${cookieName(place)}=`;
  const pairs = (request.headers.cookie ?? '').split(/; */).filter((one) => one.startsWith(start));
  // Of two that are sent one was planted; neither counts.
  return pairs.length === 1 ? (pairs[0] as string).slice(start.length) : null;
}

/** The Set-Cookie header that keeps a token until the browser is closed; null forgets it. */
export function sessionCookie(token: string | null, place: Place): string {
  const rules = `Path=/; HttpOnly; SameSite=Strict${place.secure ? '; Secure' : ''}`;
  const end = token === null ? '; Max-Age=0' : '';
  return `${cookieName(place)}=${token ?? ''}; ${rules}${end}`;
}

/** True when the Host header names the console as its address does. */
export function rightHost(request: FastifyRequest, { host }: Place): boolean {
  return (request.headers.host ?? '').toLowerCase() === host;
}

/** True for another name of this machine, whose owner only has to be led to the right one. */
export function isOtherLoopback(request: FastifyRequest, place: Place): boolean {
  const [named = '', port = ''] = (request.headers.host ?? '').split(/:(?=\d+$)/);
  return LOOPBACK.test(named) && place.host.endsWith(`:${port}`) && !place.secure;
}

/**
 * True when a page of ours sent the request: its Origin says so, or, where a browser sends none,
 * its Sec-Fetch-Site. Neither is no proof.
 */
export function sentByUs(request: FastifyRequest, { origin }: Place): boolean {
  const { origin: given, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined && site !== 'same-origin') return false;
  return given === undefined ? site === 'same-origin' : given === origin;
}

/** The path to go on with after signing in; the overview for whatever is not a path of ours. */
export function ownPath(next: string | undefined): string {
  const plain = /^\/(?![/\\])[\x21-\x7e]{0,500}$/.test(next ?? '') && !next?.includes('\\');
  return plain ? (next as string) : '/';
}
