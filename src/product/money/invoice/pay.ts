// The command that submits an invoice for payment. A sale pays its sellers and the integrator in
// the transaction that settles it. [G-33, G-37, G-41]
import type { Command, Decision, Want } from '../../../engine/index.ts';
import { isUuid } from '../../../core/ids.ts';
import { refuse } from '../../../core/refusal.ts';
import { balanceTable } from '../../../ledger/index.ts';
import { agreementOf } from './sale-terms.ts';
import { requireLatest, wantLatest } from './authorized.ts';
import { isWithin, type Bounds } from './visibility.ts';
import { submitPayment, wantPayment, type Payee } from './payment.ts';
import { planOf, type CreditPart, type Plan } from './allocation.ts';
import { creditLines } from './postings.ts';
import { invoiceRefusals as no } from './refusals.ts';
import { renderInvoice } from './render.ts';
import { invoiceDocumentTable, invoiceTable } from './tables.ts';

export interface PayInput {
  /** As in the path; anything but a UUID is an unknown invoice. */
  readonly invoiceId: string;
  /** Invoices that it filters out are answered as unknown. */
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

/** The payee policy of a sale: sellers and integrator are credited. */
export const sale: Payee = {
  purpose: 'invoice',
  credits: (decision, plan) => creditLines(decision.line, plan, accruesIn(decision)),
};

/**
 * Locks the wallets that are credited, and the restricted ledger account of each seller who may not
 * be credited now. [G-38]
 */
export function wantCredits(want: Want, plan: Plan): void {
  for (const credit of plan.credits) {
    want.lock(balanceTable, credit.wallet);
    if (want.peek(balanceTable, credit.wallet)?.accrues === false) {
      want.lock(balanceTable, credit.keptBack);
    }
  }
}

/** Tells from the locked rows whether a seller is eligible for a credit. */
export function accruesIn(decision: Decision): (credit: CreditPart) => boolean {
  return (credit) => decision.get(balanceTable, credit.wallet)?.accrues !== false;
}
