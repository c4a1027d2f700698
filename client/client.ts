// The client for a server: gets a token by client credentials, keeps it until shortly before it
// expires, and has one method per operation. Its secret must never be in an app or a page. [seed:
// Authentication]
import { bind, randomKey, type Urls } from './bind.ts';
import { CLIENT_OPERATIONS, OPERATIONS, type ClientApi } from './generated.ts';
import { HoldfastError } from './error.ts';
import { send, type Authorize, type Fetch } from './transport.ts';

/** Options of a server's client. */
export interface ClientOptions {
  /** Base URLs by host, as in the ready line; `auth` is always needed. */
  readonly urls: Urls;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Scopes of its tokens; by default all of the client's. */
  readonly scopes?: readonly string[];
  /** Instead of the global fetch. */
  readonly fetch?: Fetch;
  /** Milliseconds for each call with its retries; default 30 seconds. */
  readonly timeoutMs?: number;
  /** Makes Idempotency-Keys, for where Web Crypto is missing. */
  readonly newKey?: () => string;
}

/** A token is not used any more so many seconds before it expires. */
const MARGIN_SECONDS = 60;

/** Makes a server's client; nothing is sent before the first call. */
export function createClient(options: ClientOptions): ClientApi {
  const fetch = options.fetch ?? ownFetch;
  const credentials = { client_id: options.clientId, client_secret: options.clientSecret };
  return bind<ClientApi>(CLIENT_OPERATIONS, {
    urls: options.urls,
    fetch,
    authorize: tokens(options, fetch, credentials),
    newKey: options.newKey ?? randomKey,
    timeoutMs: options.timeoutMs,
    credentials,
  });
}

/** Looked up at each call, so that a test may replace it. */
export const ownFetch: Fetch = (url, init) => globalThis.fetch(url, init);

interface KeptToken {
  readonly token: string;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** One token for all calls; calls that come while it is fetched wait for it. */
function tokens(options: ClientOptions, fetch: Fetch, credentials: object): Authorize {
  let kept: KeptToken | null = null;
  let asking: Promise<KeptToken> | null = null;
  return async (refused) => {
    if (kept !== null && (kept.token === refused || kept.until <= Date.now())) kept = null;
    if (kept !== null) return kept.token;
    asking ??= askToken(options, fetch, credentials).finally(() => {
      asking = null;
    });
    kept = await asking;
    return kept.token;
  };
}

async function askToken(
  { urls, scopes, timeoutMs }: ClientOptions,
  fetch: Fetch,
  credentials: object,
): Promise<KeptToken> {
  if (urls.auth === undefined) {
    const message = 'A client needs the address of the auth host.';
    throw new HoldfastError({ status: 0, codes: ['URL_UNKNOWN'], message });
  }
  const scope = scopes === undefined ? {} : { scope: scopes.join(' ') };
  const body = { grant_type: 'client_credentials', ...credentials, ...scope };
  const call = {
    operation: 'createToken',
    url: urls.auth.replace(/\/$/, '') + OPERATIONS.createToken.path,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    // One token more does no harm.
    repeatable: true,
    bare: true,
    timeoutMs,
  };
  const { access_token: token, expires_in: seconds } = (await send(fetch, call, null)) as {
    access_token: string;
    expires_in: number;
  };
  const margin = Math.min(MARGIN_SECONDS, seconds / 10);
  return { token, until: Date.now() + (seconds - margin) * 1000 };
}
