// The common steps of API tests: build a body, create, pay, wait for the end, read balances.
import assert from 'node:assert/strict';
import type { Api, Call, Reply } from '../kit/api.ts';
import type { Event, Invoice } from './records.ts';

const WAIT_MS = 15_000;
const PAUSE_MS = 20;

/** Any object of a body. */
export type Body = Record<string, unknown>;

/** A line to one seller. */
export function saleLine(walletId: string, amount: number, more: Body = {}): Body {
  return {
    amount,
    currency: 'USD',
    transaction_type: 'user_to_user',
    recipients: [
      { amount, currency: 'USD', source_wallet_id: '', destination_wallet_id: walletId },
    ],
    ...more,
  };
}

/** A line to the integrator. */
export function ownLine(amount: number, more: Body = {}): Body {
  return { amount, currency: 'USD', transaction_type: 'user_to_integrator', ...more };
}

/** Calls that a test of money repeats, for the accounts of the ready line. */
export class Market {
  readonly api: Api;

  constructor(api: Api) {
    this.api = api;
  }

  /** A body that sells for `amount` from the seeded buyer's wallet to the seeded seller. */
  sale(amount = 200, more: Body = {}): Body {
    const { buyer, seller } = this.api.ready.accounts;
    return {
      account_id: buyer.account_id,
      payment_methods: [{ payment_method_id: buyer.wallet_payment_method_id }],
      line_items: [saleLine(seller.wallet_id, amount)],
      ...more,
    };
  }

  /** Tries to create an invoice. */
  tryCreate(body: unknown, call: Call = {}): Promise<Reply> {
    return this.api.send('invoicing', 'POST', '/v2/invoice', { body, ...call });
  }

  /** Creates an invoice. */
  create(body: unknown, call: Call = {}): Promise<Invoice> {
    return this.api.must(201, 'invoicing', 'POST', '/v2/invoice', { body, ...call });
  }

  /** Submits an invoice. */
  pay(id: string, call: Call = {}): Promise<Invoice> {
    return this.api.must(200, 'invoicing', 'POST', `/v2/invoice/${id}/pay`, call);
  }

  /** Reads an invoice. */
  read(id: string): Promise<Invoice> {
    return this.api.must(200, 'invoicing', 'GET', `/v2/invoice/${id}`);
  }

  /** Waits until an invoice has ended. */
  async ended(id: string): Promise<Invoice> {
    for (const until = Date.now() + WAIT_MS; Date.now() < until; await pause()) {
      const invoice = await this.read(id);
      if (invoice.state !== 'processing') return invoice;
    }
    throw new assert.AssertionError({ message: `invoice ${id} is still processing` });
  }

  /** Creates, pays and waits. */
  async sold(body: unknown): Promise<Invoice> {
    const { invoice_id } = await this.create(body);
    await this.pay(invoice_id);
    return this.ended(invoice_id);
  }

  /** Spendable minor units of an account. */
  async balance(accountId: string, currency = 'USD'): Promise<number> {
    type Answer = { balances: Record<string, { spendable: { balance: number } }> };
    const path = `/balances/${accountId}`;
    const { balances } = await this.api.must<Answer>(200, 'wallets', 'GET', path);
    return balances[currency]?.spendable.balance ?? Number.NaN;
  }

  /** Minor units of a wallet, the integrator's too. */
  async walletBalance(walletId: string): Promise<number> {
    type Answer = { current_balance: number };
    const path = `/v2/wallet/${walletId}`;
    return (await this.api.must<Answer>(200, 'wallets', 'GET', path)).current_balance;
  }

  /** Waits until the stream has `count` events after `after` that fit. */
  async events(after: number, count: number, fits: (event: Event) => boolean): Promise<Event[]> {
    type Page = { events: Event[]; next_after: number };
    let found: Event[] = [];
    for (const until = Date.now() + WAIT_MS; Date.now() < until; await pause()) {
      const path = `/v1/events?after=${after}&limit=1000`;
      const page = await this.api.must<Page>(200, 'invoicing', 'GET', path);
      found = page.events.filter(fits);
      if (found.length >= count) return found;
    }
    throw new assert.AssertionError({ message: `${found.length} of ${count} events came` });
  }

  /** The last sequence number of the stream, once it is quiet. */
  async lastSequence(): Promise<number> {
    type Page = { events: Event[]; next_after: number };
    let after = 0;
    for (let quiet = 0; quiet < 3;) {
      const path = `/v1/events?after=${after}&limit=1000`;
      const page = await this.api.must<Page>(200, 'invoicing', 'GET', path);
      quiet = page.next_after === after ? quiet + 1 : 0;
      after = page.next_after;
      await pause();
    }
    return after;
  }
}

/** A short wait. */
export function pause(ms = PAUSE_MS): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

/** Gives an account money that it may only pay out once it is verified; tries to pay some out. */
export async function payoutOf(api: Api, account_id: string): Promise<() => Promise<Reply>> {
  await api.setKyc(account_id, { state: 'NODATA', kyc_requirements: 'FULL_KYC' });
  await api.fund(account_id, 2_000);
  const body = {
    source_payment_method_id: (await api.walletOf(account_id)).method,
    destination_payment_method_id: await api.attach(account_id, 'bank'),
    currency: 'USD',
    amount: 1_500,
  };
  return () => api.send('invoicing', 'POST', `/v2/${account_id}/payout`, { body });
}
