// Request bodies and records of refunds: the one place where their wire fields are spelled. [G-43]
import { z } from 'zod';
import { displayAmount } from '../../../core/currency.ts';
import {
  list,
  optional,
  positiveAmount,
  reference,
  strictObject,
  text,
  TEXT_MAX,
  uuid,
} from '../../../core/schema.ts';
import { refundMachine, reversalMachine } from './machine.ts';
import { REASONS, REVERSAL_KINDS } from './tables.ts';


/** Any text of this length passes; a malformed id is answered as unknown. */
const idInBody = z.string().max(36);

const why = {
  reason: z.enum(REASONS),
  sub_reason: optional(reference(TEXT_MAX)),
  note: optional(text()),
};

/** Body of POST /v2/refund. */
export const refundBody = strictObject({ invoice_id: idInBody, ...why });

/** Body of POST /v2/line-item/refund. */
export const lineRefundBody = strictObject({
  line_item_id: idInBody,
  amount: positiveAmount(),
  payment_methods: optional(list(idInBody).max(20)),
  ...why,
});

const money = strictObject({
  amount: z.int(),
  currency: z.string(),
  display_amount: z.string(),
}).meta({ title: 'Amount' });

/** A refund in answers and in refund-completed. The note is never shown. */
export const refundRecord = strictObject({
  refund_id: uuid(),
  invoice_id: uuid(),
  /** '' until money moves. */
  refund_invoice_id: z.string(),
  /** '' for a refund of all that was left. */
  line_item_id: z.string(),
  status: z.enum(refundMachine.states),
  amount: z.int(),
  currency: z.string(),
  display_amount: z.string(),
  /** What of the amount is tax; absent: nothing. [G-89] */
  tax: money.optional(),
  reason: z.enum(REASONS),
  sub_reason: z.string(),
  /** Minor units by payment method; 0 for one that the processor refused. */
  payment_methods: z.record(z.string(), z.int()),
  failure_code: z.string(),
  created: z.string(),
  updated: z.string(),
});
export type RefundRecord = z.output<typeof refundRecord>;

const reversalRecord = strictObject({
  reversal_id: uuid(),
  payment_method_id: uuid(),
  kind: z.enum(REVERSAL_KINDS),
  amount: z.int(),
  currency: z.string(),
  display_amount: z.string(),
  status: z.enum(reversalMachine.states),
  created: z.string(),
  updated: z.string(),
}).meta({ title: 'Reversal' });

/** What was returned of an invoice: refunds of one status, and all reversals. */
export const invoiceRefundsRecord = strictObject({
  invoice_id: uuid(),
  /** True where refunds have returned the whole charge, whatever status was asked for. */
  is_fully_refunded: z.boolean(),
  refund_invoice_ids: z.array(uuid()),
  /** What the listed refunds return, by payment method. */
  payments: z.record(z.string(), money),
  /** The listed refunds by id. */
  refunds: z.record(z.string(), refundRecord),
  /** What the listed refunds return, by line item. */
  line_item_refunds: z.record(z.string(), money),
  reversals: z.record(z.string(), reversalRecord),
});
export type InvoiceRefundsRecord = z.output<typeof invoiceRefundsRecord>;

/** An amount in minor units with its display form. */
export function shown(amount: number, currency: string): z.output<typeof money> {
  return { amount, currency, display_amount: displayAmount(amount, currency) };
}
