// The command that submits an invoice for payment. A sale pays its sellers and the integrator in
// the transaction that settles it. [G-33, G-37, G-41]
import type { Command, Decision, ReadSet } from '../../../engine/index.ts';
import { isUuid } from '../../../core/ids.ts';
import { refuse } from '../../../core/refusal.ts';
import { balanceTable } from '../../../ledger/index.ts';
import { saleTermsOf } from './sale-terms.ts';
import { requireLatest, wantLatest } from './authorized.ts';
import { isWithin, type VisibilityFilter } from './visibility.ts';
import { submitPayment, wantPayment, type Payee } from './payment.ts';
import { allocationOf, type CreditPart, type Allocation } from './allocation.ts';
import { creditLines } from './postings.ts';
import { invoiceRefusals as no } from './refusals.ts';
import { renderInvoice } from './render.ts';
import { invoiceDocumentTable, invoiceTable } from './tables.ts';

export interface PayInput {
  /** As in the path; anything but a UUID is an unknown invoice. */
  readonly invoiceId: string;
  /** Invoices that it filters out are answered as unknown. */
  readonly visibility?: VisibilityFilter | null;
}

/** Submits an open invoice. [seed: POST /v2/invoice/{invoice_id}/pay] */
export const payInvoice: Command<PayInput> = {
  name: 'pay_invoice',
  batchable: true,
  load(rows, { invoiceId, visibility }) {
    if (!isUuid(invoiceId)) return;
    const document = rows.read(invoiceDocumentTable, invoiceId);
    if (!document) return;
    const saleTerms = saleTermsOf(document);
    if (saleTerms.escrow !== undefined || !isWithin(visibility, saleTerms)) return;
    const allocation = allocationOf(document);
    wantLatest(rows, saleTerms);
    wantPayment(rows, invoiceId, allocation);
    wantCredits(rows, allocation);
  },
  decide(decision, { invoiceId, visibility }) {
    const document = isUuid(invoiceId) ? decision.get(invoiceDocumentTable, invoiceId) : null;
    if (document === null) throw refuse(no.INVOICE_NOT_FOUND);
    const saleTerms = saleTermsOf(document);
    if (!isWithin(visibility, saleTerms)) throw refuse(no.INVOICE_NOT_FOUND);
    if (saleTerms.escrow !== undefined) throw refuse(no.INVOICE_BELONGS_TO_ESCROW);
    requireLatest(decision, saleTerms, invoiceId);
    const invoice = decision.get(invoiceTable, invoiceId);
    if (invoice === null) throw refuse(no.INVOICE_NOT_FOUND);
    if (invoice.state !== 'open') throw refuse(no.INVOICE_NOT_OPEN);
    const { submitted } = submitPayment(decision, invoice, allocationOf(document), sale);
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
  credits: (decision, allocation) => creditLines(decision.line, allocation, accruesIn(decision)),
};

/**
 * Locks the wallets that are credited, and the restricted ledger account of each seller who may not
 * be credited now. [G-38]
 */
export function wantCredits(rows: ReadSet, allocation: Allocation): void {
  for (const credit of allocation.credits) {
    rows.lock(balanceTable, credit.wallet);
    if (rows.peek(balanceTable, credit.wallet)?.accrues === false) {
      rows.lock(balanceTable, credit.restricted);
    }
  }
}

/** Tells from the locked rows whether a seller is eligible for a credit. */
export function accruesIn(decision: Decision): (credit: CreditPart) => boolean {
  return (credit) => decision.get(balanceTable, credit.wallet)?.accrues !== false;
}
