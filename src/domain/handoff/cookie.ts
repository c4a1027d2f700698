// The cookie by which a browser that opened a link goes on after a reload: no script reads it, no
// other site's page sends it, and it ends with its session. Partitioned, so that it works in a
// frame where third-party cookies are blocked. [G-13]
import { hash } from 'node:crypto';

const PATH = '/ui/api/session';
const RULES = `Path=${PATH}; HttpOnly; Secure; SameSite=None; Partitioned`;

/** One cookie for each link, named by a hash: several links are open side by side. */
function nameOf(nonce: string): string {
  return `holdfast_${hash('sha256', `cookie:${nonce}`).slice(0, 16)}`;
}

/** The Set-Cookie header that binds a browser to a link, for so many seconds. */
export function resumeCookie(nonce: string, resume: string, seconds: number): string {
  return `${nameOf(nonce)}=${resume}; Max-Age=${seconds}; ${RULES}`;
}

/** The Set-Cookie header that forgets it. */
export function clearedCookie(nonce: string): string {
  return `${nameOf(nonce)}=; Max-Age=0; ${RULES}`;
}

/** What a Cookie header says of a link, or null. */
export function cookieOf(header: string | string[] | undefined, nonce: string): string | null {
  if (typeof header !== 'string') return null;
  const start = `${nameOf(nonce)}=`;
  const pair = header.split(/; */).find((one) => one.startsWith(start));
  return pair === undefined ? null : pair.slice(start.length);
}
