// The cookie with which a browser resumes an opened link after a reload. No script can read it, no
// other site's page sends it, and it expires with its session. Partitioned, so that it works in a
// frame where third-party cookies are blocked. [G-13]
import { hash } from 'node:crypto';
import { HASHED } from '../../../core/labels.ts';

const PATH = '/ui/api/session';
const RULES = `Path=${PATH}; HttpOnly; Secure; SameSite=None; Partitioned`;

/** One cookie for each link, named by a hash, so that several links can be open at once. */
function nameOf(nonce: string): string {
  return `holdfast_${hash('sha256', `${HASHED.linkCookie}${nonce}`).slice(0, 16)}`;
}

/** The Set-Cookie header that binds a browser to a link for `seconds`. */
export function resumeCookie(nonce: string, resume: string, seconds: number): string {
  return `${nameOf(nonce)}=${resume}; Max-Age=${seconds}; ${RULES}`;
}

/** The Set-Cookie header that deletes it. */
export function clearedCookie(nonce: string): string {
  return `${nameOf(nonce)}=; Max-Age=0; ${RULES}`;
}

/** The value of a link's cookie in a Cookie header, or null. */
export function cookieOf(header: string | string[] | undefined, nonce: string): string | null {
  if (typeof header !== 'string') return null;
  const start = `${nameOf(nonce)}=`;
  const pair = header.split(/; */).find((one) => one.startsWith(start));
  return pair === undefined ? null : pair.slice(start.length);
}
