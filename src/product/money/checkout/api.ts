// The operations of authorized invoices: an integrator prepares a sale and gets a magic link for
// its buyer; both can read what became of it. [G-12, G-45]
import { z } from 'zod';
import type { Transaction } from '../../../db/index.ts';
import { inputRefusals } from '../../../core/input-refusals.ts';
import type { Caller } from '../../../core/operation.ts';
import { refuse } from '../../../core/refusal.ts';
import { strictObject } from '../../../core/schema.ts';
import { operation, submit, type Services } from '../../context.ts';
import {
  checkCurrency,
  checkSale,
  keepAuthorized,
  prepareSale,
  readAuthorized,
  refusals as no,
  saleRefusals,
} from '../invoice/index.ts';
import {
  ACCESS_SECONDS,
  createLink,
  FLOW_SCOPES,
  LINK_SECONDS,
  requireOpenAccount,
} from '../../access/oauth/index.ts';
import { onceSealed, type SecretAnswer } from '../../idempotent/index.ts';
import { accountUuid } from '../../people/account/index.ts';
import { receiptPath } from '../history/index.ts';
import { onceKindsFor } from '../wallet/index.ts';
import {
  authorizedRecord,
  authorizedResult,
  authorizeInvoiceBody,
  renderAuthorized,
  stateOf,
  type AuthorizeInvoiceBody,
} from './schema.ts';

/** A prepared sale to store. */
interface Request {
  readonly id: string;
  /** The buyer's UUID. */
  readonly account: string;
  readonly isEscrow: boolean;
  readonly mechanism: string;
  readonly sale: object;
}

/** Checks the sale as its creation will, so that no buyer sees one that cannot be paid. [G-46] */
async function requestOf(
  services: Services,
  caller: Caller,
  { is_escrow = false, invoice_mechanism: mechanism, ...sale }: AuthorizeInvoiceBody,
): Promise<Request> {
  const known = ['widget', `${services.word}_hosted`];
  if (!known.includes(mechanism)) {
    const errors = { invoice_mechanism: `must be one of ${known.join(', ')}` };
    throw refuse(inputRefusals.INVALID_FIELD, errors);
  }
  const { workspace } = caller;
  const prepared = prepareSale(sale, services.random.uuid());
  await checkCurrency(services, workspace, prepared.currency);
  const { buyerId: account, invoiceId: id } = prepared;
  if (account === null) throw refuse(no.ACCOUNT_NOT_FOUND, { account_id: 'does not exist' });
  await submit(services, { caller, idempotency: null }, checkSale, prepared);
  return { id, account, isEscrow: is_escrow, mechanism, sale };
}

/** Stores the sale and creates its magic link, which expires with it. [G-45, G-77] */
async function keep(
  { random, urls }: Services,
  { workspace, clientId, integrator }: Caller,
  { id, account, isEscrow, mechanism, sale }: Request,
  tx: Transaction,
): Promise<SecretAnswer> {
  await requireOpenAccount(tx, workspace, account);
  await keepAuthorized(tx, workspace, { id, account, isEscrow }, sale, LINK_SECONDS);
  const link = await createLink(
    { random, urls, db: tx },
    {
      ...{ workspace, clientId, integrator, account, mechanism },
      flow: 'checkout',
      scopes: FLOW_SCOPES.checkout,
      sessionSeconds: ACCESS_SECONDS,
      authorizedInvoice: { id, isEscrow },
    },
  );
  const nonce = mechanism === 'widget' ? { nonce_auth_id: link.id } : {};
  return {
    status: 200,
    payload: { ...nonce, authorized_invoice_id: id, redirect: '' },
    secrets: [{ place: 'redirect', text: link.redirect, seconds: LINK_SECONDS }],
  };
}

const authorize = operation({
  id: 'authorizeInvoice',
  route: 'POST invoicing /v2/authorize/invoice',
  summary: 'Creates an authorized invoice for a buyer, with a one-time link to the checkout.',
  cites: 'seed: POST /v2/authorize/invoice',
  access: { client: 'write_invoices' },
  body: authorizeInvoiceBody,
  answers: { 200: authorizedResult },
  refusals: saleRefusals,
  async run(services, { caller, body, idempotency }) {
    const request = await requestOf(services, caller, body);
    return onceSealed(services, caller.workspace, idempotency, (tx) =>
      keep(services, caller, request, tx),
    );
  },
});

const get = operation({
  id: 'getAuthorizedInvoice',
  route: 'GET invoicing /v2/authorize/invoice/{authorized_invoice_id}',
  summary: 'Retrieves an authorized invoice and the invoice or escrow created from it.',
  cites: 'G-45',
  access: { client: 'read_invoices', session: 'read_invoice' },
  params: strictObject({ authorized_invoice_id: z.string() }),
  answers: { 200: authorizedRecord },
  refusals: [no.AUTHORIZED_INVOICE_NOT_FOUND, no.AUTHORIZED_INVOICE_EXPIRED],
  async run(services, { caller, params }) {
    const found = await readAuthorized(services.db, caller, params.authorized_invoice_id);
    if (found === null) throw refuse(no.AUTHORIZED_INVOICE_NOT_FOUND);
    if (found.expired && stateOf(found) === 'open') throw refuse(no.AUTHORIZED_INVOICE_EXPIRED);
    const payload = renderAuthorized(found);
    const currency = payload.line_items_currency;
    const kinds = await onceKindsFor(services, caller.workspace, currency);
    const once = payload.state === 'open' && kinds.length > 0 ? { pay_once: [...kinds] } : {};
    const receipt = receiptFor(services, caller, payload);
    return { status: 200, payload: { ...payload, ...once, ...receipt } };
  },
});

/** Where the buyer finds the receipt; a client asks for it by itself. [G-66] */
function receiptFor(
  services: Services,
  { kind, workspace, accountId }: Caller,
  { state, invoice_id: transaction }: ReturnType<typeof renderAuthorized>,
): { readonly receipt_url?: string } {
  const account = accountId === null ? null : accountUuid(accountId);
  if (kind === 'client' || state !== 'paid' || account === null) return {};
  const path = receiptPath(services, { workspace, account, transaction });
  return { receipt_url: services.urls.hosted + path };
}

export const operations = [authorize, get];
