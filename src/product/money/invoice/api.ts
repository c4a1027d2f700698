// The operations of invoices. [seed: Invoicing host]
import { z } from 'zod';
import { strictObject } from '../../../core/schema.ts';
import { refuse } from '../../../core/refusal.ts';
import { chargeRefusal, providerRefusals } from '../../../providers/port.ts';
import { found, operation, submissionOf } from '../../context.ts';
import { once } from '../../idempotent/index.ts';
import { refusals as terms, requireSignedTerms } from '../../people/terms/index.ts';
import { giveUp } from '../wallet/index.ts';
import { invoiceRequestOf } from './request.ts';
import { fromAuthorized } from './authorized.ts';
import { visibilityOf } from './visibility.ts';
import { createInvoice } from './create.ts';
import { payInvoice } from './payment.ts';
import { readInvoice } from './read.ts';
import { invoiceRefusals as no } from './refusals.ts';
import { creationBody, currentInvoiceRecord } from './schema.ts';

const invoicePath = strictObject({ invoice_id: z.string() });

/** A payment that is being ended: its invoice fails within seconds, unless it was just paid. */
const givenUpRecord = strictObject({
  invoice_id: z.string(),
  state: z.literal('processing'),
}).meta({ title: 'GivenUpPayment' });

/** The refusals of every sale, independent of its payment methods. */
export const saleRefusals = [
  no.ACCOUNT_NOT_FOUND,
  no.ACCOUNT_BLOCKED,
  no.CURRENCY_NOT_ENABLED,
  no.CURRENCY_MIXED,
  no.INVOICE_TOTAL_TOO_LARGE,
  no.RECIPIENTS_NOT_ALLOWED,
  no.RECIPIENTS_REQUIRED,
  no.TAX_EXCEEDS_LINE,
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
  route: 'POST invoicing /v2/invoice',
  summary: 'Creates an invoice without charging it.',
  cites: 'seed: POST /v2/invoice',
  access: { client: 'write_invoices', session: 'write_invoice' },
  body: creationBody,
  answers: { 201: currentInvoiceRecord },
  refusals: createRefusals,
  async run(services, request) {
    const { caller, body } = request;
    const { prepared, authorized } = await invoiceRequestOf(services, caller, body);
    const submission = submissionOf(request);
    if (authorized === null) return services.engine.run(createInvoice, prepared, submission);
    const input = { authorized, invoiceId: prepared.invoiceId, input: prepared };
    return services.engine.run(createFromAuthorized, input, submission);
  },
});

const pay = operation({
  id: 'payInvoice',
  route: 'POST invoicing /v2/invoice/{invoice_id}/pay',
  highPriority: true,
  summary: 'Pays an open invoice; invoice-completed follows with success or failed.',
  cites: 'seed: POST /v2/invoice/{invoice_id}/pay',
  access: { client: 'write_invoices', session: 'write_invoice' },
  params: invoicePath,
  answers: { 200: currentInvoiceRecord },
  refusals: [
    terms.TERMS_NOT_SIGNED,
    no.INVOICE_NOT_FOUND,
    no.INVOICE_BELONGS_TO_ESCROW,
    no.INVOICE_SUPERSEDED,
    no.INVOICE_NOT_OPEN,
    providerRefusals.PROVIDER_NOT_CONFIGURED,
    providerRefusals.PAYMENTS_STOPPED,
  ],
  async run(services, request) {
    const { caller, params } = request;
    await requireSignedTerms(services.db, caller);
    const noCharge = await chargeRefusal(services.providers, caller.workspace);
    const input = { invoiceId: params.invoice_id, visibility: visibilityOf(caller), noCharge };
    return services.engine.run(payInvoice, input, submissionOf(request));
  },
});

const giveUpPayment = operation({
  id: 'giveUpInvoicePayment',
  route: 'POST invoicing /v2/invoice/{invoice_id}/give_up',
  summary: 'Gives up a payment that waits for its buyer; what was held is free again.',
  cites: 'G-39',
  access: { client: 'write_invoices', session: 'write_invoice' },
  params: invoicePath,
  answers: { 200: givenUpRecord },
  refusals: [no.INVOICE_NOT_FOUND, no.INVOICE_NOT_WAITING],
  async run({ db }, { caller, params, idempotency }) {
    const { workspace } = caller;
    const { invoice_id } = params;
    found(await readInvoice(db, workspace, invoice_id, visibilityOf(caller)), no.INVOICE_NOT_FOUND);
    return once(db, workspace, idempotency, async (tx) => {
      if (!(await giveUp(tx, workspace, invoice_id))) throw refuse(no.INVOICE_NOT_WAITING);
      return { status: 200, payload: { invoice_id, state: 'processing' } };
    });
  },
});

const get = operation({
  id: 'getInvoice',
  route: 'GET invoicing /v2/invoice/{invoice_id}',
  summary: 'Retrieves an invoice.',
  cites: 'seed: GET /v2/invoice/{invoice_id}',
  access: { client: 'read_invoices', session: 'read_invoice' },
  params: invoicePath,
  answers: { 200: currentInvoiceRecord },
  refusals: [no.INVOICE_NOT_FOUND],
  async run(services, { caller, params }) {
    const { db } = services;
    const id = params.invoice_id;
    const invoice = await readInvoice(db, caller.workspace, id, visibilityOf(caller));
    return found(invoice, no.INVOICE_NOT_FOUND);
  },
});

export const invoiceOperations = [create, pay, giveUpPayment, get];
