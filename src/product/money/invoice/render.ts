// The one home of the invoice's wire form: its terms with what changes inserted (state, updated,
// failure, the address at which a buyer confirms). [seed: Invoice]
import { displayAmount } from '../../../core/currency.ts';
import { JsonText } from '../../../core/json-text.ts';
import { invoiceTime, type Instant } from '../../../core/time.ts';
import { systemAccountId } from '../../../ledger/index.ts';
import { failureReason } from '../wallet/index.ts';
import {
  type AgreedLineItem,
  type AgreedMethod,
  type AgreedReturn,
  type AgreedRecipient,
  type AgreedTax,
  type SaleTerms,
} from './sale-terms.ts';
import type { InvoiceDocument, LineItemRecord, SubitemRecord } from './schema.ts';
import { lineFields, namedFields } from './stated.ts';
import { saleTermsOf, type StoredTerms } from './stored-terms.ts';
import { shownTax, statedAmount, taxSums } from './tax.ts';

/** The part of an invoice that changes. */
export interface InvoiceMoment {
  readonly state: string;
  readonly updated: Instant;
  readonly failure_code: string | null;
  /** Where the buyer confirms a payment; absent or null where no confirmation is pending. */
  readonly authentication_url?: string | null;
  /** False: that page refuses to be framed. */
  readonly authentication_framed?: false | null;
}

const texts = new WeakMap<object, string>();

/** A JSON field led by a comma; empty for null or undefined. */
function field(name: string, value: string | false | null | undefined): string {
  return value === null || value === undefined ? '' : `,"${name}":${JSON.stringify(value)}`;
}

/** The invoice record at one moment, as JSON text. `line` is the lineage of its workspace. */
export function renderInvoice(lineage: number, row: StoredTerms, moment: InvoiceMoment): JsonText {
  let text = texts.get(row);
  if (text === undefined) {
    text = JSON.stringify(documentOf(lineage, row.id, saleTermsOf(row)));
    texts.set(row, text);
  }
  const { state, updated, failure_code: code, authentication_url: url } = moment;
  const more =
    field('failure_code', code) +
    field('failure_reason', code === null ? null : failureReason(code)) +
    field('authentication_url', url) +
    field('authentication_framed', moment.authentication_framed);
  const moving = `,"state":"${state}","updated":"${invoiceTime(updated)}"${more}}`;
  return new JsonText(text.slice(0, -1) + moving);
}

function documentOf(lineage: number, id: string, saleTerms: SaleTerms): InvoiceDocument {
  const { currency, total, lines: items } = saleTerms;
  const publisher = systemAccountId(lineage, 'integrator_share', currency);
  const subitems: Record<string, SubitemRecord> = {};
  const lines: Record<string, LineItemRecord> = {};
  for (const item of items) {
    lines[item.id] = lineRecord(item, currency, publisher, subitems);
  }
  const methods: InvoiceDocument['payment_methods'] = {};
  const parts = [
    ...saleTerms.methods.map((part) => [part, paymentSubitem(part, saleTerms, publisher)] as const),
    ...(saleTerms.returns ?? []).map(
      (part) => [part, refundSubitem(part, saleTerms, publisher)] as const,
    ),
  ];
  for (const [{ id: methodId, amount }, subitem] of parts) {
    subitems[subitem.subitem_id] = subitem;
    methods[methodId] = {
      payment_method_id: methodId,
      authorized_amount: amount,
      currency,
      display_amount: displayAmount(amount, currency),
      subitems: { [subitem.subitem_id]: subitem },
    };
  }
  return {
    invoice_id: id,
    account_id: saleTerms.account_id,
    ...namedFields.shown(saleTerms),
    summary: {
      total_amount: total,
      currency,
      display_amount: displayAmount(total, currency),
      ...taxSums(items, total, currency),
    },
    payment_methods: methods,
    line_items: lines,
    subitems,
    created: invoiceTime(saleTerms.created),
  };
}

