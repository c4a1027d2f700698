// The records that checkout reads, and what it tells a buyer about a payment.
import type { Sale } from '../flow.ts';
import type { Bill, OnceKind } from '../methods/choice.ts';

/** What is to be paid. [G-45] */
export interface AuthorizedInvoice extends Sale {
  readonly authorized_invoice_id: string;
  /** Minor units. */
  readonly line_items_total: number;
  readonly line_items_currency: string;
  readonly state: 'open' | 'processing' | 'paid';
  /** '' until created. */
  readonly invoice_id: string;
  readonly escrow_id: string;
  /** How it can be paid once, with nothing saved; absent: not at all. */
  readonly pay_once?: readonly OnceKind[];
}

/** The part of an invoice that concerns its payment. [seed: Invoice] */
export interface Invoice {
  readonly invoice_id: string;
  readonly state: 'open' | 'processing' | 'success' | 'failed';
  readonly failure_code?: string;
  readonly failure_reason?: string;
  /** A page of the processor on which the buyer must confirm. */
  readonly authentication_url?: string;
  /** False: that page refuses to be framed. */
  readonly authentication_framed?: false;
  readonly updated: string;
  readonly payment_methods: Readonly<
    Record<string, { readonly payment_method_id: string; readonly display_amount: string }>
  >;
}

/** The part of an escrow transaction that concerns its payment. [seed: Escrow transaction] */
export interface Escrow {
  readonly id: string;
  readonly escrow_invoice_id: string;
}

/** The bill of an authorized invoice. */
export function billOf({ line_items_total, line_items_currency }: AuthorizedInvoice): Bill {
  return { total: line_items_total, currency: line_items_currency };
}

const ADVICE: Readonly<Record<string, string>> = {
  insufficient_funds: 'Insufficient funds. Use another method, or add money and try again.',
  card_declined: 'Your bank declined the card. Use another card, or ask your bank why.',
  card_expired: 'The card has expired. Use another card.',
  incorrect_cvc: 'The security code was wrong. Add the card again, or use another one.',
  processing_error: 'The card could not be processed. Try again in a moment.',
  authentication_required: 'The payment was not confirmed with your bank. Try again.',
  limit_exceeded: 'The payment exceeds the limit of this method. Use another method.',
  payment_cancelled: 'The payment was not completed.',
  payment_method_inactive: 'This method is no longer available. Use another method.',
  account_blocked: 'Your account cannot make payments at the moment. Please contact support.',
};

/** What a person can do after a failed payment, and what became of the money. [G-39] */
export function adviceOf({
  failure_code = '',
  failure_reason = '',
}: Pick<Invoice, 'failure_code' | 'failure_reason'>): string {
  if (failure_code === 'amount_mismatch') return PAID_BACK;
  const plain = `${failure_reason} Try again, or use another method.`.trim();
  return `${ADVICE[failure_code] ?? plain} You were not charged.`;
}

const PAID_BACK = 'The wrong amount was charged. It is being refunded to you.';

/** Milliseconds before the next poll: 0, then half a second growing to three. */
export function waitBefore(look: number): number {
  return look === 0 ? 0 : Math.min(500 * 1.3 ** (look - 1), 3000);
}
