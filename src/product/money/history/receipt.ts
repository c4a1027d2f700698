// A receipt: a transaction as its party keeps it, in texts that a page or a mail shows as they are.
import type { Queryable } from '../../../db/index.ts';
import { accountId } from '../../../core/ids.ts';
import { displayAmount } from '../../../core/currency.ts';
import type { Instant } from '../../../core/time.ts';
import { accountUuid } from '../../people/account/index.ts';
import { saleTermsOf } from '../invoice/index.ts';
import { methodNames, transactionOf } from './read.ts';
import { render } from './render.ts';
import type { Transaction } from './schema.ts';

/** One row of a receipt. */
export interface ReceiptRow {
  readonly name: string;
  /** With its currency. */
  readonly amount: string;
}

/** What a party of a transaction paid, got or got back. */
export interface Receipt {
  /** UUID of the invoice or payout: what a question about it should name. */
  readonly number: string;
  readonly type: Transaction['transaction_type'];
  readonly status: Transaction['transaction_status'];
  readonly at: Instant;
  readonly total: string;
  readonly lines: readonly ReceiptRow[];
  /** Paid from, or paid to. */
  readonly methods: readonly ReceiptRow[];
}

/**
 * The receipt of a transaction by the id of its invoice, escrow, payout or refund; null where the
 * account (a UUID) is no party to it. [G-43]
 */
export async function receiptOf(
  db: Queryable,
  workspace: number,
  account: string,
  id: string,
): Promise<Receipt | null> {
  const part = await transactionOf(db, workspace, account, id);
  if (part === null) return null;
  const names = await methodNames(db, workspace, account);
  const shown = render(part, accountId(account), names);
  if (shown === null) return null;
  const { transaction_id: number, transaction_type: type, transaction_status: status } = shown;
  return { ...{ number, type, status, at: part.at }, ...amountsOf(shown, names) };
}

/** Accounts (UUIDs) that an invoice is to pay, each once. */
export async function recipientsOf(
  db: Queryable,
  workspace: number,
  invoice: string,
): Promise<string[]> {
  const [row] = await db.query<{ document: string }>({
    name: 'recipients_of',
    text: 'select document from invoice_document where workspace = $1 and id = $2',
    values: [workspace, invoice],
  });
  const lines = row === undefined ? [] : saleTermsOf(row).lines;
  const paid = lines.flatMap(({ recipients }) => recipients.map((one) => one.account_id));
  return [...new Set(paid)].flatMap((wire) => accountUuid(wire) ?? []);
}

function amountsOf(
  { transaction_type: type, transaction_data: data }: Transaction,
  names: ReadonlyMap<string, string>,
): Pick<Receipt, 'total' | 'lines' | 'methods'> {
  if (type === 'payout') {
    const total = data.payout_amount_less_fee_display;
    const { payment_method_display_string: name } = data.destination_payment_method;
    return { total, lines: [], methods: [{ name, amount: total }] };
  }
  if (type === 'refund') {
    return {
      total: data.total_display,
      lines: data.refund_line_items.map(({ description, product_sku, amount_display: amount }) => {
        return { name: description || product_sku, amount };
      }),
      methods: data.refund_payment_methods.map((one) => {
        return { name: one.payment_method_display_string, amount: one.amount_display };
      }),
    };
  }
  if (type === 'user_purchase_recipient') {
    const lines = data.recipient_items.map((one) => {
      const { description, product_sku, amount_received_less_fees_display: amount } = one;
      return { name: description || product_sku, amount };
    });
    return { total: data.total_received_less_fees_display, lines, methods: [] };
  }
  return {
    total: displayAmount(data.summary.total_amount, data.summary.currency),
    lines: Object.values(data.line_items).map((one) => {
      return { name: one.description || one.product_sku, amount: one.display_amount };
    }),
    methods: Object.values(data.payment_methods).map((one) => {
      return { name: names.get(one.payment_method_id) ?? '', amount: one.display_amount };
    }),
  };
}
