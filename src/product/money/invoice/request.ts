// What a creation asks for: its own body, or the stored sale of an authorized invoice together with
// the buyer's payment methods. From a session only the stored sale counts, never what its body
// says. [G-45, G-78]
import { inputRefusals } from '../../../core/input-refusals.ts';
import type { Caller } from '../../../core/operation.ts';
import { refuse } from '../../../core/refusal.ts';
import type { EnabledCurrency, Services } from '../../context.ts';
import { requireSignedTerms } from '../../people/terms/index.ts';
import { readAuthorized, type AuthorizedInvoice } from './authorized.ts';
import { prepareInvoice, type PreparedInvoice } from './prepare.ts';
import { invoiceRefusals as no } from './refusals.ts';
import type { CreateInvoiceBody, CreationBody } from './schema.ts';

/** A prepared creation, with the authorized invoice that it is made from, or null. */
export interface InvoiceRequest {
  readonly prepared: PreparedInvoice;
  readonly authorized: AuthorizedInvoice | null;
}

/**
 * Prepares what a creation asks for. `escrowInvoice` is the id of an escrow's invoice. Throws a
 * Refusal.
 */
export async function invoiceRequestOf(
  services: Services,
  caller: Caller,
  body: CreationBody,
  escrowInvoice?: string,
): Promise<InvoiceRequest> {
  await requireSignedTerms(services.db, caller);
  const { sale, authorized } = await saleOf(services, caller, body, escrowInvoice !== undefined);
  const asked = prepareInvoice(sale, services.random.uuid, escrowInvoice);
  const { reserve } = await checkCurrency(services, caller.workspace, asked.currency);
  const prepared = reserve === null ? asked : { ...asked, reserve };
  if (authorized === null) return { prepared, authorized };
  return { prepared: { ...prepared, authorized: authorized.id }, authorized };
}

type Sale = Pick<InvoiceRequest, 'authorized'> & { readonly sale: CreateInvoiceBody };

async function saleOf(
  { db }: Services,
  caller: Caller,
  body: CreationBody,
  isEscrow: boolean,
): Promise<Sale> {
  const path = 'authorized_invoice_id';
  if (!(path in body)) {
    if (caller.kind === 'client') return { sale: body, authorized: null };
    throw refuse(inputRefusals.MISSING_FIELD, { [path]: 'is required' });
  }
  const { [path]: id, payment_methods } = body;
  const authorized = await readAuthorized(db, caller, id);
  if (authorized === null) {
    throw refuse(no.AUTHORIZED_INVOICE_UNKNOWN, { [path]: 'does not exist' });
  }
  if (authorized.isEscrow !== isEscrow) throw refuse(no.AUTHORIZED_INVOICE_KIND_MISMATCH);
  const metadata = { ...authorized.sale.metadata, [path]: id };
  return { sale: { ...authorized.sale, metadata, payment_methods }, authorized };
}

/** The currency. Throws a Refusal for one that the workspace has not enabled. [G-30] */
export async function checkCurrency(
  services: Services,
  workspace: number,
  currency: string,
): Promise<EnabledCurrency> {
  const enabled = (await services.workspaces.currencies(workspace)).get(currency);
  if (enabled === undefined) {
    throw refuse(no.CURRENCY_NOT_ENABLED, { 'line_items[0].currency': 'is not enabled' });
  }
  return enabled;
}
