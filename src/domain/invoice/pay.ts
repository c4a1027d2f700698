// The command that submits an invoice, and who is paid by a sale: its sellers and the integrator,
// in the commit that settles it. [G-33, G-37, G-41]
import type { Command, Decision, Want } from '../../engine/index.ts';
import { isUuid } from '../../kernel/ids.ts';
import { refuse } from '../../kernel/refusal.ts';
import { balanceTable } from '../../ledger/index.ts';
import { agreementOf } from './agreement.ts';
import { requireLatest, wantLatest } from './authorized.ts';
import { isWithin, type Bounds } from './bounds.ts';
import { submitPayment, wantPayment, type Payee } from './payment.ts';
import { planOf, type CreditPart, type Plan } from './plan.ts';
import { creditLines } from './postings.ts';
import { invoiceRefusals as no } from './refusals.ts';
import { renderInvoice } from './render.ts';
import { invoiceDocumentTable, invoiceTable } from './tables.ts';

/** Which invoice to pay. */
export interface PayInput {
  /** As the path named it; anything but a UUID names nothing. */
  readonly invoiceId: string;
  /** Invoices beyond them are not there. */
  readonly bounds?: Bounds | null;
}

/** Submits an open invoice. [seed: POST /v2/invoice/{invoice_id}/pay] */
export const payInvoice: Command<PayInput> = {
  name: 'pay_invoice',
  batchable: true,
  needs(want, { invoiceId, bounds }) {
    if (!isUuid(invoiceId)) return;
    const document = want.read(invoiceDocumentTable, invoiceId);
    if (!document) return;
    const agreement = agreementOf(document);
    if (agreement.escrow !== undefined || !isWithin(bounds, agreement)) return;
    const plan = planOf(document);
    wantLatest(want, agreement);
    wantPayment(want, invoiceId, plan);
    wantCredits(want, plan);
  },
  decide(decision, { invoiceId, bounds }) {
    const document = isUuid(invoiceId) ? decision.get(invoiceDocumentTable, invoiceId) : null;
    if (document === null) throw refuse(no.INVOICE_NOT_FOUND);
    const agreement = agreementOf(document);
    if (!isWithin(bounds, agreement)) throw refuse(no.INVOICE_NOT_FOUND);
    if (agreement.escrow !== undefined) throw refuse(no.INVOICE_BELONGS_TO_ESCROW);
    requireLatest(decision, agreement, invoiceId);
    const invoice = decision.get(invoiceTable, invoiceId);
    if (invoice === null) throw refuse(no.INVOICE_NOT_FOUND);
    if (invoice.state !== 'open') throw refuse(no.INVOICE_NOT_OPEN);
    const { submitted } = submitPayment(decision, invoice, planOf(document), sale);
    return {
      status: 200,
      payload: renderInvoice(decision.line, document, submitted),
      record: { kind: 'invoice', id: invoiceId, version: submitted.version },
    };
  },
};

/** Sellers and integrator take what a sale brings. */
export const sale: Payee = {
  purpose: 'invoice',
  credits: (decision, plan) => creditLines(decision.line, plan, accruesIn(decision)),
};

/** Locks what a plan credits, with the place where money is kept back if it will be. [G-38] */
export function wantCredits(want: Want, plan: Plan): void {
  for (const credit of plan.credits) {
    want.lock(balanceTable, credit.wallet);
    if (want.peek(balanceTable, credit.wallet)?.accrues === false) {
      want.lock(balanceTable, credit.keptBack);
    }
  }
}

/** Reads from the locked rows whether a seller may accrue. */
export function accruesIn(decision: Decision): (credit: CreditPart) => boolean {
  return (credit) => decision.get(balanceTable, credit.wallet)?.accrues !== false;
}
