// The accounts of a load, made through the API as an integrator would: buyers with money, sellers
// with wallets. Also the calls that are not measured: token and read-back.
import type { Buyer, Seller } from './plan.ts';
import type { Ready } from './platform.ts';

/** Minor units of each new buyer: enough for hours, below the cap of an amount [G-30]. */
const PURSE = 50_000_000_000;
/** Accounts made concurrently. */
const ABREAST = 16;

/** Buyers and sellers of a load. */
export interface Market {
  readonly buyers: readonly Buyer[];
  readonly sellers: readonly Seller[];
}

type Json = Readonly<Record<string, unknown>>;

/** Calls one platform as the client of its ready line. */
export class Integrator {
  readonly #ready: Ready;
  #token = '';

  constructor(ready: Ready) {
    this.#ready = ready;
  }

  /** A fresh access token with every scope of the client. */
  async token(): Promise<string> {
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      ...this.#ready.client,
    });
    const answer = await fetch(`${this.#ready.urls['auth']}/token`, { method: 'POST', body: form });
    const body = (await answer.json()) as { access_token?: string };
    if (body.access_token === undefined) throw new Error(`no token: HTTP ${answer.status}`);
    this.#token = body.access_token;
    return this.#token;
  }

  /** Calls a host; returns the payload of a 2XX and throws on anything else. */
  async call(host: string, method: string, path: string, body?: Json): Promise<unknown> {
    if (this.#token === '') await this.token();
    const headers: Record<string, string> = { authorization: `Bearer ${this.#token}` };
    if (body !== undefined) headers['content-type'] = 'application/json';
    const answer = await fetch(`${this.#ready.urls[host]}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) {
      throw new Error(`${method} ${path}: HTTP ${answer.status} ${text.slice(0, 600)}`);
    }
    return text === '' ? null : (JSON.parse(text) as { payload: unknown }).payload;
  }

  /** State of an invoice as read back. */
  async invoiceState(invoiceId: string): Promise<string> {
    const payload = (await this.call('invoicing', 'GET', `/v2/invoice/${invoiceId}`)) as Json;
    return String(payload['state']);
  }
}

interface Method {
  readonly id: string;
  readonly provider: string;
  readonly processing_currency: string;
  readonly provider_data: { readonly wallet_id?: string };
}

/** Registers a user; returns the account and its USD wallet. */
async function register(integrator: Integrator, username: string): Promise<Buyer & Seller> {
  const account = (await integrator.call('accounts', 'POST', '/register', {
    username,
    email: { address: `${username}@example.com`, requires_verification: false },
  })) as { account_id: string };
  const path = `/v1/${account.account_id}/payment_methods`;
  const methods = (await integrator.call('payments', 'GET', path)) as Method[];
  const wallet = methods.find(
    (method) => method.provider === 'wallet' && method.processing_currency === 'USD',
  );
  if (wallet?.provider_data.wallet_id === undefined) throw new Error(`${username} has no wallet`);
  return {
    account_id: account.account_id,
    payment_method_id: wallet.id,
    wallet_id: wallet.provider_data.wallet_id,
  };
}

/** Makes `count` funded buyers and `count` sellers. */
export async function openMarket(integrator: Integrator, count: number): Promise<Market> {
  // As in production, where mails are off by default.
  await integrator.call('invoicing', 'PUT', '/v1/settings/mail', { enabled: false });
  const mark = Date.now().toString(36);
  const people: (Buyer & Seller)[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count * 2) {
      const number = next;
      next += 1;
      const person = await register(integrator, `bench-${mark}-${number}`);
      people[number] = person;
      if (number >= count) continue;
      const { account_id } = person;
      const deposit = { account_id, currency: 'USD', amount: PURSE };
      await integrator.call('invoicing', 'POST', '/sandbox/deposits', deposit);
    }
  };
  await Promise.all(Array.from({ length: ABREAST }, work));
  return { buyers: people.slice(0, count), sellers: people.slice(count) };
}
