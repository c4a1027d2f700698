// The payment of an invoice: the commands that submit it and record an answer about a charge, and
// what they share with escrows: settle from wallets or begin the charges. All parts are paid or
// none [G-41]. Who receives the money (sellers or an escrow) is the `Payee`. [G-33, G-37]
import {
  command,
  EngineFault,
  type Command,
  type Decision,
  type LedgerEntry,
  type ReadSet,
} from '../../../engine/index.ts';
import { isUuid } from '../../../core/ids.ts';
import { refuse, type RefusalSpec } from '../../../core/refusal.ts';
import { balanceTable } from '../../../ledger/index.ts';
import { accountTable } from '../../people/account/index.ts';
import {
  applyAnswer,
  attemptsOfResource,
  attemptTable,
  beginAttempt,
  paymentMethodTable,
  requireOpen,
  type AttemptAnswer,
  type FailureCode,
} from '../wallet/index.ts';
import { allocationOf, type Allocation } from './allocation.ts';
import { creditsOf, loadCredits } from './credits.ts';
import { requireLatest, loadLatest } from './authorized.ts';
import { invoiceMachine } from './machine.ts';
import {
  holdWalletParts,
  releaseWalletParts,
  settleFromHolding,
  settleFromWallets,
} from './postings.ts';
import { invoiceRefusals as no } from './refusals.ts';
import { renderInvoice } from './render.ts';
import { saleTermsOf } from './stored-terms.ts';
import { invoiceDocumentTable, invoiceTable, type InvoiceRow } from './tables.ts';
import { isWithin, type VisibilityFilter } from './visibility.ts';

export interface PayInput {
  /** As in the path; anything but a UUID is an unknown invoice. */
  readonly invoiceId: string;
  /** Invoices that it filters out are answered as unknown. */
  readonly visibility?: VisibilityFilter | null;
  /** Why nobody charges cards; null or absent: somebody does. */
  readonly noCharge?: RefusalSpec | null;
}

/** Submits an open invoice. [seed: POST /v2/invoice/{invoice_id}/pay] */
export const payInvoice = command({
  name: 'pay_invoice',
  batchable: true,
  load(rows, { invoiceId, visibility }: PayInput) {
    const document = isUuid(invoiceId) ? rows.read(invoiceDocumentTable, invoiceId) : null;
    if (document === null) return null;
    const saleTerms = saleTermsOf(document);
    if (!isWithin(visibility, saleTerms)) return null;
    const allocation = allocationOf(document);
    const latest = loadLatest(rows, saleTerms);
    const payment = loadPayment(rows, invoiceId, allocation);
    loadCredits(rows, allocation);
    return { document, saleTerms, latest, payment };
  },
  decide(decision, { invoiceId, noCharge }, loaded) {
    if (loaded === null) throw refuse(no.INVOICE_NOT_FOUND);
    const { document, saleTerms, latest, payment } = loaded;
    if (saleTerms.escrow !== undefined) throw refuse(no.INVOICE_BELONGS_TO_ESCROW);
    requireLatest(saleTerms, latest, invoiceId);
    const { invoice } = payment;
    if (invoice === null) throw refuse(no.INVOICE_NOT_FOUND);
    if (invoice.state !== 'open') throw refuse(no.INVOICE_NOT_OPEN);
    const { submitted } = submitPayment(decision, invoice, payment, sale, noCharge);
    return {
      status: 200,
      payload: renderInvoice(decision.lineage, document, submitted),
      record: { kind: 'invoice', id: invoiceId, version: submitted.version },
    };
  },
});

/** The payee policy of a sale: sellers and integrator are credited. */
export const sale: Payee = {
  purpose: 'invoice',
  credits: creditsOf,
};

/**
 * Settles an invoice by one answer about one payment attempt, whether a webhook, a worker or the
 * reconciler brought it; late and repeated answers change nothing.
 */
export const settleInvoice: Command<AttemptAnswer> = {
  name: 'settle_invoice',
  batchable: true,
  highPriority: true,
  load(rows, answer) {
    const known = loadAnswer(rows, answer);
    if (known !== null) loadCredits(rows, known.allocation);
  },
  decide(decision, answer) {
    learnPayment(decision, answer, sale);
    return { status: 200, payload: null };
  },
};

/** Who receives what a payment brings. */
export interface Payee {
  /** The module that settles the charges. */
  readonly purpose: 'invoice' | 'escrow';
  /** The ledger entries that credit the whole total of an invoice. */
  credits(
    decision: Decision,
    allocation: Allocation,
    invoiceId: string,
  ): readonly LedgerEntry[];
}

/** The state of an invoice after a submission or an answer. */
export type Standing = 'processing' | 'success' | 'failed';

/** What a payment needs, except the payees' balances; buyer and sellers are its people. */
export function loadPayment(rows: ReadSet, invoiceId: string, allocation: Allocation) {
  const { buyer, charges, credits } = allocation;
  return {
    allocation,
    people: [buyer, ...credits.map(({ owner }) => owner)].map((id) => rows.read(accountTable, id)),
    methods: charges.map(({ method }) => rows.read(paymentMethodTable, method)),
    invoice: rows.lock(invoiceTable, invoiceId),
    debits: loadDebits(rows, allocation),
  };
}

type LoadedPayment = ReturnType<typeof loadPayment>;

/** Locks the wallets that pay; each with the minor units that it pays. */
function loadDebits(rows: ReadSet, { charges }: Allocation) {
  return charges
    .filter(({ wallet }) => wallet !== '')
    .map(({ wallet, amount }) => ({ balance: rows.lock(balanceTable, wallet), amount }));
}

