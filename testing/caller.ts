// The calls of one client of a workspace: typed operations, and any path with its token. A call to
// a platform that is gone says why.
import type { ClientApi, Fetch, Urls } from '../client/index.ts';
import { createClient } from '../client/index.ts';
import { ownFetch } from '../client/client.ts';
import type { Host } from '../client/generated.ts';

/** The credentials of a client. */
export interface Pair {
  readonly client_id: string;
  readonly client_secret: string;
}

/** What the calls are made with. */
export interface CallerOptions {
  readonly urls: Urls;
  readonly pair: Pair;
  /** Why the platform is gone; null while it runs. */
  readonly lost?: () => string | null;
}

/** One client of a workspace. */
export class Caller {
  readonly urls: Urls;
  readonly client: ClientApi;
  readonly #pair: Pair;
  readonly #fetch: Fetch;
  #token: Promise<string> | null = null;

  constructor({ urls, pair, lost = () => null }: CallerOptions) {
    this.urls = urls;
    this.#pair = pair;
    this.#fetch = async (url, init) => {
      const why = lost();
      if (why !== null) throw new Error(why);
      return ownFetch(url, init);
    };
    const { client_id: clientId, client_secret: clientSecret } = pair;
    this.client = createClient({ urls, clientId, clientSecret, fetch: this.#fetch });
  }

  /** Any path of a host with the client's token; returns the response as it came. */
  async fetch(host: Host, path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (!headers.has('authorization')) {
      headers.set('authorization', `Bearer ${await this.#authorize(null)}`);
    }
    return globalThis.fetch(new URL(path, this.#base(host)), { ...init, headers });
  }

  #base(host: Host): string {
    const base = this.urls[host];
    if (base === undefined) throw new Error(`The platform has no host ${host}.`);
    return base;
  }

  /** The cached token, or another one if it was refused. */
  #authorize(refused: string | null): Promise<string> {
    if (refused !== null) this.#token = null;
    this.#token ??= this.#askToken();
    return this.#token;
  }

  async #askToken(): Promise<string> {
    const wish = { grant_type: 'client_credentials', ...this.#pair } as const;
    const { access_token } = await this.client.auth.createToken(wish);
    return access_token;
  }
}
