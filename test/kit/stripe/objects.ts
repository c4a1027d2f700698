// The objects of a Stripe-shaped server, with the fields that we read of Stripe's, and its errors.
import { randomBytes } from 'node:crypto';

export class ApiError extends Error {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  constructor(status: number, type: string, code: string | null, more: object = {}) {
    super(code ?? type);
    this.status = status;
    const named = code === null ? {} : { code };
    this.body = { error: { type, message: `Refused: ${code ?? type}.`, ...named, ...more } };
  }
}

export const invalid = (code: string | null, more: object = {}): ApiError =>
  new ApiError(400, 'invalid_request_error', code, more);

/** An id as Stripe's. */
export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}

export type Metadata = Record<string, string>;

export interface Charge {
  readonly id: string;
  readonly object: 'charge';
  readonly livemode: boolean;
  readonly amount: number;
  amount_captured: number;
  amount_refunded: number;
  currency: string;
  readonly metadata: Metadata;
  readonly payment_intent: string;
  readonly payment_method_details: { readonly type: string };
  readonly created: number;
}

export interface Intent {
  readonly id: string;
  readonly object: 'payment_intent';
  readonly livemode: boolean;
  readonly amount: number;
  amount_capturable: number;
  amount_received: number;
  currency: string;
  readonly customer: string;
  payment_method: string | null;
  readonly capture_method: string;
  readonly metadata: Metadata;
  status: string;
  latest_charge: string | null;
  next_action: { type: string; redirect_to_url: { url: string; return_url: string } } | null;
  last_payment_error: { code: string; decline_code?: string; type: string } | null;
  readonly created: number;
}

export interface Refund {
  readonly id: string;
  readonly object: 'refund';
  readonly amount: number;
  readonly currency: string;
  readonly metadata: Metadata;
  readonly payment_intent: string;
  readonly charge: string;
  status: string;
  failure_reason?: string;
  readonly created: number;
}

export interface Dispute {
  readonly id: string;
  readonly object: 'dispute';
  readonly livemode: boolean;
  readonly amount: number;
  readonly currency: string;
  readonly charge: string;
  readonly payment_intent: string;
  readonly reason: string;
  status: string;
  readonly evidence: Metadata;
  readonly evidence_details: { readonly due_by: number; submission_count: number };
  readonly metadata: Metadata;
}

/** A seller's account under the platform's. */
export interface Seller {
  readonly id: string;
  readonly object: 'account';
  readonly type: string;
  readonly country: string;
  readonly email: string | null;
  readonly metadata: Metadata;
  charges_enabled: boolean;
  payouts_enabled: boolean;
  details_submitted: boolean;
  readonly capabilities: { transfers: string };
  requirements: { readonly currently_due: string[]; readonly disabled_reason: string | null };
}

export interface Transfer {
  readonly id: string;
  readonly object: 'transfer';
  readonly livemode: boolean;
  readonly amount: number;
  amount_reversed: number;
  readonly currency: string;
  readonly destination: string;
  readonly transfer_group: string;
  readonly metadata: Metadata;
  reversed: boolean;
  readonly created: number;
}

/** A file, by what is compared of it. */
export interface Uploaded {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly sha256: string;
}

export interface Transaction {
  readonly id: string;
  readonly object: 'balance_transaction';
  readonly amount: number;
  readonly currency: string;
  readonly fee: number;
  readonly net: number;
  readonly type: string;
  readonly reporting_category: string;
  readonly source: string;
  readonly available_on: number;
  readonly created: number;
}

export interface Event {
  readonly id: string;
  readonly object: 'event';
  readonly api_version: string;
  readonly livemode: boolean;
  readonly type: string;
  readonly created: number;
  /** The seller's account that it is about. */
  readonly account?: string;
  readonly data: { readonly object: object; readonly previous_attributes?: object };
}

/** How a saved card or account behaves. */
export interface Behaviour {
  readonly type: 'card' | 'us_bank_account' | 'ideal' | 'bancontact';
  /** Declined at confirmation or capture, with this code of the bank. */
  readonly declines?: string;
  readonly at?: 'confirm' | 'capture';
  readonly challenged?: true;
  /** Of a bank's login: the bank says later whether it pays. */
  readonly later?: true;
}

export interface Method {
  readonly id: string;
  readonly customer: string;
  readonly does: Behaviour;
}

/** What a new payment is made of. */
export type NewIntent = Pick<
  Intent,
  'amount' | 'currency' | 'customer' | 'capture_method' | 'metadata'
> & { readonly payment_method: string };

/** One movement of money. */
export interface Moved {
  readonly amount: number;
  readonly currency: string;
  readonly source: string;
  readonly fee?: number;
}

/** A page of Checkout: a card is saved on it, or an amount is paid once. */
export interface Session {
  readonly id: string;
  readonly object: 'checkout.session';
  readonly livemode: boolean;
  readonly mode: 'setup' | 'payment';
  readonly url: string;
  readonly success_url: string;
  status: 'open' | 'complete' | 'expired';
  payment_status: 'unpaid' | 'paid';
  customer: string | null;
  setup_intent: object | null;
  payment_intent: string | null;
  readonly amount_total: number | null;
  readonly currency: string | null;
  readonly metadata: Metadata;
  readonly expires_at: number;
  readonly created: number;
  /** What is paid, and how; not shown. */
  readonly sold: {
    readonly type: Behaviour['type'];
    readonly capture: string;
    readonly metadata: Metadata;
  } | null;
}
