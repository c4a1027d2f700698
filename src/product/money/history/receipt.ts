// A receipt: a transaction as its party keeps it. One value, from which the answer to programs, the
// mail, the page and its PDF are made.
import type { Queryable } from '../../../db/index.ts';
import { accountId } from '../../../core/ids.ts';
import type { Instant } from '../../../core/time.ts';
import type { Services } from '../../context.ts';
import { accountUuid } from '../../people/account/index.ts';
import { businessNames } from '../../people/business/index.ts';
import { saleTermsOf } from '../invoice/index.ts';
import { methodNames, transactionOf } from './read.ts';
import { render } from './render.ts';
import type { Transaction } from './schema.ts';

/** One row of a receipt; the amount in minor units of its currency. */
export interface ReceiptRow {
  readonly name: string;
  readonly amount: number;
}

/** Kinds of receipts: what was bought, held, sold, paid out or returned. */
export const RECEIPT_KINDS = ['purchase', 'escrow', 'sale', 'payout', 'refund'] as const;
export type ReceiptKind = (typeof RECEIPT_KINDS)[number];

/** What became of the money. `open` and `failed`: there is no receipt to give yet, or ever. */
export const RECEIPT_STATES = ['done', 'held', 'open', 'failed'] as const;
export type ReceiptState = (typeof RECEIPT_STATES)[number];

/** What a party of a transaction paid, got or got back. Amounts are in minor units. */
export interface Receipt {
  /** UUID of the invoice or payout: what a question about it should name. */
  readonly number: string;
  readonly kind: ReceiptKind;
  readonly state: ReceiptState;
  readonly at: Instant;
  readonly currency: string;
  /** Before fee, and before tax that is added. */
  readonly lines: readonly ReceiptRow[];
  readonly subtotal: number;
  readonly tax: number;
  /** What a seller, or who is paid out to, paid of it. */
  readonly fee: number;
  readonly total: number;
  /** Paid from, or paid to. */
  readonly methods: readonly ReceiptRow[];
  /** Names of the sellers that are verified businesses: private persons are not named. */
  readonly sellers: readonly string[];
}

export type ReceiptParts = Pick<Services, 'keys' | 'random'> & { readonly db: Services['db'] };

/**
 * The receipt of a transaction by the id of its invoice, escrow, payout or refund; null where the
 * account (a UUID) is no party to it. [G-43]
 */
export async function receiptOf(
  parts: ReceiptParts,
  workspace: number,
  account: string,
  id: string,
): Promise<Receipt | null> {
  const { db } = parts;
  const part = await transactionOf(db, workspace, account, id);
  if (part === null) return null;
  const names = await methodNames(db, workspace, account);
  const shown = render(part, accountId(account), names);
  if (shown === null) return null;
  const { transaction_id: number } = shown;
  const sale = saleOf(shown);
  const sold = sale === null ? [] : await recipientsOf(db, workspace, sale);
  const sellers = sold.length === 0 ? [] : await businessNames(parts, workspace, sold);
  return { number, at: part.at, state: stateOf(shown), sellers, ...amountsOf(shown, names) };
}

/** Accounts (UUIDs) that an invoice is to pay, each once. */
export async function recipientsOf(
  db: Queryable,
  workspace: number,
  invoice: string,
): Promise<string[]> {
  const lines = (await termsOf(db, workspace, invoice))?.lines ?? [];
  const paid = lines.flatMap(({ recipients }) => recipients.map((one) => one.account_id));
  return [...new Set(paid)].flatMap((wire) => accountUuid(wire) ?? []);
}

/** True where what was paid by an invoice is held in an escrow. */
export async function isEscrowed(
  db: Queryable,
  workspace: number,
  invoice: string,
): Promise<boolean> {
  return (await termsOf(db, workspace, invoice))?.escrow !== undefined;
}

async function termsOf(db: Queryable, workspace: number, invoice: string) {
  const [row] = await db.query<{ id: string; document: string }>({
    name: 'terms_of_receipt',
    text: 'select id, document from invoice_document where workspace = $1 and id = $2',
    values: [workspace, invoice],
  });
  return row && saleTermsOf(row);
}

/** The invoice whose sellers a buyer is told; null for who is paid. */
function saleOf({ transaction_type: type, transaction_data: data, ...shown }: Transaction) {
  if (type === 'refund') return data.original_invoice_id;
  return shown.transaction_role === 'buyer' ? shown.transaction_id : null;
}

/** Money in escrow was paid: only who has not paid at all has no receipt. */
function stateOf(shown: Transaction): ReceiptState {
  const { transaction_status: status, transaction_type: type, transaction_data: data } = shown;
  if (status === 'processed') return 'done';
  if (status !== 'pending') return 'failed';
  const escrow =
    type === 'user_purchase_escrow'
      ? data.escrow?.status
      : type === 'user_purchase_recipient' ? data.escrow_status : '';
  return escrow === 'ESCROWED' ? 'held' : 'open';
}

type Amounts = Omit<Receipt, 'number' | 'at' | 'state' | 'sellers'>;

function amountsOf(
  { transaction_type: type, transaction_data: data }: Transaction,
  names: ReadonlyMap<string, string>,
): Amounts {
  if (type === 'payout') {
    const { currency, payout_total, payout_fee, payout_amount_less_fee: total } = data;
    const { payment_method_display_string: name } = data.destination_payment_method;
    return {
      ...{ kind: 'payout', currency, lines: [], subtotal: payout_total, tax: 0 },
      ...{ fee: payout_fee, total, methods: [{ name, amount: total }] },
    };
  }
  if (type === 'refund') {
    const lines = data.refund_line_items.map(({ description, product_sku, amount }) => {
      return { name: description || product_sku, amount };
    });
    const methods = data.refund_payment_methods.map((one) => {
      return { name: one.payment_method_display_string, amount: one.amount };
    });
    const { currency, subtotal, tax_total: tax, total } = data;
    return { kind: 'refund', currency, lines, subtotal, tax, fee: 0, total, methods };
  }
  if (type === 'user_purchase_recipient') {
    const lines = data.recipient_items.map((one) => {
      return { name: one.description || one.product_sku, amount: one.amount_received };
    });
    const { currency, total_received, total_fees_paid: fee } = data;
    const total = data.total_received_less_fees;
    return {
      ...{ kind: 'sale', currency, lines, subtotal: total_received, tax: 0 },
      ...{ fee, total, methods: [] },
    };
  }
  const { total_amount: total, currency, tax: added } = data.summary;
  const tax = added?.total_amount ?? 0;
  return {
    ...{ kind: type === 'user_purchase_escrow' ? 'escrow' : 'purchase', currency, tax, total },
    ...{ subtotal: total - tax, fee: 0 },
    lines: Object.values(data.line_items).map((one) => {
      return { name: one.description || one.product_sku, amount: one.amount };
    }),
    methods: Object.values(data.payment_methods).map((one) => {
      return { name: names.get(one.payment_method_id) ?? '', amount: one.authorized_amount };
    }),
  };
}
