// The operations of invoices. [seed: Invoicing host]
import { z } from 'zod';
import { refuse } from '../../../core/refusal.ts';
import { strictObject } from '../../../core/schema.ts';
import { actorOf, operation } from '../../context.ts';
import { refusals as terms, requireSignedTerms } from '../../people/terms/index.ts';
import { invoiceRequestOf } from './request.ts';
import { fromAuthorized } from './authorized.ts';
import { visibilityOf } from './visibility.ts';
import { createInvoice } from './create.ts';
import { payInvoice } from './payment.ts';
import { readInvoice } from './read.ts';
import { invoiceRefusals as no } from './refusals.ts';
import { creationBody, currentInvoiceRecord } from './schema.ts';

const invoicePath = strictObject({ invoice_id: z.string() });
const noQuery = strictObject({});

/** The refusals of every sale, independent of its payment methods. */
export const saleRefusals = [
  no.ACCOUNT_NOT_FOUND,
  no.ACCOUNT_BLOCKED,
  no.CURRENCY_NOT_ENABLED,
  no.CURRENCY_MIXED,
  no.INVOICE_TOTAL_TOO_LARGE,
  no.RECIPIENTS_NOT_ALLOWED,
  no.RECIPIENTS_REQUIRED,
  no.LINE_AMOUNT_MISMATCH,
  no.RECIPIENT_FEE_AMBIGUOUS,
  no.WALLET_NOT_FOUND,
  no.WALLET_CURRENCY_MISMATCH,
  no.SOURCE_WALLET_NOT_ALLOWED,
  no.SELF_PAYMENT,
] as const;

/** The refusals of creating an invoice or an escrow. */
export const createRefusals = [
  terms.TERMS_NOT_SIGNED,
  no.AUTHORIZED_INVOICE_UNKNOWN,
  no.AUTHORIZED_INVOICE_KIND_MISMATCH,
  ...saleRefusals,
  no.PAYMENT_METHOD_REQUIRED,
  no.PAYMENT_METHOD_REPEATED,
  no.PAYMENT_METHOD_NOT_FOUND,
  no.PAYMENT_METHOD_NOT_ACTIVE,
  no.PAYMENT_METHOD_CURRENCY_MISMATCH,
  no.PAYMENT_AMOUNT_REQUIRED,
  no.PAYMENT_REMAINDER_AMBIGUOUS,
  no.PAYMENT_AMOUNTS_MISMATCH,
  no.AUTHORIZED_INVOICE_USED,
  no.AUTHORIZED_INVOICE_EXPIRED,
  no.AUTHORIZED_INVOICE_LIMIT,
] as const;

const createFromAuthorized = fromAuthorized(createInvoice);

const create = operation({
  id: 'createInvoice',
  host: 'invoicing',
  method: 'POST',
  path: '/v2/invoice',
  summary: 'Creates an invoice without charging it.',
  cites: 'seed: POST /v2/invoice',
  access: { client: 'write_invoices', session: 'write_invoice' },
  params: noQuery,
  query: noQuery,
  body: creationBody,
  answers: { 201: currentInvoiceRecord },
  refusals: createRefusals,
  async run(services, { caller, body, idempotency }) {
    const { engine } = services;
    const { prepared, authorized } = await invoiceRequestOf(services, caller, body);
    const submission = { workspace: caller.workspace, actor: actorOf(caller), idempotency };
    if (authorized === null) return engine.run(createInvoice, prepared, submission);
    const { invoiceId } = prepared;
    return engine.run(createFromAuthorized, { authorized, invoiceId, input: prepared }, submission);
  },
});

const pay = operation({
  id: 'payInvoice',
  highPriority: true,
  host: 'invoicing',
  method: 'POST',
  path: '/v2/invoice/{invoice_id}/pay',
  summary: 'Pays an open invoice; invoice-completed follows with success or failed.',
  cites: 'seed: POST /v2/invoice/{invoice_id}/pay',
  access: { client: 'write_invoices', session: 'write_invoice' },
  params: invoicePath,
  query: noQuery,
  body: null,
  answers: { 200: currentInvoiceRecord },
  refusals: [
    terms.TERMS_NOT_SIGNED,
    no.INVOICE_NOT_FOUND,
    no.INVOICE_BELONGS_TO_ESCROW,
    no.INVOICE_SUPERSEDED,
    no.INVOICE_NOT_OPEN,
  ],
  async run({ db, engine }, { caller, params, idempotency }) {
    await requireSignedTerms(db, caller);
    return engine.run(
      payInvoice,
      { invoiceId: params.invoice_id, visibility: visibilityOf(caller) },
      { workspace: caller.workspace, actor: actorOf(caller), idempotency },
    );
  },
});

const get = operation({
  id: 'getInvoice',
  host: 'invoicing',
  method: 'GET',
  path: '/v2/invoice/{invoice_id}',
  summary: 'Retrieves an invoice.',
  cites: 'seed: GET /v2/invoice/{invoice_id}',
  access: { client: 'read_invoices', session: 'read_invoice' },
  params: invoicePath,
  query: noQuery,
  body: null,
  answers: { 200: currentInvoiceRecord },
  refusals: [no.INVOICE_NOT_FOUND],
  async run(services, { caller, params }) {
    const { db } = services;
    const id = params.invoice_id;
    const payload = await readInvoice(db, caller.workspace, id, visibilityOf(caller));
    if (payload === null) throw refuse(no.INVOICE_NOT_FOUND);
    return { status: 200, payload };
  },
});

export const invoiceOperations = [create, pay, get];
