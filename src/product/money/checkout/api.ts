// The operations of authorized invoices and their wire fields: an integrator prepares a sale and
// gets a magic link for its buyer; both can read what became of it.
// [seed: Authorized invoice result, G-12, G-45, G-46]
import { z } from 'zod';
import type { Transaction } from '../../../db/index.ts';
import { inputRefusals } from '../../../core/input-refusals.ts';
import type { Caller } from '../../../core/operation.ts';
import { refuse } from '../../../core/refusal.ts';
import { optional, reference, strictObject, uuid } from '../../../core/schema.ts';
import { operation, submit, type Services } from '../../context.ts';
import {
  checkCurrency,
  checkSale,
  createInvoiceBody,
  grossOf,
  keepAuthorized,
  lineFields,
  namedFields,
  prepareSale,
  readAuthorized,
  recipientBody,
  refusals as no,
  saleRefusals,
  shownTax,
  taxRecord,
  taxSumFields,
  taxSums,
  TRANSACTION_TYPES,
  type AuthorizedInvoice,
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
import { displayAmount } from '../../../core/currency.ts';
import { wireId } from '../../../core/ids.ts';
import { ONCE_KINDS } from '../../../providers/processor/port.ts';
import { invoiceOf } from '../escrow/index.ts';

/** Body of POST /v2/authorize/invoice: a creation without payment methods. [G-46] */
export const authorizeInvoiceBody = createInvoiceBody.omit({ payment_methods: true }).extend({
  is_escrow: optional(z.boolean()),
  invoice_mechanism: reference(64),
});
type AuthorizeInvoiceBody = z.output<typeof authorizeInvoiceBody>;

/** The answer; a nonce id only for the widget. [seed: Authorized invoice result] */
const authorizedResult = strictObject({
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
const authorizedRecord = strictObject({
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
function stateOf({ latest }: AuthorizedInvoice): State {
  return ENDINGS[latest?.state ?? ''] ?? 'open';
}

function renderAuthorized(found: AuthorizedInvoice): z.output<typeof authorizedRecord> {
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
