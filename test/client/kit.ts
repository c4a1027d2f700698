// Fixtures for client tests: a `fetch` that fails on command, and a receiver of events that keeps
// the bytes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Fetch, FetchedAnswer } from '../../client/index.ts';
import type { Ready } from '../kit/api.ts';
import { ROOT } from '../tidy/tree.ts';

/** The pieces of code of a page of the documentation, that of the client by default, in order. */
export function docPieces(page = 'client', language = 'ts'): string[] {
  const text = readFileSync(join(ROOT, `docs/${page}.md`), 'utf8');
  const pieces = text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'));
  return [...pieces].map((found) => found[1] ?? '');
}

/** What the client of the ready line is made from. */
export function credentialsOf(ready: Ready): {
  readonly urls: Ready['urls'];
  readonly clientId: string;
  readonly clientSecret: string;
} {
  const { client_id: clientId, client_secret: clientSecret } = ready.client;
  return { urls: ready.urls, clientId, clientSecret };
}

/** A sale of 25.00 that the seeded buyer is to pay in the widget. */
export function checkoutWish({ accounts: { buyer, seller } }: Pick<Ready, 'accounts'>) {
  return {
    account_id: buyer.account_id,
    is_escrow: false,
    invoice_mechanism: 'widget',
    line_items: [
      {
        amount: 2500,
        currency: 'USD',
        transaction_type: 'user_to_user',
        recipients: [{ amount: 2500, destination_wallet_id: seller.wallet_id }],
      },
    ],
  } as const;
}

/** One request that went through a watched `fetch`. */
export interface Seen {
  readonly url: string;
  readonly key: string | undefined;
  readonly token: string | undefined;
}

/** A fault of the way: a failed connection, or an answer that replaces the real one. */
export type Fault = 'down' | 'lost' | FetchedAnswer;

/** An answer with a body of the platform's shape. */
export function failure(status: number, code: string, retryAfter?: string): FetchedAnswer {
  const body = { status: 'Failure', message: ['No.'], codes: [code], payload: { error: 'No.' } };
  const get = (name: string): string | null => {
    return name === 'retry-after' ? (retryAfter ?? null) : null;
  };
  return { status, headers: { get }, text: async () => JSON.stringify(body) };
}

/** A `fetch` that remembers, and plays the faults in turn on addresses that end as `on` says. */
export function watchedFetch(
  on: RegExp = /^$/,
  faults: readonly Fault[] = [],
): { readonly fetch: Fetch; readonly seen: Seen[] } {
  const seen: Seen[] = [];
  const left = [...faults];
  return {
    seen,
    fetch: async (url, init) => {
      const { authorization: token, 'idempotency-key': key } = init.headers;
      seen.push({ url, key, token });
      const fault = on.test(url) ? left.shift() : undefined;
      if (fault === 'down') throw new TypeError('fetch failed');
      if (fault !== undefined && fault !== 'lost') return fault;
      const answer = await fetch(url, init);
      if (fault !== 'lost') return answer;
      await answer.text();
      throw new TypeError('terminated');
    },
  };
}

/** One request as a receiver of events got it. */
export interface Delivery {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** A receiver on a port of its own. */
export async function eventReceiver(): Promise<{
  readonly url: string;
  next(name: string, holding: string): Promise<Delivery>;
  close(): void;
}> {
  const got: Delivery[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      got.push({ headers: request.headers, body: Buffer.concat(chunks) });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const find = (name: string, holding: string): Delivery | undefined =>
    got.find(({ body }) => body.includes(`"${name}"`) && body.includes(holding));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async next(name, holding) {
      await within(10_000, () => find(name, holding) !== undefined);
      return find(name, holding) as Delivery;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Waits until something holds, and fails after `ms`. */
export async function within(ms: number, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + ms;
  while (!(await holds())) {
    assert.ok(Date.now() < deadline, `did not come within ${ms} ms`);
    await new Promise((done) => setTimeout(done, 25));
  }
}
