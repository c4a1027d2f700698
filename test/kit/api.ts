// The HTTP client of the suites: a token, JSON in and out, the raw bytes of each answer, and the
// few calls that almost every test makes. A browser's and a hostile client's have their own kits.
import assert from 'node:assert/strict';
import type { HostName } from '../../src/core/operation.ts';

/** What the ready line says. [G-02] */
export interface Ready {
  readonly ready: true;
  readonly env: string;
  readonly urls: Readonly<Record<HostName, string>>;
  readonly client: { readonly client_id: string; readonly client_secret: string };
  readonly integrator: string;
  readonly webhook: { readonly secret: string };
  /** How the sandbox's operator signs in to the console. */
  readonly console: {
    readonly username: string;
    readonly password: string;
    readonly totp_secret: string;
  };
  readonly accounts: {
    readonly buyer: {
      readonly account_id: string;
      readonly wallet_id: string;
      readonly wallet_payment_method_id: string;
      readonly card_payment_method_id: string;
      readonly declined_card_payment_method_id: string;
    };
    readonly seller: { readonly account_id: string; readonly wallet_id: string };
    readonly seller2: { readonly account_id: string; readonly wallet_id: string };
  };
}

/** The envelope of every answer. [seed: Response envelope] */
export interface Envelope {
  readonly status: string;
  readonly message: readonly string[];
  readonly codes: readonly string[];
  readonly payload: unknown;
}

/** One answer: its bytes as text, and what they say. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed text; {} where there is none. */
  readonly body: Envelope;
  readonly payload: unknown;
  readonly codes: readonly string[];
  /** The first code; '' on success. */
  readonly code: string;
  /** `payload.errors`. */
  readonly errors: Readonly<Record<string, string>>;
}

/** What tests read of an invoice. */
export interface InvoiceSeen {
  readonly invoice_id: string;
  readonly state: string;
  readonly failure_code?: string;
  readonly summary: { readonly total_amount: number };
}

/** A way to pay in a creation; absent amount: the whole. */
export interface MethodPart {
  readonly payment_method_id: string;
  readonly amount?: number;
}

/** A fresh account: its USD wallet, and the payment method of that wallet. */
export interface Registered {
  readonly account_id: string;
  readonly wallet_id: string;
  readonly method: string;
}

/** What to send. A `raw` body goes out as it is; `body` is made from a value. */
export interface Call {
  readonly body?: unknown;
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  readonly form?: Record<string, string>;
  /** Idempotency-Key. */
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Null: none. Absent: the client's own. */
  readonly token?: string | null;
}

/** Milliseconds after which no answer is a failure of the test. */
const ANSWER_WITHIN_MS = 60_000;

/** The one client of the suites. It sends what it is told, also what must be refused. */
export class Api {
  readonly ready: Ready;
  readonly #tokens = new Map<string, Promise<string>>();

  /** Without a token it asks for one of every scope, with the client of the ready line. */
  constructor(ready: Ready, token?: string | Promise<string>) {
    this.ready = ready;
    if (token !== undefined) this.#tokens.set('', Promise.resolve(token));
  }

  /** A client that has its token. */
  static async open(ready: Ready): Promise<Api> {
    const api = new Api(ready);
    await api.token();
    return api;
  }

  /** The same token through another process on the same data. */
  through(ready: Ready): Api {
    return new Api(ready, this.token());
  }

  /** A token of the ready line's client; `scope` '' asks for all. */
  token(scope = ''): Promise<string> {
    const kept = this.#tokens.get(scope);
    if (kept !== undefined) return kept;
    const form = {
      grant_type: 'client_credentials',
      ...this.ready.client,
      ...(scope === '' ? {} : { scope }),
    };
    const asked = this.send('auth', 'POST', '/token', { form, token: null }).then((reply) => {
      assert.equal(reply.status, 200, `a token for ${scope || 'all scopes'}: ${reply.text}`);
      return (JSON.parse(reply.text) as { access_token: string }).access_token;
    });
    this.#tokens.set(scope, asked);
    return asked;
  }

  /** Asks for its tokens anew from now on: they live for an hour, which a long run outlives. */
  renew(): void {
    this.#tokens.clear();
  }

