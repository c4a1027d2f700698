// A console browser without a screen: keeps a cookie, follows no redirect, and sends forms as our
// pages would.
import assert from 'node:assert/strict';
import { codeAt } from '../../src/product/access/operator/index.ts';

/** How somebody signs in. */
export interface Access {
  readonly username: string;
  readonly password: string;
  readonly totp_secret: string;
}

/** One answer. */
export interface Page {
  readonly status: number;
  readonly text: string;
  readonly location: string | null;
  readonly headers: Headers;
}

/** What a request carries besides. */
export type Extra = Readonly<Record<string, string>>;

/** A browser at the console. */
export class Browser {
  readonly base: string;
  cookie = '';

  constructor(base: string) {
    this.base = base;
  }

  /** Asks for a page. */
  get(path: string, headers: Extra = {}): Promise<Page> {
    return this.#send(path, { headers });
  }

  /** Sends fields as they are; with the origin of our pages unless told otherwise. */
  raw(path: string, body: string, headers: Extra = {}): Promise<Page> {
    const type = 'application/x-www-form-urlencoded';
    const own = { 'content-type': type, origin: this.base };
    return this.#send(path, { method: 'POST', body, headers: { ...own, ...headers } });
  }

  /** Sends a form with the token of the session. */
  async post(path: string, fields: Extra = {}, headers: Extra = {}): Promise<Page> {
    const csrf = await this.csrf();
    return this.raw(path, new URLSearchParams({ csrf, ...fields }).toString(), headers);
  }

  /** Sends a form with one file, as the browser does. */
  async upload(
    path: string,
    fields: Extra,
    name: string,
    bytes: string,
    type = 'application/octet-stream',
  ): Promise<Page> {
    const body = new FormData();
    body.set('csrf', await this.csrf());
    for (const [field, text] of Object.entries(fields)) body.set(field, text);
    body.set(name, new Blob([bytes], { type }), 'file');
    return this.#send(path, { method: 'POST', body, headers: { origin: this.base } });
  }

  /** The token that the session's forms carry. */
  async csrf(): Promise<string> {
    const { text } = await this.get('/password');
    return /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
  }

  /** Signs in with the code of now, or of so many steps later. */
  signIn({ username, password, totp_secret }: Access, steps = 0, next = '/'): Promise<Page> {
    const code = codeAt(totp_secret, Date.now() / 1000 + 30 * steps);
    return this.trySignIn({ username, password, code, next });
  }

  /** Sends the form of signing in. */
  trySignIn(fields: Extra, headers: Extra = {}): Promise<Page> {
    return this.raw('/sign-in', new URLSearchParams(fields).toString(), headers);
  }

  async #send(path: string, init: RequestInit & { headers: Extra }): Promise<Page> {
    const cookie = this.cookie === '' ? {} : { cookie: this.cookie };
    const headers = { accept: 'text/html,*/*', ...cookie, ...init.headers };
    const answer = await fetch(this.base + path, { ...init, headers, redirect: 'manual' });
    const set = answer.headers.get('set-cookie');
    if (set !== null) {
      const [pair = ''] = set.split(';');
      this.cookie = pair.endsWith('=') ? '' : pair;
    }
    const location = answer.headers.get('location');
    const { status, headers: got } = answer;
    return { status, text: await answer.text(), location, headers: got };
  }
}

/** A browser that is signed in. */
export async function signedIn(base: string, access: Access, steps = 0): Promise<Browser> {
  const browser = new Browser(base);
  const answer = await browser.signIn(access, steps);
  assert.equal(answer.status, 303, answer.text);
  return browser;
}
