// The common steps of refund tests: sell, refund, read, give the integrator money.
import assert from 'node:assert/strict';
import type { Call, Reply } from '../kit/api.ts';
import type { Platform } from './kit.ts';
import { Market, ownLine, pause, saleLine, type Body } from './market.ts';
import type { Event, Invoice } from './records.ts';

const WAIT_MS = 15_000;

/** A refund. [G-43] */
export interface Refund {
  readonly refund_id: string;
  readonly invoice_id: string;
  readonly refund_invoice_id: string;
  readonly line_item_id: string;
  readonly status: string;
  readonly amount: number;
  readonly currency: string;
  readonly display_amount: string;
  readonly reason: string;
  readonly sub_reason: string;
  readonly payment_methods: Readonly<Record<string, number>>;
  readonly failure_code: string;
  readonly created: string;
  readonly updated: string;
}

/** An amount as it is shown. */
interface Money {
  readonly amount: number;
  readonly currency: string;
  readonly display_amount: string;
}

/** What a bank took back. [M15] */
interface Reversal extends Money {
  readonly payment_method_id: string;
  readonly status: string;
}

/** What of an invoice went back. [G-43] */
export interface Refunds {
  readonly invoice_id: string;
  readonly is_fully_refunded: boolean;
  readonly refund_invoice_ids: readonly string[];
  readonly payments: Readonly<Record<string, Money>>;
  readonly refunds: Readonly<Record<string, Refund>>;
  readonly line_item_refunds: Readonly<Record<string, Money>>;
  readonly reversals: Readonly<Record<string, Reversal>>;
}

/** A platform with a market, and refunds on it. */
export class RefundScene {
  readonly platform: Platform;
  readonly market: Market;

  constructor(platform: Platform) {
    this.platform = platform;
    this.market = new Market(platform.api);
  }

  /** Puts money at the integrator. */
  async fund(amount: number): Promise<void> {
    const body = { integrator: true, currency: 'USD', amount };
    await this.platform.api.must(201, 'invoicing', 'POST', '/sandbox/deposits', { body });
  }

  /** Attaches a test card to the buyer. */
  async card(test_card = 'visa'): Promise<string> {
    const { account_id } = this.platform.ready.accounts.buyer;
    const body = { account_id, test_card };
    const path = '/sandbox/payment_methods';
    type Made = { payment_method_id: string };
    return (await this.platform.api.must<Made>(201, 'invoicing', 'POST', path, { body }))
      .payment_method_id;
  }

  /** A paid invoice of line items to the seller, by wallet unless given. */
  async sold(amounts: readonly number[], methods?: readonly Body[], own = 0): Promise<Invoice> {
    const { seller, buyer } = this.platform.ready.accounts;
    const lines = amounts.map((amount) => saleLine(seller.wallet_id, amount));
    const line_items = own === 0 ? lines : [...lines, ownLine(own)];
    const wallet = [{ payment_method_id: buyer.wallet_payment_method_id }];
    const payment_methods = methods ?? wallet;
    const invoice = await this.market.sold(this.market.sale(0, { line_items, payment_methods }));
    assert.equal(invoice.state, 'success');
    return invoice;
  }

  /** Ids of an invoice's lines by their amounts, which differ. */
  lines({ line_items }: Invoice): ReadonlyMap<number, string> {
    const all = Object.values(line_items);
    return new Map(all.map((line) => [line.amount, line.line_item_id]));
  }

  tryRefund(invoice_id: string, more: Body = {}, call: Call = {}): Promise<Reply> {
    const body = { invoice_id, reason: 'other', ...more };
    return this.platform.api.send('invoicing', 'POST', '/v2/refund', { body, ...call });
  }

  tryLine(line_item_id: string, amount: number, more: Body = {}): Promise<Reply> {
    const body = { line_item_id, amount, reason: 'billing', ...more };
    return this.platform.api.send('invoicing', 'POST', '/v2/line-item/refund', { body });
  }

  async refund(invoice_id: string, more: Body = {}): Promise<Refund> {
    return payloadOf(await this.tryRefund(invoice_id, more));
  }

  async refundLine(line_item_id: string, amount: number, more: Body = {}): Promise<Refund> {
    return payloadOf(await this.tryLine(line_item_id, amount, more));
  }

  tryWithdraw(id: string): Promise<Reply> {
    return this.platform.api.send('invoicing', 'DELETE', `/v2/refund/${id}`);
  }

  read(id: string): Promise<Refund> {
    return this.platform.api.must(200, 'invoicing', 'GET', `/v2/refund/${id}`);
  }

  /** What went back of an invoice, its refunds in one status. */
  refundsOf(invoiceId: string, status?: string): Promise<Refunds> {
    const query = status === undefined ? '' : `?status=${status}`;
    const path = `/v2/invoice/${invoiceId}/refunds${query}`;
    return this.platform.api.must(200, 'invoicing', 'GET', path);
  }

  /** Waits until a refund is in one of the states. */
  async until(id: string, ...states: readonly string[]): Promise<Refund> {
    for (const end = Date.now() + WAIT_MS; ; await pause()) {
      const refund = await this.read(id);
      if (states.includes(refund.status)) return refund;
      assert.ok(Date.now() < end, `refund ${id} is ${refund.status}`);
    }
  }

  /** Waits until the integrator has borne what a bank took back of an invoice. */
  async covered(invoiceId: string): Promise<Refunds> {
    for (const end = Date.now() + WAIT_MS; ; await pause()) {
      const refunds = await this.refundsOf(invoiceId);
      const all = Object.values(refunds.reversals);
      if (all.length > 0 && all.every((one) => one.status === 'covered')) return refunds;
      assert.ok(Date.now() < end, `nothing was taken back of ${invoiceId}`);
    }
  }

  /** The messages of an event about a refund or an invoice, once `count` have come. */
  async told(event_name: string, id: string, count: number): Promise<unknown[]> {
    const refundOf = (message: Event['message']): Record<string, unknown> =>
      (message['refund'] ?? {}) as Record<string, unknown>;
    const fits = ({ event_name: name, message }: Event): boolean =>
      name === event_name && [refundOf(message)['refund_id'], message['invoice_id']].includes(id);
    const events = await this.market.events(0, count, fits);
    assert.equal(events.length, count);
    return events.map(({ message }) => message['refund'] ?? message);
  }

  /** Minor units: of buyer, seller and integrator. */
  async money(invoice: Invoice): Promise<[number, number, number]> {
    const { buyer, seller } = this.platform.ready.accounts;
    const [subitem] = Object.values(invoice.subitems);
    const publisher = subitem?.source_wallet_id ?? '';
    return Promise.all([
      this.market.balance(buyer.account_id),
      this.market.balance(seller.account_id),
      this.market.walletBalance(publisher),
    ]);
  }

  /** All rows but the processor's diary: its statement is asked for all the time. */
  async #rows(): Promise<Record<string, string>> {
    const { processor_exchange: _, ...rows } = await this.platform.rows();
    return rows;
  }

  /** A call that is refused with this code and leaves every row as it was. */
  async refused(code: string, call: () => Promise<Reply>, status = 400): Promise<void> {
    const before = await this.#rows();
    const reply = await call();
    assert.deepEqual([reply.status, reply.body.codes], [status, [code]]);
    assert.deepEqual(await this.#rows(), before, `${code} changed something`);
  }
}

function payloadOf(reply: Reply): Refund {
  assert.equal(reply.status, 200, reply.text);
  return reply.body.payload as Refund;
}
