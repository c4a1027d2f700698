// Renders a transaction for its party: a buyer sees the invoice, a seller only what it is paid.
// Every amount is there as a number and as text. Pure.
import type { z } from 'zod';
import { toWire } from '../../../core/money.ts';
import { invoiceTime } from '../../../core/time.ts';
import { renderEscrow, soldOf, type EscrowState } from '../escrow/index.ts';
import {
  allocationOf,
  saleTermsOf,
  renderInvoice,
  statedAmount,
  taxSums,
  type AgreedLineItem,
  type SaleTerms,
  type invoiceRecord,
} from '../invoice/index.ts';
import { renderPayout } from '../payout/index.ts';
import type { InvoicePart, Part, PayoutPart } from './read.ts';
import {
  shown,
  type PayoutData,
  type PurchaseData,
  type RefundData,
  type SaleData,
  type Transaction,
} from './schema.ts';

/** Display strings of the account's payment methods by id. */
type Names = ReadonlyMap<string, string>;

/** The transaction as the account sees it; null where it is no party to it. */
export function render(part: Part, account: string, names: Names): Transaction | null {
  const common = {
    transaction_id: part.id,
    transaction_status: part.status,
    account_id: account,
    transaction_date: invoiceTime(part.at),
  };
  if (part.role === 'user') {
    const transaction_data = payoutData(part, names);
    return {
      ...common,
      transaction_id_type: 'invoicing.payout_status.id',
      transaction_type: 'payout',
      transaction_role: 'user',
      transaction_description:
        transaction_data.destination_payment_method.payment_method_display_string,
      transaction_data,
    };
  }
  const invoice = {
    ...common,
    transaction_id_type: 'invoicing.invoice_v2.invoice_id',
    transaction_description: saleTermsOf(part).description ?? '',
  } as const;
  if (part.role === 'seller') return sale(part, account, names, invoice);
  if (part.kind === 'refund' || part.kind === 'cancel') {
    const transaction_data = refundData(part, names);
    const type = { transaction_type: 'refund', transaction_role: 'buyer' } as const;
    return { ...invoice, ...type, transaction_data };
  }
  return {
    ...invoice,
    transaction_type: part.kind === 'escrow' ? 'user_purchase_escrow' : 'user_purchase',
    transaction_role: 'buyer',
    transaction_data: purchaseData(part),
  };
}

function purchaseData(part: InvoicePart): PurchaseData {
  const record = renderInvoice(part.lineage, part, part).parse() as z.output<typeof invoiceRecord>;
  const { escrow_id: id, escrow_buyer, escrow_state, escrow_created, escrow_updated } = part;
  const course = part.escrow_course;
  if (id === null) return record;
  const escrow = {
    id,
    account_id: escrow_buyer ?? '',
    state: escrow_state as EscrowState,
    created: escrow_created ?? part.at,
    updated: escrow_updated ?? part.at,
    course,
  };
  return { ...record, escrow: renderEscrow(escrow, part.integrator) };
}

type SaleItem = SaleData['recipient_items'][number];

function sale(
  part: InvoicePart,
  account: string,
  names: Names,
  common: Pick<
    Transaction,
    | 'transaction_id'
    | 'transaction_id_type'
    | 'transaction_status'
    | 'account_id'
    | 'transaction_date'
    | 'transaction_description'
  >,
): Transaction | null {
  const { lines, currency } = soldIn(part);
  const recipient_items = lines.flatMap((line) => saleItems(line, account, names, currency));
  const [first] = recipient_items;
  if (first === undefined) return null;
  const sum = (field: 'amount_received' | 'amount_received_less_fees' | 'amount_fees_paid') =>
    recipient_items.reduce((total, item) => total + item[field], 0);
  return {
    ...common,
    transaction_type: 'user_purchase_recipient',
    transaction_role: 'seller',
    // The invoice's own description is for its buyer, and may mention other sellers.
    transaction_description: first.description,
    transaction_data: {
      recipient_account_id: account,
      currency,
      ...shown('total_received', sum('amount_received'), currency),
      ...shown('total_received_less_fees', sum('amount_received_less_fees'), currency),
      ...shown('total_fees_paid', sum('amount_fees_paid'), currency),
      recipient_items,
      escrow_status: part.escrow_state ?? '',
    },
  };
}

/** What was sold: of an escrow that has ended, what was released. */
function soldIn(part: InvoicePart): SaleTerms {
  const whole = { saleTerms: saleTermsOf(part), allocation: allocationOf(part) };
  const { escrow_state: state, escrow_course: course, escrow_disputes: disputes } = part;
  if (course === null || state === null || state === 'ESCROWED') return whole.saleTerms;
  return (soldOf(whole, { state, course, disputes }) ?? whole).saleTerms;
}

/** The seller's parts of a line item. A recipient's agreed amount is what is left after the fee. */
function saleItems(
  line: AgreedLineItem,
  account: string,
  names: Names,
  currency: string,
): SaleItem[] {
  const own = line.recipients.filter(({ account_id }) => account_id === account);
  return own.map(({ amount, fee, description, reference_type, reference_id, method }) => {
    const paid = fee?.amount ?? 0;
    return {
      line_item_id: line.id,
      product_sku: line.product_sku ?? '',
      description: description ?? line.description ?? '',
      reference_type: reference_type ?? line.reference_type ?? '',
      reference_id: reference_id ?? line.reference_id ?? '',
      ...shown('amount_received', amount + paid, currency),
      ...shown('amount_received_less_fees', amount, currency),
      ...shown('amount_fees_paid', paid, currency),
      ...named(method, names),
      fees:
        fee === undefined
          ? []
          : [{ ...shown('amount', paid, currency), description: fee.description ?? '' }],
    };
  });
}

function named(payment_method_id: string, names: Names) {
  return { payment_method_id, payment_method_display_string: names.get(payment_method_id) ?? '' };
}

function payoutData(part: PayoutPart, names: Names): PayoutData {
  const { currency, source_method_id, destination_method_id } = part;
  const [total, fee] = [toWire(part.amount), toWire(part.fee_amount)];
  return {
    currency,
    ...shown('payout_total', total, currency),
    ...shown('payout_fee', fee, currency),
    ...shown('payout_amount_less_fee', total - fee, currency),
    source_payment_method: named(source_method_id, names),
    destination_payment_method: named(destination_method_id, names),
    payout: renderPayout(part, part),
  };
}

function refundData(part: InvoicePart, names: Names): RefundData {
  const { currency, total, lines, returns = [], of = '' } = saleTermsOf(part);
  const tax = taxSums(lines, total, currency).tax?.total_amount ?? 0;
  const original = saleTermsOf(part.original === null ? part : { id: of, document: part.original });
  return {
    currency,
    ...shown('subtotal', total - tax, currency),
    ...shown('tax_total', tax, currency),
    ...shown('total', total, currency),
    original_invoice_id: of,
    original_reference_type: original.reference_type ?? '',
    original_reference_id: original.reference_id ?? '',
    original_date: invoiceTime(original.created),
    partial_refund_line_item_id: part.line_item_id ?? '',
    refund_line_items: lines.map((line) => ({
      line_item_id: line.id,
      product_sku: line.product_sku ?? '',
      description: line.description ?? '',
      ...shown('amount', statedAmount(line), currency),
    })),
    refund_payment_methods: returns.map(({ id, amount }) => ({
      ...named(id, names),
      ...shown('amount', amount, currency),
    })),
  };
}

