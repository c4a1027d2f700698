// The wire fields of authorized invoices. [seed: Authorized invoice result, G-45, G-46]
import { z } from 'zod';
import { displayAmount } from '../../../core/currency.ts';
import { wireId } from '../../../core/ids.ts';
import { optional, reference, strictObject, uuid } from '../../../core/schema.ts';
import { ONCE_KINDS } from '../../../providers/processor/port.ts';
import { invoiceOf } from '../escrow/index.ts';
import {
  createInvoiceBody,
  grossOf,
  lineFields,
  namedFields,
  recipientBody,
  shownTax,
  taxRecord,
  taxSumFields,
  taxSums,
  TRANSACTION_TYPES,
  type AuthorizedInvoice,
} from '../invoice/index.ts';

/** Body of POST /v2/authorize/invoice: a creation without payment methods. [G-46] */
export const authorizeInvoiceBody = createInvoiceBody.omit({ payment_methods: true }).extend({
  is_escrow: optional(z.boolean()),
  invoice_mechanism: reference(64),
});
export type AuthorizeInvoiceBody = z.output<typeof authorizeInvoiceBody>;

/** The answer; a nonce id only for the widget. [seed: Authorized invoice result] */
export const authorizedResult = strictObject({
  nonce_auth_id: uuid().optional(),
  authorized_invoice_id: uuid(),
  redirect: z.string(),
});

const lineRecord = strictObject({
  amount: z.int(),
  currency: z.string(),
  display_amount: z.string(),
  transaction_type: z.enum(TRANSACTION_TYPES),
  ...lineFields.record,
  tax: taxRecord.optional(),
  /** As in the request. */
  recipients: z.array(recipientBody),
});

/** The current authorized invoice. */
export const authorizedRecord = strictObject({
  authorized_invoice_id: uuid(),
  account_id: z.string(),
  is_escrow: z.boolean(),
  is_virtual: z.literal(false),
  ...namedFields.record,
  line_items: z.array(lineRecord),
  ...taxSumFields,
  line_items_total: z.int(),
  line_items_currency: z.string(),
  display_amount: z.string(),
  state: z.enum(['open', 'processing', 'paid']),
  /** The invoice made last (for an escrow, its escrow invoice); '' while there is none. */
  invoice_id: z.string(),
  escrow_id: z.string(),
  pay_once: z.array(z.enum(ONCE_KINDS)).optional().meta({
    description: "How it can be paid once on the processor's page; absent: not at all.",
  }),
  receipt_url: z.string().optional().meta({
    description: "To its buyer's page, once it is paid: the page of the receipt.",
  }),
});

/** What a person sees of a sale before they agree to anything. [G-16] */
export const saleSummary = authorizedRecord
  .pick({
    is_escrow: true,
    description: true,
    reference_type: true,
    reference_id: true,
    display_amount: true,
    subtotal: true,
    tax: true,
  })
  .extend({
    line_items: z.array(
      lineRecord.pick({ description: true, product_sku: true, display_amount: true }),
    ),
  }).meta({ title: 'SaleSummary' });

export function summaryOf(found: AuthorizedInvoice): z.output<typeof saleSummary> {
  const whole = renderAuthorized(found);
  const { is_escrow, description, reference_type, reference_id, display_amount } = whole;
  const { subtotal, tax } = whole;
  const line_items = whole.line_items.map((line) => ({
    description: line.description,
    product_sku: line.product_sku,
    display_amount: line.display_amount,
  }));
  const named = { description, reference_type, reference_id };
  const sums = { ...(subtotal && { subtotal }), ...(tax && { tax }) };
  return { is_escrow, ...named, display_amount, ...sums, line_items };
}

type State = z.output<typeof authorizedRecord>['state'];
/** States of the invoice made last after which no other can be made. */
const ENDINGS: Readonly<Record<string, State>> = { processing: 'processing', success: 'paid' };

/** The state of an authorized invoice: that of the invoice made last. */
export function stateOf({ latest }: AuthorizedInvoice): State {
  return ENDINGS[latest?.state ?? ''] ?? 'open';
}

export function renderAuthorized(found: AuthorizedInvoice): z.output<typeof authorizedRecord> {
  const { id, isEscrow, sale, latest } = found;
  const currency = sale.line_items[0]?.currency ?? '';
  const total = sale.line_items.reduce((sum, line) => sum + grossOf(line), 0);
  return {
    authorized_invoice_id: id,
    account_id: sale.account_id,
    is_escrow: isEscrow,
    is_virtual: false,
    ...namedFields.shown(sale),
    line_items: sale.line_items.map((line) => ({
      amount: line.amount,
      currency,
      display_amount: displayAmount(line.amount, currency),
      transaction_type: line.transaction_type,
      ...lineFields.shown(line),
      ...(line.tax && { tax: shownTax(line.tax, currency) }),
      recipients: line.recipients ?? [],
    })),
    ...taxSums(sale.line_items, total, currency),
    line_items_total: total,
    line_items_currency: currency,
    display_amount: displayAmount(total, currency),
    state: stateOf(found),
    invoice_id: latest?.id ?? '',
    escrow_id: isEscrow && latest ? wireId('esc', invoiceOf(latest.id, 'escrow')) : '',
  };
}
