// An identity provider on loopback for single sign-on, whose people and groups a test names, and a
// browser that signs in there and comes back.
import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Provider from 'oidc-provider';

/** Somebody there, by the name that they enter. */
export interface SomebodyThere {
  readonly name?: string;
  readonly preferred_username?: string;
  readonly email?: string;
  readonly groups?: readonly string[];
}

/** The provider, which knows who is in `people`. */
export interface IdentityProvider {
  readonly issuer: string;
  readonly people: Map<string, SomebodyThere>;
  /** Begins to serve a client that is sent back to the console; before, it answers 503. */
  serve(console: string): void;
  /** Answers by something else. */
  answer(listener: RequestListener): void;
  stop(): Promise<void>;
}

export const CLIENT = { id: 'console', secret: 'invented secret of the console client' } as const;

/** Settings of a platform whose people sign in there; `folder` gets a file with the secret. */
export function signOnAt(
  { issuer }: IdentityProvider,
  folder: string,
  groups: string,
): Record<string, string> {
  const secretFile = join(folder, 'client-secret');
  writeFileSync(secretFile, `${CLIENT.secret}\n`);
  return {
    HOLDFAST_SSO_ISSUER: issuer,
    HOLDFAST_SSO_CLIENT_ID: CLIENT.id,
    HOLDFAST_SSO_SECRET_FILE: secretFile,
    HOLDFAST_SSO_GROUPS: groups,
  };
}

/** Starts it; its address is known before it serves. */
export async function startIdentityProvider(): Promise<IdentityProvider> {
  const people = new Map<string, SomebodyThere>();
  let listener: RequestListener = (_request, response) => response.writeHead(503).end();
  const server = createServer((request, response) => listener(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // To a browser another site than the console, which is at 127.0.0.1.
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    ...{ issuer, people },
    serve: (console) => {
      listener = new Provider(issuer, configuration(console, people)).callback();
    },
    answer: (other) => {
      listener = other;
    },
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function configuration(console: string, people: ReadonlyMap<string, SomebodyThere>): object {
  return {
    clients: [
      {
        ...{ client_id: CLIENT.id, client_secret: CLIENT.secret },
        redirect_uris: [`${console}/sign-in/back`],
      },
    ],
    claims: { openid: ['sub'], profile: ['name', 'preferred_username', 'groups', 'email'] },
    cookies: { keys: ['invented key of cookies'] },
    findAccount: (_context: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId, ...people.get(accountId) }),
    }),
    pkce: { required: () => true },
  };
}

/** A browser that keeps the cookies of each address. */
export class Visitor {
  readonly #cookies = new Map<string, Map<string, string>>();

  /** One request; follows nothing. */
  async ask(url: string, init: RequestInit = {}): Promise<Response> {
    const { origin } = new URL(url);
    const jar = this.#cookies.get(origin) ?? new Map<string, string>();
    this.#cookies.set(origin, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { accept: 'text/html', ...init.headers, ...(cookie !== '' && { cookie }) };
    const answer = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  }

  /** From the console's link through the provider's forms; gives where it is sent back to. */
  async signOn(console: string, who: string): Promise<string> {
    let url = `${console}/sign-in/sso`;
    let answer = await this.ask(url);
    for (let steps = 0; steps < 20; steps += 1) {
      const to = answer.headers.get('location');
      if (to !== null) {
        url = new URL(to, url).href;
        if (url.startsWith(`${console}/sign-in/back`)) return url;
        answer = await this.ask(url);
        continue;
      }
      const text = await answer.text();
      const action = /<form[^>]*action="([^"]+)"/.exec(text)?.[1];
      const prompt = /name="prompt" value="(\w+)"/.exec(text)?.[1];
      if (action === undefined || prompt === undefined) throw new Error(text.slice(0, 500));
      const body = new URLSearchParams({ prompt, login: who, password: 'invented' });
      url = new URL(action, url).href;
      answer = await this.ask(url, { method: 'POST', body });
    }
    throw new Error('the provider sent nobody back');
  }
}
