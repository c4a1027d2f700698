// The operations of refunds. [G-43]
import { z } from 'zod';
import { isUuid } from '../../../core/ids.ts';
import type { Answer } from '../../../core/operation.ts';
import { refuse, type RefusalSpec } from '../../../core/refusal.ts';
import { optional, strictObject } from '../../../core/schema.ts';
import { foldCredits } from '../../../ledger/index.ts';
import { sealerOf } from '../../people/account/index.ts';
import {
  found,
  operation,
  submit,
  type DomainOperation,
  type Sender,
  type Services,
} from '../../context.ts';
import { invoiceOfLine } from '../invoice/index.ts';
import { requestRefund, withdrawRefund, type RefundInput } from './decide.ts';
import { shareOf } from './funding.ts';
import { refundMachine } from './machine.ts';
import { readRefund, refundsOfInvoice } from './read.ts';
import { invoiceNotFound, refusals as no } from './refusals.ts';
import { invoiceRefundsRecord, lineRefundBody, refundBody, refundRecord } from './schema.ts';
import type { LineItemRequest } from './refunded.ts';
import type { RefundRow } from './tables.ts';
import { sql } from '../../../db/index.ts';

const refundPath = strictObject({ refund_id: z.string() });

interface Why {
  readonly reason: RefundRow['reason'];
  readonly sub_reason?: string | undefined;
  readonly note?: string | undefined;
}

interface InvoiceRequest extends Sender {
  readonly body: Why;
}

/** Runs a refund; where the integrator seems to hold too little, its latest earnings count too. */
async function refund(
  services: Services,
  request: InvoiceRequest,
  invoiceId: string,
  line: LineItemRequest | null,
): Promise<Answer> {
  const { random, db } = services;
  const { workspace } = request.caller;
  const { reason, sub_reason = '', note = '' } = request.body;
  const ids = { id: random.uuid(), refundInvoiceId: random.uuid(), invoiceId, line };
  const sealed_note = note === '' ? null : await sealNote(services, workspace, ids, note);
  const input: RefundInput = { ...ids, reason, sub_reason, sealed_note, mayWait: false };
  const answer = await submit(services, request, requestRefund, input);
  if (answer.payload !== null) return answer;
  const [invoice] = await db.query<{ currency: string }>(sql`
    select sale_term(id::text, document, 'currency') as currency
    from invoice_document where workspace = ${workspace} and id = ${invoiceId}`);
  if (invoice !== undefined) {
    const share = shareOf({ lineage: services.workspaces.lineageOf(workspace), ...invoice });
    await foldCredits(db, workspace, share);
  }
  return submit(services, request, requestRefund, { ...input, mayWait: true });
}

/** The note sealed with the buyer's key; null without such a key: the refund is refused then. */
async function sealNote(
  services: Services,
  workspace: number,
  { id, invoiceId }: { readonly id: string; readonly invoiceId: string },
  note: string,
): Promise<string | null> {
  if (!isUuid(invoiceId)) return null;
  const rows = await services.db.query<{ account_id: string }>(sql`
    select account_id from invoice where workspace = ${workspace} and id = ${invoiceId}`);
  const sealer = await sealerOf(services, workspace, rows[0]?.account_id ?? null);
  return sealer?.seal('refundNote', id, note) ?? null;
}

const common: readonly RefusalSpec[] = [
  no.INVOICE_BELONGS_TO_ESCROW,
  no.INVOICE_NOT_REFUNDABLE,
  no.INVOICE_NOTHING_TO_REFUND,
];

const refundInvoice = operation({
  id: 'refundInvoice',
  route: 'POST invoicing /v2/refund',
  highPriority: true,
  summary: 'Refunds the remaining amount of an invoice, funded by the integrator.',
  cites: 'G-43',
  access: { client: 'write_invoices' },
  body: refundBody,
  answers: { 200: refundRecord },
  refusals: [no.INVOICE_NOT_FOUND, ...common, no.INVOICE_ALREADY_REFUNDED],
  run: (services, request) => refund(services, request, request.body.invoice_id, null),
});

const refundLineItem = operation({
  id: 'refundLineItem',
  route: 'POST invoicing /v2/line-item/refund',
  highPriority: true,
  summary: 'Refunds a line item in full or in part, to payment methods in the given order.',
  cites: 'G-43',
  access: { client: 'write_invoices' },
  body: lineRefundBody,
  answers: { 200: refundRecord },
  refusals: [
    no.LINE_ITEM_NOT_FOUND,
    ...common,
    no.PAYMENT_METHOD_REPEATED,
    no.PAYMENT_METHOD_NOT_USED,
    no.REFUND_TOO_LARGE,
    no.REFUND_METHOD_EXCEEDED,
  ],
  async run(services, request) {
    const { line_item_id: id, amount, payment_methods: methods = [] } = request.body;
    const invoice = await invoiceOfLine(services.db, request.caller.workspace, id);
    if (invoice === null) {
      throw refuse(no.LINE_ITEM_NOT_FOUND, {
        line_item_id: 'does not exist or cannot be refunded',
      });
    }
    return refund(services, request, invoice.id, { id, amount, methods });
  },
});

const getRefund = operation({
  id: 'getRefund',
  route: 'GET invoicing /v2/refund/{refund_id}',
  summary: 'Retrieves a refund.',
  cites: 'G-43',
  access: { client: 'read_invoices' },
  params: refundPath,
  answers: { 200: refundRecord },
  refusals: [no.REFUND_NOT_FOUND],
  async run({ db }, { caller, params }) {
    return found(await readRefund(db, caller.workspace, params.refund_id), no.REFUND_NOT_FOUND);
  },
});

const withdraw = operation({
  id: 'withdrawRefund',
  route: 'DELETE invoicing /v2/refund/{refund_id}',
  highPriority: true,
  summary: 'Withdraws a refund that is waiting for funds; its record remains.',
  cites: 'G-43',
  access: { client: 'write_invoices' },
  params: refundPath,
  answers: { 200: refundRecord },
  refusals: [no.REFUND_NOT_FOUND, no.REFUND_NOT_WAITING],
  run: (services, request) =>
    submit(services, request, withdrawRefund, { refundId: request.params.refund_id }),
});

const listRefunds = operation({
  id: 'listInvoiceRefunds',
  route: 'GET invoicing /v2/invoice/{invoice_id}/refunds',
  summary: 'Lists the latest 500 refunds of an invoice in one status, and all its reversals.',
  cites: 'G-43',
  access: { client: 'read_invoices' },
  params: strictObject({ invoice_id: z.string() }),
  query: strictObject({ status: optional(z.enum(refundMachine.states)) }),
  answers: { 200: invoiceRefundsRecord },
  refusals: [invoiceNotFound],
  async run({ db }, { caller, params, query }) {
    const { status = 'REFUND-SUCCESS' } = query;
    const { workspace } = caller;
    return found(await refundsOfInvoice(db, workspace, params.invoice_id, status), invoiceNotFound);
  },
});

export const operations: readonly DomainOperation[] = [
  refundInvoice,
  refundLineItem,
  getRefund,
  withdraw,
  listRefunds,
];
