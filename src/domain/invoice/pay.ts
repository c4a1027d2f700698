// The command that submits an invoice. Wallet money settles in the same commit; with cards the
// wallet parts are held and one attempt is begun for each card. [G-33, G-37, G-41]
import type { Command, Decision, Want } from '../../engine/index.ts';
import { isUuid } from '../../kernel/ids.ts';
import { refuse } from '../../kernel/refusal.ts';
import { balanceTable } from '../../ledger/index.ts';
import { accountTable } from '../account/index.ts';
import { beginAttempt, paymentMethodTable, type FailureCode } from '../wallet/index.ts';
import { invoiceMachine } from './machine.ts';
import { planOf, type CreditPart, type Plan } from './plan.ts';
import { holdWalletParts, settleFromWallets } from './postings.ts';
import { invoiceRefusals as no } from './refusals.ts';
import { renderInvoice } from './render.ts';
import { invoiceDocumentTable, invoiceTable, type InvoiceRow } from './tables.ts';

/** Which invoice to pay. */
export interface PayInput {
  /** As the path named it; anything but a UUID names nothing. */
  readonly invoiceId: string;
}

/** Submits an open invoice. [seed: POST /v2/invoice/{invoice_id}/pay] */
export const payInvoice: Command<PayInput> = {
  name: 'pay_invoice',
  batchable: true,
  needs(want, { invoiceId }) {
    if (!isUuid(invoiceId)) return;
    const document = want.read(invoiceDocumentTable, invoiceId);
    if (!document) return;
    const plan = planOf(document);
    want.read(accountTable, plan.buyer);
    for (const charge of plan.charges) want.read(paymentMethodTable, charge.method);
    for (const credit of plan.credits) want.read(accountTable, credit.owner);
    want.lock(invoiceTable, invoiceId);
    wantBalances(want, plan);
  },
  decide(decision, { invoiceId }) {
    const document = isUuid(invoiceId) ? decision.get(invoiceDocumentTable, invoiceId) : null;
    const invoice = document === null ? null : decision.get(invoiceTable, invoiceId);
    if (document === null || invoice === null) throw refuse(no.INVOICE_NOT_FOUND);
    if (invoice.state !== 'open') throw refuse(no.INVOICE_NOT_OPEN);
    const plan = planOf(document);
    const version = decision.move(invoiceMachine, invoiceTable, invoiceId, 'pay', 'processing');
    const submitted = decision.get(invoiceTable, invoiceId) ?? invoice;
    settleOrBegin(decision, plan, submitted);
    return {
      status: 200,
      payload: renderInvoice(document, submitted),
      record: { kind: 'invoice', id: invoiceId, version },
    };
  },
};

/** Locks what a plan debits and credits, with the place where money is kept back if it will be. */
export function wantBalances(want: Want, plan: Plan): void {
  for (const charge of plan.charges) {
    if (charge.wallet !== '') want.lock(balanceTable, charge.wallet);
  }
  for (const credit of plan.credits) {
    want.lock(balanceTable, credit.wallet);
    if (want.peek(balanceTable, credit.wallet)?.accrues === false) {
      want.lock(balanceTable, credit.keptBack);
    }
  }
}

function settleOrBegin(decision: Decision, plan: Plan, invoice: InvoiceRow): void {
  const { world } = decision;
  const failure = failureBefore(decision, plan);
  if (failure !== null) {
    failInvoice(decision, invoice.id, failure);
    return;
  }
  const cards = plan.charges.filter((charge) => charge.wallet === '');
  if (cards.length === 0) {
    const lines = settleFromWallets(world, plan, accruesIn(decision));
    succeedInvoice(decision, invoice.id, lines);
    return;
  }
  decision.post(invoice.id, invoice.version, holdWalletParts(world, plan));
  for (const card of cards) {
    beginAttempt(decision, {
      id: card.id,
      purpose: 'invoice',
      resourceId: invoice.id,
      methodId: card.method,
      token: card.token,
      currency: plan.currency,
      amount: BigInt(card.amount),
    });
  }
}

/** Why the payment fails before anybody outside is asked; null when it does not. */
function failureBefore(decision: Decision, plan: Plan): FailureCode | null {
  for (const id of [plan.buyer, ...plan.credits.map((credit) => credit.owner)]) {
    if (decision.get(accountTable, id)?.blocked !== false) return 'account_blocked';
  }
  for (const charge of plan.charges) {
    const method = decision.get(paymentMethodTable, charge.method);
    if (method === null || method.pm_state !== 'ACTIVE') return 'payment_method_inactive';
  }
  for (const charge of plan.charges) {
    if (charge.wallet === '') continue;
    const balance = decision.get(balanceTable, charge.wallet);
    if (balance === null || balance.amount < BigInt(charge.amount)) return 'insufficient_funds';
  }
  return null;
}

/** Reads from the locked rows whether a seller may accrue. */
export function accruesIn(decision: Decision): (credit: CreditPart) => boolean {
  return (credit) => decision.get(balanceTable, credit.wallet)?.accrues !== false;
}

/** Moves an invoice to success with the entry that pays everybody, and announces it. */
export function succeedInvoice(
  decision: Decision,
  id: string,
  lines: Parameters<Decision['post']>[2],
): void {
  const version = decision.move(
    invoiceMachine,
    invoiceTable,
    id,
    'payment_succeeded',
    'success',
  );
  decision.post(id, version, lines);
  announce(decision, id, version);
}

/** Moves an invoice to failed with its reason, and announces it. */
export function failInvoice(decision: Decision, id: string, code: string): number {
  const failure = { failure_code: code };
  const version = decision.move(
    invoiceMachine,
    invoiceTable,
    id,
    'payment_failed',
    'failed',
    failure,
    failure,
  );
  announce(decision, id, version);
  return version;
}

function announce(decision: Decision, id: string, version: number): void {
  decision.announce({ name: 'invoice-completed', resource_id: id, version, record: 'invoice' });
}