/**
 * Submits an open invoice; gives its row as submitted, and its state then. Throws a Refusal where a
 * card would be charged and nobody charges cards. [G-90]
 */
export function submitPayment(
  decision: Decision,
  invoice: InvoiceRow,
  payment: LoadedPayment,
  payee: Payee,
  noCharge: RefusalSpec | null = null,
): { readonly submitted: InvoiceRow; readonly standing: Standing } {
  if (noCharge !== null && payment.allocation.charges.some(({ wallet }) => wallet === '')) {
    throw refuse(noCharge);
  }
  decision.move(invoiceMachine, invoiceTable, invoice.id, 'pay', 'processing');
  const submitted = decision.get(invoiceTable, invoice.id) ?? invoice;
  return { submitted, standing: settleOrBegin(decision, payment, submitted, payee) };
}

function settleOrBegin(
  decision: Decision,
  payment: LoadedPayment,
  invoice: InvoiceRow,
  payee: Payee,
): Standing {
  const { allocation } = payment;
  const failure = failureBefore(payment);
  const cards = failure === null ? allocation.charges.filter((charge) => charge.wallet === '') : [];
  const held = cards.length === 0 ? [] : holdWalletParts(decision.lineage, allocation);
  decision.post(invoice.id, invoice.version, held);
  if (failure !== null) {
    failInvoice(decision, invoice.id, failure, []);
    return 'failed';
  }
  if (cards.length === 0) {
    const credits = payee.credits(decision, allocation, invoice.id);
    const lines = settleFromWallets(allocation, credits);
    succeedInvoice(decision, invoice.id, lines);
    return 'success';
  }
  for (const card of cards) {
    beginAttempt(decision, {
      id: card.id,
      purpose: payee.purpose,
      resourceId: invoice.id,
      methodId: card.method,
      token: card.token,
      currency: allocation.currency,
      amount: BigInt(card.amount),
    });
  }
  return 'processing';
}

/** Why the payment fails before the processor is asked; null where it does not. */
function failureBefore({ people, methods, debits }: LoadedPayment): FailureCode | null {
  if (people.some((person) => person?.blocked !== false)) return 'account_blocked';
  if (methods.some((method) => method?.pm_state !== 'ACTIVE')) return 'payment_method_inactive';
  for (const { balance, amount } of debits) {
    if (balance === null || balance.amount < BigInt(amount)) return 'insufficient_funds';
  }
  return null;
}

/**
 * Adds to the read set what `learnPayment` needs, payees aside; gives invoice and allocation once
 * they are known.
 */
export function loadAnswer(
  rows: ReadSet,
  { attemptId }: AttemptAnswer,
): { readonly invoiceId: string; readonly allocation: Allocation } | null {
  const attempt = rows.read(attemptTable, attemptId);
  if (!attempt) return null;
  const invoiceId = attempt.resource_id;
  const siblings = rows.find(attemptsOfResource, invoiceId);
  const document = rows.read(invoiceDocumentTable, invoiceId);
  if (!document) return null;
  for (const sibling of siblings) rows.lock(attemptTable, sibling.id);
  rows.lock(invoiceTable, invoiceId);
  const allocation = allocationOf(document);
  loadDebits(rows, allocation);
  return { invoiceId, allocation };
}

/**
 * Records an answer about one charge; gives the invoice's state, null where the payment is not
 * over.
 */
export function learnPayment(
  decision: Decision,
  answer: AttemptAnswer,
  payee: Payee,
): { readonly invoiceId: string; readonly standing: 'success' | 'failed' } | null {
  const attempt = decision.get(attemptTable, answer.attemptId);
  const invoiceId = attempt?.resource_id ?? '';
  const document = attempt === null ? null : decision.get(invoiceDocumentTable, invoiceId);
  const invoice = attempt === null ? null : decision.get(invoiceTable, invoiceId);
  if (document === null || invoice === null) throw new EngineFault('an attempt has no invoice');
  const open = invoice.state === 'processing';
  requireOpen(answer, open);
  const progress = applyAnswer(decision, answer);
  const allocation = allocationOf(document);
  if (!open || progress.kind === 'waiting') return null;
  if (progress.kind === 'succeeded') {
    const credits = payee.credits(decision, allocation, invoiceId);
    succeedInvoice(decision, invoiceId, settleFromHolding(decision.lineage, allocation, credits));
    return { invoiceId, standing: 'success' };
  }
  failInvoice(decision, invoiceId, progress.code, releaseWalletParts(decision.lineage, allocation));
  return { invoiceId, standing: 'failed' };
}

/** Moves an invoice to success with the ledger entries that pay everybody. */
export function succeedInvoice(
  decision: Decision,
  id: string,
  lines: readonly LedgerEntry[],
): void {
  const on = 'payment_succeeded';
  const version = decision.move(invoiceMachine, invoiceTable, id, on, 'success');
  decision.post(id, version, lines);
}

/** Moves an invoice to failed with its reason and the ledger entries that release what was held. */
export function failInvoice(
  decision: Decision,
  id: string,
  code: string,
  lines: readonly LedgerEntry[],
): void {
  const failure = { failure_code: code };
  const on = 'payment_failed';
  const to = 'failed';
  const version = decision.move(invoiceMachine, invoiceTable, id, on, to, failure, failure);
  decision.post(id, version, lines);
}
