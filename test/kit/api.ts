// A small HTTP client for tests: a token, JSON in and out, the raw bytes of each answer, and the
// few calls that almost every test makes.
import assert from 'node:assert/strict';
import type { HostName } from '../../src/core/operation.ts';

/** What the ready line says. [G-02] */
export interface Ready {
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

/** One answer: its bytes as text, and what they say. */
export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly payload: unknown;
  readonly codes: readonly string[];
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

/** What else a call carries. */
export interface CallOptions {
  readonly body?: unknown;
  /** Idempotency-Key. */
  readonly key?: string;
}

/** Milliseconds after which no answer is a failure of the test. */
const ANSWER_WITHIN_MS = 30_000;

/** A client with a token of every scope. */
export class Api {
  readonly ready: Ready;
  readonly #token: string;

  constructor(ready: Ready, token: string) {
    this.ready = ready;
    this.#token = token;
  }

  /** Asks for a token with the client of the ready line. */
  static async open(ready: Ready): Promise<Api> {
    const body = new URLSearchParams({ grant_type: 'client_credentials', ...ready.client });
    const response = await fetch(`${ready.urls.auth}/token`, { method: 'POST', body });
    assert.equal(response.status, 200, await response.clone().text());
    const { access_token } = (await response.json()) as { access_token: string };
    return new Api(ready, access_token);
  }

  /** The same token through another process on the same data. */
  through(ready: Ready): Api {
    return new Api(ready, this.#token);
  }

  /** One call; rejects only when the connection fails. */
  async call(host: HostName, method: string, path: string, more: CallOptions = {}): Promise<Reply> {
    const response = await fetch(this.ready.urls[host] + path, {
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(more.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(more.key === undefined ? {} : { 'idempotency-key': more.key }),
      },
      ...(more.body === undefined ? {} : { body: JSON.stringify(more.body) }),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    const text = await response.text();
    const json = (text === '' ? {} : JSON.parse(text)) as { payload?: unknown; codes?: string[] };
    return { status: response.status, text, payload: json.payload, codes: json.codes ?? [] };
  }

  /** One call that must answer `status`; gives its payload. */
  async must<T>(
    status: number,
    host: HostName,
    method: string,
    path: string,
    more: CallOptions = {},
  ): Promise<T> {
    const reply = await this.call(host, method, path, more);
    assert.equal(reply.status, status, `${method} ${path}: ${reply.text}`);
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
    return this.call('invoicing', 'POST', '/v2/invoice', { body, ...keyed(key) });
  }

  /** Creates an invoice that must be accepted; gives its id. */
  async created(body: object, key?: string): Promise<string> {
    const reply = await this.create(body, key);
    assert.equal(reply.status, 201, reply.text);
    return (reply.payload as InvoiceSeen).invoice_id;
  }

  pay(id: string, key?: string): Promise<Reply> {
    return this.call('invoicing', 'POST', `/v2/invoice/${id}/pay`, keyed(key));
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
    const methods = await this.must<
      { id: string; provider: string; processing_currency: string; psp_reference: string }[]
    >(200, 'payments', 'GET', `/v1/${account.account_id}/payment_methods`);
    const wallet = methods.find((m) => m.provider === 'wallet' && m.processing_currency === 'USD');
    assert.ok(wallet);
    return { ...account, wallet_id: wallet.psp_reference, method: wallet.id };
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

function keyed(key: string | undefined): CallOptions {
  return key === undefined ? {} : { key };
}
