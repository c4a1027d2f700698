// The shop's client of the platform: the public SDK, with every request noted for the panel. Notes
// must hold no secret.
import { createClient, type Fetch } from '../client/index.ts';
import { OPERATIONS, type ClientApi, type Host } from '../client/generated.ts';
import type { Feed } from './feed.ts';

/** What the sandbox gives an integrator: URLs and a client. */
export interface Credentials {
  readonly urls: Readonly<Record<Host, string>>;
  readonly client: { readonly client_id: string; readonly client_secret: string };
}

const TIMEOUT_MS = 30_000;
const TOKEN = 'auth.createToken';

/** The client; its calls appear in the feed. */
export function openClient({ urls, client }: Credentials, feed: Feed): ClientApi {
  return createClient({
    urls,
    clientId: client.client_id,
    clientSecret: client.client_secret,
    timeoutMs: TIMEOUT_MS,
    fetch: noted(urls, feed),
  });
}

function noted(urls: Credentials['urls'], feed: Feed): Fetch {
  const named = nameCalls(urls);
  return async (url, init) => {
    const answer = await globalThis.fetch(url, init);
    const { method, body } = init;
    const { name, path } = named(method, new URL(url));
    feed.add({
      kind: 'call',
      title: name,
      line: `${method} ${path}`,
      mark: String(answer.status),
      good: answer.ok,
      // Requests for tokens carry the client's secret.
      body: body === undefined || name === TOKEN ? null : JSON.parse(body),
      quiet: method === 'GET' || name === TOKEN,
    });
    return answer;
  };
}

interface Named {
  /** As written in a program: `invoicing.payInvoice`. */
  readonly name: string;
  /** With the names of its parts: `/v2/invoice/{invoice_id}/pay`. */
  readonly path: string;
}

/** Finds the name of the method behind a request. */
function nameCalls(urls: Credentials['urls']): (method: string, url: URL) => Named {
  const rows = Object.entries(OPERATIONS).map(([name, row]) => ({
    name: `${row.host}.${name}`,
    method: row.method,
    origin: new URL(urls[row.host]).origin,
    template: row.path,
    path: new RegExp(`^${row.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));
  return (method, { origin, pathname }) => {
    const row = rows.find(
      (one) => one.method === method && one.origin === origin && one.path.test(pathname),
    );
    return { name: row?.name ?? 'unknown', path: row?.template ?? pathname };
  };
}
