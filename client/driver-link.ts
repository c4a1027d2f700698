// Opens a link as the page of a flow does: by its nonce, again with what was agreed to, and ends
// its session.
import { bind, invoke, randomKey, type Wire } from './bind.ts';
import { ownFetch } from './client.ts';
import { HoldfastError } from './error.ts';
import { SESSION_OPERATIONS, type OpenSessionAnswer, type SessionApi } from './generated.ts';
import type { Fetch } from './transport.ts';

/** What a flow is opened with. */
export interface FlowOptions {
  /** From POST /authorize/user or POST /v2/authorize/invoice. Opening uses it up. */
  readonly redirect: string;
  /** As in `execute()`; default: the link's own. */
  readonly flow?: string;
  /** As in `execute()`: what a payment selection or purchase is for. */
  readonly transactionDetails?: { readonly transaction_amount: number; readonly currency: string };
  /** The service's name in events. [G-80] */
  readonly word?: string;
  readonly fetch?: Fetch;
  /** Milliseconds to wait for a payment or a check; default 15 seconds. */
  readonly patienceMs?: number;
}

/** What a person agreed to; null before being asked. */
export type Agreement = { readonly terms_version?: number; readonly consent: true } | null;

/** What a flow works with. */
export interface Means {
  readonly options: FlowOptions;
  readonly api: SessionApi;
  /** The last answer to opening. Throws before the first. */
  readonly session: () => OpenSessionAnswer;
  readonly open: (agree: Agreement) => Promise<void>;
  readonly end: () => Promise<void>;
}

/** What the link's page works with; nothing is opened before `open` is called. */
export function meansOf(options: FlowOptions): Means {
  const { origin, pathname } = new URL(options.redirect);
  let token = '';
  const wire: Wire = {
    urls: {},
    fetch: options.fetch ?? ownFetch,
    authorize: async () => token,
    newKey: randomKey,
    baseOf: (host) => (host === 'widget' ? origin : `${origin}/ui/api/${host}`),
  };
  const nonce = pathname.slice(pathname.lastIndexOf('/') + 1);
  const flow = options.flow === undefined ? {} : { flow: options.flow };
  const resume = newSecret();
  let session: OpenSessionAnswer | null = null;
  const open: Means['open'] = async (agree) => {
    const input = { nonce, resume, ...flow, ...(agree === null ? {} : { agree }) };
    const ask = () => invoke(wire, 'openSession', input, {});
    // May ask again if the answer was lost.
    session = (await ask().catch((error: unknown) => {
      if (error instanceof HoldfastError && error.status === 0) return ask();
      throw error;
    })) as OpenSessionAnswer;
    // A session that must agree again keeps its token: only paying waits for that.
    if (session.access_token !== '') token = session.access_token;
  };
  const end = async (): Promise<void> => {
    if (token !== '') await invoke(wire, 'endSession', { nonce, access_token: token }, {});
  };
  const call: typeof invoke = async (...request) => {
    try {
      return await invoke(...request);
    } catch (error) {
      // New terms came into force: the session is asked what there is to agree to.
      const stale = error instanceof HoldfastError && error.codes.includes('TERMS_NOT_SIGNED');
      if (stale) await open(null);
      throw error;
    }
  };
  const api = bind<SessionApi>(SESSION_OPERATIONS, wire, call);
  const opened = (): OpenSessionAnswer => {
    if (session === null) throw new Error('the link is not opened yet');
    return session;
  };
  return { options, api, session: opened, open, end };
}

/** 32 random bytes in base64url. */
function newSecret(): string {
  const text = String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32)));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace('=', '');
}
