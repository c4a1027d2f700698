// The records that checkout reads, and what it tells a buyer about a payment.
import type { Sale } from '../flow.ts';
import type { Bill, OnceKind } from '../methods/choice.ts';
import { t, textOf } from '../texts.ts';

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
  /** The page of its receipt, once it is paid. */
  readonly receipt_url?: string;
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

/** What a person can do after a failed payment, and what became of the money. [G-39] */
export function adviceOf({
  failure_code = '',
  failure_reason = '',
}: Pick<Invoice, 'failure_code' | 'failure_reason'>): string {
  const own = textOf('failure', failure_code);
  if (failure_code === 'amount_mismatch' && own !== undefined) return own;
  const advice = own ?? t('failure.otherwise', { english: failure_reason }).trim();
  return t('failure.not_charged', { advice });
}

/** Milliseconds before the next poll: 0, then half a second growing to three. */
export function waitBefore(look: number): number {
  return look === 0 ? 0 : Math.min(500 * 1.3 ** (look - 1), 3000);
}