function lineRecord(
  line: AgreedLineItem,
  currency: string,
  publisher: string,
  all: Record<string, SubitemRecord>,
): LineItemRecord {
  const { tax, share } = line;
  const subitems: Record<string, SubitemRecord> = {};
  const add = (subitem: SubitemRecord): void => {
    subitems[subitem.subitem_id] = subitem;
    all[subitem.subitem_id] = subitem;
  };
  for (const recipient of line.recipients) {
    add(recipientSubitem(recipient, currency, publisher));
    if (recipient.fee !== undefined) add(feeSubitem(recipient, currency, publisher));
  }
  if (share !== undefined) {
    add(shareSubitem(share, line.amount - (tax?.amount ?? 0), currency, publisher));
  }
  if (tax?.id !== undefined) add(taxSubitem(tax.id, tax, currency, publisher));
  const amount = statedAmount(line);
  const { product_sku, reference_type, reference_id, ...stated } = lineFields.shown(line);
  return {
    line_item_id: line.id,
    product_sku,
    amount,
    currency,
    display_amount: displayAmount(amount, currency),
    reference_type,
    reference_id,
    transaction_type:
      line.type ?? (share === undefined ? 'user_to_user' : 'user_to_integrator'),
    ...stated,
    ...(tax && { tax: shownTax(tax, currency) }),
    subitems,
  };
}

function plainSubitem(
  id: string,
  type: SubitemRecord['subitem_type'],
  amount: number,
  currency: string,
): SubitemRecord {
  return {
    subitem_id: id,
    amount,
    currency,
    display_amount: displayAmount(amount, currency),
    reference_type: '',
    reference_id: '',
    subitem_type: type,
    description: '',
    metadata: null,
    source_account_id: '',
    source_payment_method_id: '',
    source_wallet_id: '',
    destination_account_id: '',
    destination_payment_method_id: '',
    destination_wallet_id: '',
  };
}

function recipientSubitem(
  recipient: AgreedRecipient,
  currency: string,
  publisher: string,
): SubitemRecord {
  const subitem = plainSubitem(recipient.id, 'user_recipient', recipient.amount, currency);
  Object.assign(subitem, namedFields.shown(recipient));
  subitem.source_wallet_id = recipient.source ?? publisher;
  subitem.destination_account_id = recipient.account_id;
  subitem.destination_payment_method_id = recipient.method;
  subitem.destination_wallet_id = recipient.wallet;
  return subitem;
}

function feeSubitem(
  { fee, source }: AgreedRecipient,
  currency: string,
  publisher: string,
): SubitemRecord {
  const subitem = plainSubitem(fee?.id ?? '', 'fee', fee?.amount ?? 0, currency);
  subitem.description = fee?.description ?? '';
  subitem.source_wallet_id = source ?? publisher;
  subitem.destination_wallet_id = publisher;
  return subitem;
}

function shareSubitem(
  id: string,
  amount: number,
  currency: string,
  publisher: string,
): SubitemRecord {
  const subitem = plainSubitem(id, 'integrator_share', amount, currency);
  subitem.source_wallet_id = publisher;
  subitem.destination_wallet_id = publisher;
  return subitem;
}

/** The tax stands in no wallet: it is kept apart from what the integrator may spend. */
function taxSubitem(
  id: string,
  { amount, description = '' }: AgreedTax,
  currency: string,
  publisher: string,
): SubitemRecord {
  const subitem = plainSubitem(id, 'tax', amount, currency);
  subitem.description = description;
  subitem.source_wallet_id = publisher;
  return subitem;
}

function paymentSubitem(
  method: AgreedMethod,
  { account_id, currency }: SaleTerms,
  publisher: string,
): SubitemRecord {
  const subitem = plainSubitem(method.subitem, 'payment', method.amount, currency);
  subitem.source_account_id = account_id;
  subitem.source_payment_method_id = method.id;
  subitem.source_wallet_id = method.wallet ?? '';
  subitem.destination_wallet_id = publisher;
  return subitem;
}

function refundSubitem(
  part: AgreedReturn,
  { account_id, currency }: SaleTerms,
  publisher: string,
): SubitemRecord {
  const subitem = plainSubitem(part.subitem, 'refund', part.amount, currency);
  subitem.source_wallet_id = publisher;
  subitem.destination_account_id = account_id;
  subitem.destination_payment_method_id = part.id;
  subitem.destination_wallet_id = part.wallet ?? '';
  return subitem;
}
