// The operations of invoices. [seed: Invoicing host]
import { z } from 'zod';
import { refuse } from '../../kernel/refusal.ts';
import { strictObject } from '../../kernel/schema.ts';
import { actorOf, operation, type Services } from '../context.ts';
import { createInvoice } from './create.ts';
import { payInvoice } from './pay.ts';
import { prepareInvoice } from './prepare.ts';
import { readInvoice } from './read.ts';
import { invoiceRefusals as no } from './refusals.ts';
import { createInvoiceBody, invoiceRecord } from './schema.ts';

const invoicePath = strictObject({ invoice_id: z.string() });
const noQuery = strictObject({});

/** Refuses a currency that the world has not enabled. [G-30] */
export async function checkCurrency(
  services: Services,
  world: number,
  currency: string,
): Promise<void> {
  const enabled = await services.worlds.currencies(world);
  if (!enabled.has(currency)) {
    throw refuse(no.CURRENCY_NOT_ENABLED, { 'line_items[0].currency': 'is not enabled' });
  }
}

/** What a creation can say no with, of an invoice and of an escrow. */
export const createRefusals = [
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
  no.PAYMENT_METHOD_REQUIRED,
  no.PAYMENT_METHOD_REPEATED,
  no.PAYMENT_METHOD_NOT_FOUND,
  no.PAYMENT_METHOD_NOT_ACTIVE,
  no.PAYMENT_METHOD_CURRENCY_MISMATCH,
  no.PAYMENT_AMOUNT_REQUIRED,
  no.PAYMENT_REMAINDER_AMBIGUOUS,
  no.PAYMENT_AMOUNTS_MISMATCH,
] as const;

const create = operation({
  id: 'createInvoice',
  host: 'invoicing',
  method: 'POST',
  path: '/v2/invoice',
  summary: 'Creates an invoice; nobody is charged yet.',
  cites: 'seed: POST /v2/invoice',
  access: { client: 'write_invoices' },
  params: noQuery,
  query: noQuery,
  body: createInvoiceBody,
  answers: { 201: invoiceRecord },
  refusals: createRefusals,
  async run(services, { caller, body, idempotency }) {
    const prepared = prepareInvoice(body, services.entropy.uuid);
    await checkCurrency(services, caller.world, prepared.currency);
    return services.engine.run(createInvoice, prepared, {
      world: caller.world,
      actor: actorOf(caller),
      idempotency,
    });
  },
});
const pay = operation({
  id: 'payInvoice',
  host: 'invoicing',
  method: 'POST',
  path: '/v2/invoice/{invoice_id}/pay',
  summary: 'Submits an open invoice; it answers as submitted, and success or failed follows.',
  cites: 'seed: POST /v2/invoice/{invoice_id}/pay',
  access: { client: 'write_invoices' },
  params: invoicePath,
  query: noQuery,
  body: null,
  answers: { 200: invoiceRecord },
  refusals: [no.INVOICE_NOT_FOUND, no.INVOICE_BELONGS_TO_ESCROW, no.INVOICE_NOT_OPEN],
  async run(services, { caller, params, idempotency }) {
    return services.engine.run(
      payInvoice,
      { invoiceId: params.invoice_id },
      { world: caller.world, actor: actorOf(caller), idempotency },
    );
  },
});

const get = operation({
  id: 'getInvoice',
  host: 'invoicing',
  method: 'GET',
  path: '/v2/invoice/{invoice_id}',
  summary: 'Reads an invoice as it is now.',
  cites: 'seed: GET /v2/invoice/{invoice_id}',
  access: { client: 'read_invoices' },
  params: invoicePath,
  query: noQuery,
  body: null,
  answers: { 200: invoiceRecord },
  refusals: [no.INVOICE_NOT_FOUND],
  async run(services, { caller, params }) {
    const payload = await readInvoice(services.db, caller.world, params.invoice_id);
    if (payload === null) throw refuse(no.INVOICE_NOT_FOUND);
    return { status: 200, payload };
  },
});

export const invoiceOperations = [create, pay, get];
