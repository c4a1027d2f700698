// Calls of the checkout: load, create and pay, and poll until decided. Fixed idempotency keys
// prevent double payment: the same press, sent again, is the same payment. [G-44]
import type { FlowContext } from '../flow.ts';
import { onceKindOf, type PaymentMethod, type PaymentPart } from '../methods/choice.ts';
import { methodsAfterReturn } from '../methods/load.ts';
import { waitBefore, type AuthorizedInvoice, type Escrow, type Invoice } from './records.ts';

const ROOT = '/invoicing/v2';

/** The authorized invoice of the session. Throws ApiError. */
export function authorizedInvoice({ api, session }: FlowContext): Promise<AuthorizedInvoice> {
  return api.get(`${ROOT}/authorize/invoice/${session.authorized_invoice_id}`);
}

/** The first screen's data, loaded together. Throws ApiError. */
export async function loadCheckout(context: FlowContext) {
  const [invoice, loaded] = await Promise.all([
    authorizedInvoice(context),
    methodsAfterReturn(context),
  ]);
  return { invoice, ...loaded };
}

/** The invoice under which an authorized invoice is being paid. Throws ApiError. */
export async function invoiceIdOf({ api }: FlowContext, made: AuthorizedInvoice): Promise<string> {
  if (made.invoice_id !== '') return made.invoice_id;
  const escrow = await api.get<Escrow>(`${ROOT}/escrow/${made.escrow_id}`);
  return escrow.escrow_invoice_id;
}

/** An invoice that was paid, for its receipt. Throws ApiError. */
export function paidInvoice({ api }: FlowContext, id: string): Promise<Invoice> {
  return api.get(`${ROOT}/invoice/${id}`);
}

/** Creates the invoice or escrow and submits it; returns the invoice to poll. Throws ApiError. */
export async function createAndPay(
  { api, session }: FlowContext,
  isEscrow: boolean,
  payment_methods: readonly PaymentPart[],
  key: string,
): Promise<string> {
  const parts = payment_methods.map((part) => chosenPart(api, session.account_id, part));
  const body = {
    authorized_invoice_id: session.authorized_invoice_id,
    payment_methods: await Promise.all(parts),
  };
  const kind = isEscrow ? 'escrow' : 'invoice';
  const made = await api.post<Partial<Escrow & Invoice>>(`${ROOT}/${kind}`, body, {
    key: `${key}-make`,
  });
  const id = isEscrow ? made.id : made.invoice_id;
  await api.post(`${ROOT}/${kind}/${id}/pay`, undefined, { key: `${key}-pay` });
  return (isEscrow ? made.escrow_invoice_id : made.invoice_id) ?? '';
}

/** The part with the account's own way to pay once, where that was chosen. Throws ApiError. */
async function chosenPart(
  api: FlowContext['api'],
  account_id: string,
  part: PaymentPart,
): Promise<PaymentPart> {
  const kind = onceKindOf(part.payment_method_id);
  if (kind === null) return part;
  const path = '/payments/v1/payment_method/once';
  const { id } = await api.post<PaymentMethod>(path, { account_id, kind });
  return { ...part, payment_method_id: id };
}

/** Ends a payment that waits for its buyer. Throws ApiError. */
export function giveUp({ api }: FlowContext, id: string): Promise<unknown> {
  return api.post(`${ROOT}/invoice/${id}/give_up`, undefined);
}

/**
 * Polls an invoice until it is decided; calls back each time, with null for no answer. The returned
 * function stops it.
 */
export function watchInvoice(
  { api }: FlowContext,
  id: string,
  tell: (seen: Invoice | null) => void,
): () => void {
  let timer = 0;
  let stopped = false;
  const look = async (count: number): Promise<void> => {
    const seen = await api.get<Invoice>(`${ROOT}/invoice/${id}`).catch(() => null);
    if (stopped) return;
    tell(seen);
    if (seen?.state === 'success' || seen?.state === 'failed') return;
    timer = window.setTimeout(() => void look(count + 1), waitBefore(count + 1));
  };
  void look(0);
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