  /** One call; rejects only when the connection fails. */
  async send(host: HostName, method: string, path: string, call: Call = {}): Promise<Reply> {
    const token = call.token === undefined ? await this.token() : call.token;
    const headers: Record<string, string> = { ...call.headers };
    if (token !== null) headers['authorization'] ??= `Bearer ${token}`;
    if (call.key !== undefined) headers['idempotency-key'] = call.key;
    const body = bodyOf(call, headers);
    const answer = await fetch(this.ready.urls[host] + path, {
      method,
      headers,
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    return replyOf(answer, await answer.text());
  }

  /** One call that must answer `status`; gives its payload. */
  async must<T>(
    status: number,
    host: HostName,
    method: string,
    path: string,
    call: Call = {},
  ): Promise<T> {
    const reply = await this.send(host, method, path, call);
    assert.equal(reply.status, status, `${method} ${path}: ${reply.text.slice(0, 600)}`);
    return reply.payload as T;
  }

  /** A one-line sale from the buyer to the seller, unless `more` says otherwise. */
  sale(amount: number, methods: readonly MethodPart[], more: object = {}): object {
    const { buyer, seller } = this.ready.accounts;
    const recipient = { amount, currency: 'USD', destination_wallet_id: seller.wallet_id };
    const type = { transaction_type: 'user_to_user', product_sku: 'sku' };
    return {
      account_id: buyer.account_id,
      reference_type: 'test',
      reference_id: '1',
      payment_methods: methods,
      line_items: [{ ...type, amount, currency: 'USD', recipients: [recipient] }],
      ...more,
    };
  }

  create(body: object, key?: string): Promise<Reply> {
    return this.send('invoicing', 'POST', '/v2/invoice', { body, ...keyed(key) });
  }

  /** Creates an invoice that must be accepted; gives its id. */
  async created(body: object, key?: string): Promise<string> {
    const reply = await this.create(body, key);
    assert.equal(reply.status, 201, reply.text);
    return (reply.payload as InvoiceSeen).invoice_id;
  }

  pay(id: string, key?: string): Promise<Reply> {
    return this.send('invoicing', 'POST', `/v2/invoice/${id}/pay`, keyed(key));
  }

  read(id: string): Promise<InvoiceSeen> {
    return this.must(200, 'invoicing', 'GET', `/v2/invoice/${id}`);
  }

  /** Waits until a paid invoice has left `processing`. */
  async finished(id: string, withinMs = 20_000): Promise<InvoiceSeen> {
    const deadline = Date.now() + withinMs;
    for (;;) {
      const seen = await this.read(id);
      if (seen.state !== 'processing' && seen.state !== 'open') return seen;
      assert.ok(Date.now() < deadline, `invoice ${id} is ${seen.state} after ${withinMs} ms`);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }

  /** Registers an account; gives its id and its USD wallet. */
  async register(username: string, more: object = {}): Promise<Registered> {
    const account = await this.must<{ account_id: string }>(200, 'accounts', 'POST', '/register', {
      body: { username, ...more },
    });
    return { ...account, ...(await this.walletOf(account.account_id)) };
  }

  /** An account's USD wallet, and the payment method of that wallet. */
  async walletOf(account_id: string): Promise<Omit<Registered, 'account_id'>> {
    const methods = await this.must<
      { id: string; provider: string; processing_currency: string; psp_reference: string }[]
    >(200, 'payments', 'GET', `/v1/${account_id}/payment_methods`);
    const wallet = methods.find((m) => m.provider === 'wallet' && m.processing_currency === 'USD');
    assert.ok(wallet);
    return { wallet_id: wallet.psp_reference, method: wallet.id };
  }

  /** Puts money from nowhere into an account's wallet. */
  async fund(account_id: string, amount: number): Promise<void> {
    const body = { account_id, currency: 'USD', amount };
    await this.must(201, 'invoicing', 'POST', '/sandbox/deposits', { body });
  }

  /** Attaches a test card; gives the payment method's id. */
  async attach(account_id: string, test_card: string): Promise<string> {
    const body = { account_id, test_card };
    const path = '/sandbox/payment_methods';
    return (await this.must<{ id: string }>(201, 'invoicing', 'POST', path, { body })).id;
  }

  /** Sets the identity state of an account. */
  async setKyc(account_id: string, body: object): Promise<void> {
    await this.must(200, 'pii', 'PUT', `/v2/kyc/account/${account_id}/state`, { body });
  }

  /** Spendable and kept-back minor units of an account in USD. */
  async money(account_id: string): Promise<{ spendable: number; kept: number }> {
    const shown = await this.must<{
      balances: Record<string, { spendable: { balance: number }; kept_back: { balance: number } }>;
    }>(200, 'wallets', 'GET', `/balances/${account_id}?currency=USD`);
    const usd = shown.balances['USD'];
    assert.ok(usd);
    return { spendable: usd.spendable.balance, kept: usd.kept_back.balance };
  }
}

function keyed(key: string | undefined): Call {
  return key === undefined ? {} : { key };
}

type Sent = string | Uint8Array<ArrayBuffer> | URLSearchParams | undefined;

function bodyOf(call: Call, headers: Record<string, string>): Sent {
  if (call.form !== undefined) return new URLSearchParams(call.form);
  if (call.raw === undefined && call.body === undefined) return undefined;
  headers['content-type'] ??= 'application/json';
  return call.raw ?? JSON.stringify(call.body);
}

function replyOf({ status, headers }: Response, text: string): Reply {
  const body = (text === '' ? {} : JSON.parse(text)) as Envelope;
  const { payload, codes = [] } = body;
  const { errors = {} } = (payload ?? {}) as { errors?: Record<string, string> };
  return { status, headers, text, body, payload, codes, code: codes[0] ?? '', errors };
}
