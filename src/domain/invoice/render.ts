// The one home of the invoice's wire form. The document is written once, at creation; an answer or
// event is the document with what moves spliced on: state, updated, and the failure of a failed
// one.
import { displayAmount } from '../../kernel/currency.ts';
import { accountId } from '../../kernel/ids.ts';
import { JsonText } from '../../kernel/json-text.ts';
import { invoiceTime, type Instant } from '../../kernel/time.ts';
import { houseAccountId } from '../../ledger/index.ts';
import { failureReason, type PaymentMethodRow, type WalletRow } from '../wallet/index.ts';
import type {
  PreparedInvoice,
  PreparedLine,
  PreparedMethod,
  PreparedRecipient,
} from './prepare.ts';
import type { InvoiceDocument, LineItemRecord, SubitemRecord } from './schema.ts';

/** Rows that a creation found: by payment method id, and by recipient's path. */
export interface ResolvedRows {
  readonly methods: ReadonlyMap<string, PaymentMethodRow>;
  readonly destinations: ReadonlyMap<string, WalletRow>;
}

/** What moves in an invoice. */
export interface InvoiceMoment {
  readonly state: string;
  readonly updated: Instant;
  readonly failure_code: string | null;
}

/** The record at a moment, as JSON text. [seed: Invoice] */
export function renderInvoice(document: string, moment: InvoiceMoment): JsonText {
  const failure =
    moment.failure_code === null
      ? ''
      : `,"failure_code":${JSON.stringify(moment.failure_code)}` +
        `,"failure_reason":${JSON.stringify(failureReason(moment.failure_code))}`;
  const moving = `,"state":"${moment.state}","updated":"${invoiceTime(moment.updated)}"${failure}}`;
  return new JsonText(document.slice(0, -1) + moving);
}

/** The immutable part of the record. */
export function documentOf(
  world: number,
  prepared: PreparedInvoice,
  rows: ResolvedRows,
  now: Instant,
): InvoiceDocument {
  const { body, currency, total } = prepared;
  const publisher = houseAccountId(world, 'integrator_share', currency);
  const subitems: Record<string, SubitemRecord> = {};
  const lines: Record<string, LineItemRecord> = {};
  for (const line of prepared.lines) {
    lines[line.lineId] = lineRecord(line, publisher, rows, subitems);
  }
  const methods: InvoiceDocument['payment_methods'] = {};
  for (const method of prepared.methods) {
    const subitem = paymentSubitem(method, currency, publisher, rows);
    subitems[subitem.subitem_id] = subitem;
    methods[method.methodId] = {
      payment_method_id: method.methodId,
      authorized_amount: method.amount,
      currency,
      display_amount: displayAmount(method.amount, currency),
      subitems: { [subitem.subitem_id]: subitem },
    };
  }
  return {
    invoice_id: prepared.invoiceId,
    account_id: body.account_id,
    reference_type: body.reference_type ?? '',
    reference_id: body.reference_id ?? '',
    description: body.description ?? '',
    metadata: body.metadata ?? null,
    summary: {
      total_amount: total,
      currency,
      display_amount: displayAmount(total, currency),
    },
    payment_methods: methods,
    line_items: lines,
    subitems,
    created: invoiceTime(now),
  };
}

function lineRecord(
  line: PreparedLine,
  publisher: string,
  rows: ResolvedRows,
  all: Record<string, SubitemRecord>,
): LineItemRecord {
  const { body } = line;
  const subitems: Record<string, SubitemRecord> = {};
  const add = (subitem: SubitemRecord): void => {
    subitems[subitem.subitem_id] = subitem;
    all[subitem.subitem_id] = subitem;
  };
  for (const recipient of line.recipients) {
    add(recipientSubitem(recipient, body.currency, publisher, rows));
    if (recipient.feeSubitemId !== '') add(feeSubitem(recipient, body.currency, publisher));
  }
  if (line.shareSubitemId !== '') add(shareSubitem(line, publisher));
  return {
    line_item_id: line.lineId,
    product_sku: body.product_sku ?? '',
    amount: body.amount,
    currency: body.currency,
    display_amount: displayAmount(body.amount, body.currency),
    reference_type: body.reference_type ?? '',
    reference_id: body.reference_id ?? '',
    transaction_type: body.transaction_type,
    description: body.description ?? '',
    metadata: body.metadata ?? null,
    subitems,
  };
}

const NOBODY = {
  source_account_id: '',
  source_payment_method_id: '',
  source_wallet_id: '',
  destination_account_id: '',
  destination_payment_method_id: '',
  destination_wallet_id: '',
} as const;

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
    ...NOBODY,
  };
}

function recipientSubitem(
  recipient: PreparedRecipient,
  currency: string,
  publisher: string,
  rows: ResolvedRows,
): SubitemRecord {
  const { body } = recipient;
  const wallet = rows.destinations.get(recipient.path);
  return {
    ...plainSubitem(recipient.subitemId, 'user_recipient', body.amount, currency),
    reference_type: body.reference_type ?? '',
    reference_id: body.reference_id ?? '',
    description: body.description ?? '',
    metadata: body.metadata ?? null,
    source_wallet_id: body.source_wallet_id || publisher,
    destination_account_id: wallet?.account_id ? accountId(wallet.account_id) : '',
    destination_payment_method_id: wallet?.payment_method_id ?? '',
    destination_wallet_id: wallet?.id ?? '',
  };
}

function feeSubitem(
  recipient: PreparedRecipient,
  currency: string,
  publisher: string,
): SubitemRecord {
  return {
    ...plainSubitem(recipient.feeSubitemId, 'fee', recipient.fee, currency),
    description: recipient.body.fee_description ?? '',
    source_wallet_id: recipient.body.source_wallet_id || publisher,
    destination_wallet_id: publisher,
  };
}

function shareSubitem(line: PreparedLine, publisher: string): SubitemRecord {
  return {
    ...plainSubitem(line.shareSubitemId, 'integrator_share', line.body.amount, line.body.currency),
    source_wallet_id: publisher,
    destination_wallet_id: publisher,
  };
}

function paymentSubitem(
  method: PreparedMethod,
  currency: string,
  publisher: string,
  rows: ResolvedRows,
): SubitemRecord {
  const row = rows.methods.get(method.methodId);
  return {
    ...plainSubitem(method.subitemId, 'payment', method.amount, currency),
    source_account_id: row === undefined ? '' : accountId(row.account_id),
    source_payment_method_id: method.methodId,
    source_wallet_id: row?.wallet_id ?? '',
    destination_wallet_id: publisher,
  };
}
