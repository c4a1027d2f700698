// HTTP/1.1 requests as ready strings. What can be built once is built once, because the generator
// shares the cores with what it measures.
import { randomUUID } from 'node:crypto';
import type { Address, Buyer, Plan, Sale, Target } from './plan.ts';

/** Minor units that the seller of one purchase gets. */
export const SALE_AMOUNT = 200;
/** The integrator's share of a purchase with a fee: on the recipient, and as a line item. */
export const FEE_PERCENTAGE = '0.05';
export const FEE_AMOUNT = 10;
export const OWN_LINE_AMOUNT = 50;

/** The part of a create body from the seller's wallet on. */
function linesOf(walletId: string, sale: Sale): string {
  const to = { amount: SALE_AMOUNT, currency: 'USD', destination_wallet_id: walletId };
  const line = {
    amount: SALE_AMOUNT,
    currency: 'USD',
    transaction_type: 'user_to_user',
    product_sku: 'sku-0001',
    reference_type: 'item',
    reference_id: 'item-0001',
    recipients: [to],
  };
  if (sale !== 'fee') return JSON.stringify([line]);
  const fee = { fee_percentage: FEE_PERCENTAGE, fee_description: 'market fee' };
  const own = {
    amount: OWN_LINE_AMOUNT,
    currency: 'USD',
    transaction_type: 'user_to_integrator',
    product_sku: 'sku-0002',
  };
  const taxed = { ...line, amount: SALE_AMOUNT + FEE_AMOUNT, recipients: [{ ...to, ...fee }] };
  return JSON.stringify([taxed, own]);
}

function buyerPart(buyer: Buyer): string {
  const methods = JSON.stringify([{ payment_method_id: buyer.payment_method_id }]);
  const account = JSON.stringify(buyer.account_id);
  return (
    `{"account_id":${account},"payment_methods":${methods},` +
    `"description":"","reference_type":"order","reference_id":"`
  );
}

function hostHeader(address: Address): string {
  return `Host: ${address.host}:${address.port}\r\n`;
}

/** The requests to one server process. */
export class Requests {
  readonly #createHead: string;
  readonly #resource: string;
  readonly #moveTail: string;
  readonly #getTail: string;
  readonly #methods: readonly string[];
  readonly #token: string;
  readonly #buyers: readonly string[];
  readonly #sellers: readonly string[];
  #orders = 100_000_000;

  constructor(target: Target, plan: Pick<Plan, 'buyers' | 'sellers' | 'sale' | 'client'>) {
    const bearer = `Authorization: Bearer ${target.token}\r\n`;
    const invoicing = hostHeader(target.invoicing) + bearer;
    const json = 'Content-Type: application/json\r\n';
    this.#resource = plan.sale === 'escrow' ? '/v2/escrow' : '/v2/invoice';
    this.#createHead = `POST ${this.#resource} HTTP/1.1\r\n${invoicing}${json}Idempotency-Key: `;
    this.#moveTail = ` HTTP/1.1\r\n${invoicing}Content-Length: 0\r\nIdempotency-Key: `;
    this.#getTail = ` HTTP/1.1\r\n${invoicing}\r\n`;
    const payments = hostHeader(target.payments) + bearer;
    this.#methods = plan.buyers.map(
      ({ account_id: id }) => `GET /v1/${id}/payment_methods HTTP/1.1\r\n${payments}\r\n`,
    );
    const form = new URLSearchParams({ grant_type: 'client_credentials', ...plan.client });
    form.set('scope', 'write_invoices read_invoices');
    const body = form.toString();
    this.#token =
      `POST /token HTTP/1.1\r\n${hostHeader(target.auth)}` +
      'Content-Type: application/x-www-form-urlencoded\r\n' +
      `Content-Length: ${body.length}\r\n\r\n${body}`;
    this.#buyers = plan.buyers.map(buyerPart);
    this.#sellers = plan.sellers.map(
      ({ wallet_id: id }) => `","line_items":${linesOf(id, plan.sale)}}`,
    );
  }

  /**
   * Creates an invoice or escrow. The idempotency key is random, like callers' keys: sequential
   * keys would flatter the index that stores them.
   */
  create(buyer: number, seller: number): string {
    this.#orders += 1;
    const body = `${this.#buyers[buyer]}order-${this.#orders}${this.#sellers[seller]}`;
    return `${this.#createHead}${randomUUID()}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  }

  /** Pays an invoice or escrow, or commits an escrow; no body. */
  move(id: string, name: 'pay' | 'commit'): string {
    return `POST ${this.#resource}/${id}/${name}${this.#moveTail}${randomUUID()}\r\n\r\n`;
  }

  /** Reads an invoice. */
  get(invoiceId: string): string {
    return `GET /v2/invoice/${invoiceId}${this.#getTail}`;
  }

  /** Lists a buyer's payment methods. */
  methods(buyer: number): string {
    return this.#methods[buyer] ?? '';
  }

  /** Requests an access token. */
  token(): string {
    return this.#token;
  }
}
