// Queries and records of the history: the one place where their wire fields are spelled. [G-43]
import { z } from 'zod';
import { displayAmount } from '../../../core/currency.ts';
import { numberText, optional, strictObject, uuid, wireIdOf } from '../../../core/schema.ts';
import { escrowRecord } from '../escrow/index.ts';
import { invoiceRecord } from '../invoice/index.ts';
import { payoutRecord } from '../payout/index.ts';
import { DEPTH } from './parts.ts';

const LIST_MAX = 100;
/** The largest offset: as far as the history goes back. */
const OFFSET_MAX = DEPTH;

export const STATUSES = ['pending', 'processed', 'payout-failed', 'error'] as const;
export type Status = (typeof STATUSES)[number];

const INVOICE_STATES = ['open', 'processing', 'success', 'failed'] as const;
/** Kinds of purchases by type on the wire; null: has no rows, as no price is in tokens. */
export const INVOICE_TYPES = {
  user_purchase: '',
  user_purchase_escrow: 'escrow',
  user_purchase_virtual: null,
  user_purchase_escrow_virtual: null,
} as const;

/** A comma-separated list of `known` names. */
function namesOf(known: readonly string[]): z.ZodString {
  const longest = known.join(',').length;
  const one = known.join('|');
  return z
    .string()
    .check(({ value, issues }) => {
      const names = value.length > longest ? [''] : value.split(',');
      if (names.every((name) => known.includes(name))) return;
      const message = `must be a comma-separated list of ${known.join(', ')}`;
      issues.push({ code: 'custom', input: value, message });
    })
    .meta({
      maxLength: longest,
      pattern: `^(?:${one})(?:,(?:${one}))*$`,
      examples: [known.slice(0, 2).join(',')],
    });
}

const page = {
  limit: optional(numberText(1, LIST_MAX)),
  offset: optional(numberText(0, OFFSET_MAX)),
};
const flag = z.enum(['true', 'false']);

export const listQuery = strictObject({
  ...page,
  statuses: optional(namesOf(STATUSES)),
  account_id: optional(wireIdOf('acct')),
});

export const oneQuery = strictObject({ account_id: optional(wireIdOf('acct')) });
export const onePath = strictObject({ transaction_id: z.string() });

export const invoicesPath = strictObject({ account_id: wireIdOf('acct') });
export const invoicesQuery = strictObject({
  ...page,
  states: optional(namesOf(INVOICE_STATES)),
  invoice_types: optional(namesOf(Object.keys(INVOICE_TYPES))),
  sort: optional(z.enum(['asc', 'desc'])),
  sort_field: optional(z.enum(['created', 'updated'])),
  include_recipient_transactions: optional(flag),
});

type Money<K extends string> = Record<K, z.ZodInt> & Record<`${K}_display`, z.ZodString>;

/** Fields of an amount in minor units with its display form. */
export function money<K extends string>(...names: readonly K[]): Money<K> {
  const fields = names.flatMap((name) => [
    [name, z.int()],
    [`${name}_display`, z.string()],
  ]);
  return Object.fromEntries(fields) as Money<K>;
}

export function shown<K extends string>(
  name: K,
  amount: number,
  currency: string,
): Record<K, number> & Record<`${K}_display`, string> {
  const fields = { [name]: amount, [`${name}_display`]: displayAmount(amount, currency) };
  return fields as Record<K, number> & Record<`${K}_display`, string>;
}

/** The buyer's purchase: the invoice, with its escrow if it has one. */
const purchaseData = strictObject({
  ...invoiceRecord.shape,
  escrow: escrowRecord.optional(),
}).meta({ title: 'PurchaseData' });

const saleItem = strictObject({
  line_item_id: uuid(),
  product_sku: z.string(),
  description: z.string(),
  reference_type: z.string(),
  reference_id: z.string(),
  ...money('amount_received', 'amount_received_less_fees', 'amount_fees_paid'),
  payment_method_id: uuid(),
  payment_method_display_string: z.string(),
  fees: z.array(strictObject({ ...money('amount'), description: z.string() })),
});

/** What the seller got or is to get; nothing about the buyer. */
const saleData = strictObject({
  recipient_account_id: z.string(),
  currency: z.string(),
  ...money('total_received', 'total_received_less_fees', 'total_fees_paid'),
  recipient_items: z.array(saleItem),
  /** '' without an escrow. */
  escrow_status: z.string(),
}).meta({ title: 'SaleData' });

const method = { payment_method_id: uuid(), payment_method_display_string: z.string() };

const payoutData = strictObject({
  currency: z.string(),
  ...money('payout_total', 'payout_fee', 'payout_amount_less_fee'),
  source_payment_method: strictObject(method),
  destination_payment_method: strictObject(method),
  payout: payoutRecord,
}).meta({ title: 'PayoutData' });

const refundData = strictObject({
  currency: z.string(),
  ...money('subtotal', 'tax_total', 'total'),
  original_invoice_id: uuid(),
  original_reference_type: z.string(),
  original_reference_id: z.string(),
  original_date: z.string(),
  /** '' unless a part of one line item was refunded. */
  partial_refund_line_item_id: z.string(),
  refund_line_items: z.array(
    strictObject({
      line_item_id: uuid(),
      product_sku: z.string(),
      description: z.string(),
      ...money('amount'),
    }),
  ),
  refund_payment_methods: z.array(strictObject({ ...method, ...money('amount') })),
}).meta({ title: 'RefundData' });

const common = {
  transaction_id: uuid(),
  transaction_id_type: z.enum([
    'invoicing.invoice_v2.invoice_id',
    'invoicing.payout_status.id',
  ]),
  transaction_status: z.enum(STATUSES),
  account_id: z.string(),
  transaction_date: z.string(),
  transaction_description: z.string(),
};

/** A transaction as its party sees it. [G-43] */
export const transactionRecord = z.discriminatedUnion('transaction_type', [
  strictObject({
    ...common,
    transaction_type: z.enum(['user_purchase', 'user_purchase_escrow']),
    transaction_role: z.literal('buyer'),
    transaction_data: purchaseData,
  }),
  strictObject({
    ...common,
    transaction_type: z.literal('user_purchase_recipient'),
    transaction_role: z.literal('seller'),
    transaction_data: saleData,
  }),
  strictObject({
    ...common,
    transaction_type: z.literal('payout'),
    transaction_role: z.literal('user'),
    transaction_data: payoutData,
  }),
  strictObject({
    ...common,
    transaction_type: z.literal('refund'),
    transaction_role: z.literal('buyer'),
    transaction_data: refundData,
  }),
]);
export type Transaction = z.output<typeof transactionRecord>;
export type PurchaseData = z.output<typeof purchaseData>;
export type SaleData = z.output<typeof saleData>;
export type PayoutData = z.output<typeof payoutData>;
export type RefundData = z.output<typeof refundData>;

/** A page of an account's transactions, newest first. */
export const transactionPage = strictObject({
  /** The count over all pages, of the latest 5,000 of each kind. */
  total: z.int(),
  account_id: z.string(),
  transactions: z.array(transactionRecord),
});
