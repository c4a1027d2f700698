// Request bodies and records of invoices: the one place where their wire fields are spelled. [seed:
// Invoice]
import { z } from 'zod';
import { formsBy } from '../../../core/forms.ts';
import {
  amount,
  currencyCode,
  decimalFraction,
  list,
  optional,
  reference,
  strictObject,
  TEXT_MAX,
  uuid,
  wireIdOf,
} from '../../../core/schema.ts';
import { invoiceMachine } from './machine.ts';
import { TRANSACTION_TYPES } from './sale-terms.ts';
import { lineFields, namedFields, type StatedLine } from './stated.ts';

/**
 * A wallet or method id in a body. Any text of this length passes; a malformed id is answered as
 * unknown.
 */
const idInBody = z.string().max(36);

/** [G-46] */
export const recipientBody = strictObject({
  amount: amount(),
  currency: optional(currencyCode()),
  source_wallet_id: optional(idInBody),
  destination_wallet_id: optional(idInBody),
  destination_account_id: optional(wireIdOf('acct')),
  ...namedFields.body,
  fee_percentage: optional(decimalFraction()),
  fee_amount: optional(amount()),
  fee_description: optional(reference(TEXT_MAX)),
});

const SHOWN_ID = '01981d6e-7a10-7c3e-9d52-3f6b8a4c2e10';
const SHOWN_RECIPIENT = { amount: 2500, destination_wallet_id: SHOWN_ID };

/** What the sale is computed from; everything else is declared in stated.ts. */
type Computed = 'amount' | 'currency' | 'transaction_type' | 'recipients' | 'tax';

/** The rate is the caller's: we know none. [G-89] */
const taxBody = strictObject({
  amount: amount().meta({ description: 'Minor units, in the currency of the line item.' }),
  inclusive: optional(z.boolean()).meta({
    description: 'True: the amount of the line item holds it. Absent: it is added to that.',
  }),
  description: optional(reference(TEXT_MAX)),
}).meta({ title: 'StatedTax' });

const lineBody = strictObject({
  amount: amount(),
  currency: currencyCode(),
  transaction_type: z.enum(TRANSACTION_TYPES),
  ...lineFields.body,
  tax: optional(taxBody),
  recipients: optional(list(recipientBody)).meta({ examples: [[SHOWN_RECIPIENT]] }),
} satisfies Record<keyof StatedLine | Computed, z.ZodType>);

/** 0 among several methods takes the remainder. [seed: POST /v2/invoice] */
export const paymentMethodBody = strictObject({
  payment_method_id: idInBody,
  amount: optional(amount()),
});

const paymentMethods = optional(list(paymentMethodBody).max(20)).meta({
  examples: [[{ payment_method_id: SHOWN_ID }]],
});

/** The body of a creation that names the whole sale. [G-46] */
export const createInvoiceBody = strictObject({
  account_id: wireIdOf('acct'),
  ...namedFields.body,
  payment_methods: paymentMethods,
  line_items: list(lineBody).min(1),
}).meta({ title: 'Sale' });
export type CreateInvoiceBody = z.output<typeof createInvoiceBody>;

/** The forms of a creation: a whole sale, or an authorized one. [G-45, G-46] */
export const creationForms = {
  sale: createInvoiceBody,
  authorized: strictObject({
    authorized_invoice_id: idInBody,
    payment_methods: paymentMethods,
  }).meta({ title: 'AuthorizedSale' }),
};
/** Body of the creation of an invoice. */
export const creationBody = formsBy(
  'authorized_invoice_id',
  creationForms.sale,
  creationForms.authorized,
);
export type CreationBody = z.output<typeof creationBody>;
export type LineBody = z.output<typeof lineBody>;
export type RecipientBody = z.output<typeof recipientBody>;
export type PaymentMethodBody = z.output<typeof paymentMethodBody>;

// Fields with a place of their own in a record; the rest follow its type or state.
const { reference_type, reference_id, ...named } = namedFields.record;
const { product_sku, reference_type: _type, reference_id: _id, ...ofLine } = lineFields.record;

/** [seed: Invoice] */
export const subitemRecord = strictObject({
  subitem_id: uuid(),
  amount: z.int(),
  currency: z.string(),
  display_amount: z.string(),
  reference_type,
  reference_id,
  subitem_type: z.enum([
    'user_recipient',
    'payment',
    'integrator_share',
    'fee',
    'tax',
    'refund',
  ]),
  ...named,
  source_account_id: z.string(),
  source_payment_method_id: z.string(),
  source_wallet_id: z.string(),
  destination_account_id: z.string(),
  destination_payment_method_id: z.string(),
  destination_wallet_id: z.string(),
}).meta({ title: 'Subitem' });
export type SubitemRecord = z.output<typeof subitemRecord>;

/** The tax of a line item, as it was stated. [G-89] */
export const taxRecord = strictObject({
  amount: z.int(),
  display_amount: z.string(),
  inclusive: z.boolean().meta({ description: 'True: the amount of the line item holds it.' }),
  description: z.string(),
}).meta({ title: 'Tax' });
export type TaxRecord = z.output<typeof taxRecord>;

/** [seed: Invoice] */
export const lineItemRecord = strictObject({
  line_item_id: uuid(),
  product_sku,
  amount: z.int(),
  currency: z.string(),
  display_amount: z.string(),
  reference_type,
  reference_id,
  transaction_type: z.enum(TRANSACTION_TYPES),
  ...ofLine,
  tax: taxRecord.optional(),
  subitems: z.record(z.string(), subitemRecord),
}).meta({ title: 'LineItem' });
export type LineItemRecord = z.output<typeof lineItemRecord>;

const sumRecord = strictObject({
  total_amount: z.int(),
  currency: z.string(),
  display_amount: z.string(),
});

const partRecord = sumRecord.meta({ title: 'PartOfTotal' });

/** The total without tax, and the tax; both absent where no line item states one. [G-89] */
export const taxSumFields = { subtotal: partRecord.optional(), tax: partRecord.optional() };
export type TaxSums = z.output<z.ZodObject<typeof taxSumFields>>;

const summaryRecord = sumRecord.extend(taxSumFields);

const methodRecord = strictObject({
  payment_method_id: uuid(),
  authorized_amount: z.int(),
  currency: z.string(),
  display_amount: z.string(),
  subitems: z.record(z.string(), subitemRecord),
}).meta({ title: 'InvoicePaymentMethod' });

/** The invoice in events. [seed: Invoice] */
export const invoiceRecord = strictObject({
  invoice_id: uuid(),
  account_id: z.string(),
  reference_type,
  reference_id,
  state: z.enum(invoiceMachine.states),
  ...named,
  summary: summaryRecord,
  created: z.string(),
  updated: z.string(),
  payment_methods: z.record(z.string(), methodRecord),
  line_items: z.record(z.string(), lineItemRecord),
  subitems: z.record(z.string(), subitemRecord),
  failure_code: z.string().optional(),
  failure_reason: z.string().optional(),
});
/** The part of the record that never changes. */
export type InvoiceDocument = Omit<
  z.output<typeof invoiceRecord>,
  'state' | 'updated' | 'failure_code' | 'failure_reason'
>;

/**
 * The invoice in answers. While a payment waits for the buyer's confirmation, a read adds the
 * address of the page where the buyer confirms; stored answers and events never have it. [G-39]
 */
export const currentInvoiceRecord = invoiceRecord.extend({
  authentication_url: z.string().optional(),
  authentication_framed: z.literal(false).optional().meta({
    description: 'False: that page refuses to be framed; open it in a window of its own.',
  }),
}).meta({ title: 'Invoice' });
