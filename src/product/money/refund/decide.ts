// The commands of refunds: request, fund one that waits, withdraw. The cap is decided with the
// refunded amounts locked, and the integrator pays, never a seller. [G-43, M12, M3]
import type { Command, CommandAnswer, Decision, Want } from '../../../engine/index.ts';
import { isUuid } from '../../../core/ids.ts';
import { refuse } from '../../../core/refusal.ts';
import {
  balanceTable,
  debitIntegrator,
  integratorHolds,
  needIntegrator,
} from '../../../ledger/index.ts';
import { escrowTable } from '../escrow/index.ts';
import {
  agreementOf,
  beginReturn,
  invoiceDocumentTable,
  invoiceTable,
  planOf,
  type Agreement,
  type Plan,
} from '../invoice/index.ts';
import { refundMachine } from './machine.ts';
import { refusals as no } from './refusals.ts';
import { askedOf, renderRefund, type RefundDetail } from './render.ts';
import { saveTally, tallyIn, wantTally } from './refunded-row.ts';
import { refundTable, type RefundRow } from './tables.ts';
import {
  allLeft,
  counted,
  partOfLine,
  wouldPayTwice,
  type LineWish,
  type Returned,
  type Tally,
} from './refunded.ts';

/** A requested refund, with the ids it will need. */
export interface RefundInput {
  readonly id: string;
  readonly refundInvoiceId: string;
  /** As in the body, or the line item's invoice; anything but a UUID is an unknown invoice. */
  readonly invoiceId: string;
  /** Null for all that is left. */
  readonly line: LineWish | null;
  readonly reason: string;
  readonly sub_reason: string;
  readonly sealed_note: string | null;
  /**
   * False: where the integrator holds too little, nothing changes and the payload is null, so that
   * its latest credits can be folded in first.
   */
  readonly mayWait: boolean;
}

/** An invoice that can be refunded, and its refunded amounts. */
interface Refundable {
  readonly invoiceId: string;
  readonly agreement: Agreement;
  readonly plan: Plan;
  readonly tally: Tally;
}

/** Locks what returning money needs: the wallets and the integrator's balance. */
function wantMoney(want: Want, plan: Plan): void {
  for (const { wallet } of plan.charges) if (wallet !== '') want.lock(balanceTable, wallet);
  needIntegrator(want, plan.currency);
}

/**
 * Refunds an invoice or a part of a line item. It is not batchable: refunded amounts created here
 * cannot be changed again in the same write.
 */
export const requestRefund: Command<RefundInput> = {
  name: 'request_refund',
  batchable: false,
  needs(want, { invoiceId }) {
    const document = isUuid(invoiceId) ? want.read(invoiceDocumentTable, invoiceId) : null;
    if (!document) return;
    const { escrow } = agreementOf(document);
    if (escrow !== undefined) want.lock(escrowTable, escrow);
    want.lock(invoiceTable, invoiceId);
    wantTally(want, invoiceId);
    wantMoney(want, planOf(document));
  },
  decide(decision, input) {
    const from = refundable(decision, input.invoiceId);
    const { agreement, plan, tally, invoiceId } = from;
    const wish =
      input.line === null
        ? allLeft(agreement, plan, tally)
        : partOfLine(agreement, plan, tally, input.line);
    if (wish.amount === 0) throw refuse(no.INVOICE_ALREADY_REFUNDED);
    const funded = integratorHolds(decision, plan.currency) >= BigInt(wish.amount);
    if (!funded && !input.mayWait) return { status: 200, payload: null };
    const row = rowOf(decision, input, plan.currency, wish);
    saveTally(decision, invoiceId, plan, counted(tally, wish, 1));
    const state = funded ? giveBack(decision, from, row, wish) : 'REFUND-WAITING-FUNDS';
    decision.birth(refundMachine, refundTable, 'request', { ...row, state });
    return answerOf(decision, row.id, {});
  },
};

/** The invoice with its refunded amounts. Throws a Refusal where nothing can be refunded. */
function refundable(decision: Decision, invoiceId: string): Refundable {
  const document = isUuid(invoiceId) ? decision.get(invoiceDocumentTable, invoiceId) : null;
  if (document === null) throw refuse(no.INVOICE_NOT_FOUND, { invoice_id: 'does not exist' });
  const agreement = agreementOf(document);
  const { kind, escrow } = agreement;
  if (escrow !== undefined) {
    const committed = decision.get(escrowTable, escrow)?.state === 'COMMITTED';
    if (kind !== 'escrow' || !committed) throw refuse(no.INVOICE_BELONGS_TO_ESCROW);
  }
  const paid = decision.get(invoiceTable, invoiceId)?.state === 'success';
  if (kind === 'refund' || !paid) throw refuse(no.INVOICE_NOT_REFUNDABLE);
  const plan = planOf(document);
  if (plan.total === 0) throw refuse(no.INVOICE_NOTHING_TO_REFUND);
  return { invoiceId, agreement, plan, tally: tallyIn(decision, invoiceId) };
}

function rowOf(
  { world, now }: Decision,
  input: RefundInput,
  currency: string,
  wish: Returned,
): Omit<RefundRow, 'state'> {
  const { id, refundInvoiceId, invoiceId, line, reason, sub_reason, sealed_note } = input;
  return {
    world,
    id,
    invoice_id: invoiceId,
    refund_invoice_id: refundInvoiceId,
    line_item_id: line?.id ?? null,
    currency,
    amount: BigInt(wish.amount),
    counted: BigInt(wish.amount),
    reason,
    sub_reason,
    sealed_note,
    parts: JSON.stringify(wish.parts),
    lines: JSON.stringify(wish.lines),
    created: now,
    version: 1,
    updated: now,
  };
}

/** Debits the integrator and begins the return; gives the refund's state. */
function giveBack(
  decision: Decision,
  { agreement, plan }: Pick<Refundable, 'agreement' | 'plan'>,
  row: Omit<RefundRow, 'state'>,
  wish: Returned,
): 'REFUND-SUCCESS' | 'REFUND-PENDING' {
  const invoice = beginReturn(decision, {
    id: row.refund_invoice_id,
    kind: 'refund',
    purpose: 'refund',
    of: row.invoice_id,
    agreement,
    buyer: plan.buyer,
    parts: wish.parts,
    lines: new Map(Object.entries(wish.lines)),
    source: debitIntegrator(decision, plan.currency, row.amount),
  });
  return invoice.state === 'success' ? 'REFUND-SUCCESS' : 'REFUND-PENDING';
}

/** The answer of a refund. `detail` is that of its last step. */
function answerOf(decision: Decision, id: string, detail: RefundDetail): CommandAnswer {
  const row = refundIn(decision, id);
  const { state, version, updated } = row;
  const moment = { state, at: updated, detail: JSON.stringify(detail) };
  return {
    status: 200,
    payload: renderRefund(row, moment),
    record: { kind: 'refund', id, version },
  };
}

function refundIn(decision: Decision, id: string): RefundRow {
  const row = isUuid(id) ? decision.get(refundTable, id) : null;
  if (row === null) throw refuse(no.REFUND_NOT_FOUND);
  return row;
}

export interface RefundId {
  /** As in the path; anything but a UUID is an unknown refund. */
  readonly refundId: string;
}

function wantRefund(want: Want, id: string): RefundRow | null {
  const row = isUuid(id) ? want.read(refundTable, id) : null;
  if (!row) return null;
  want.lock(refundTable, id);
  wantTally(want, row.invoice_id);
  return row;
}

/** Ends a refund that never moved money and frees what it reserved. */
function reject(
  decision: Decision,
  row: RefundRow,
  on: 'withdraw' | 'charged_back',
  detail: RefundDetail,
) {
  const { id, invoice_id } = row;
  const tally = counted(tallyIn(decision, invoice_id), askedOf(row), -1);
  saveTally(decision, invoice_id, null, tally);
  const patch = { counted: 0n };
  decision.move(refundMachine, refundTable, id, on, 'REFUND-REJECTED', patch, detail);
  return answerOf(decision, id, detail);
}

/** Withdraws a refund that waits for funds. [G-43] */
export const withdrawRefund: Command<RefundId> = {
  name: 'withdraw_refund',
  batchable: true,
  needs: (want, { refundId }) => void wantRefund(want, refundId),
  decide(decision, { refundId }) {
    const row = refundIn(decision, refundId);
    if (row.state !== 'REFUND-WAITING-FUNDS') throw refuse(no.REFUND_NOT_WAITING);
    return reject(decision, row, 'withdraw', {});
  },
};

/**
 * Funds a refund that waits. The payload is false while the integrator holds too little; true lets
 * the next one be tried.
 */
export const fundRefund: Command<RefundId> = {
  name: 'fund_refund',
  batchable: true,
  critical: true,
  needs(want, { refundId }) {
    const row = wantRefund(want, refundId);
    const document = row === null ? null : want.read(invoiceDocumentTable, row.invoice_id);
    if (document) wantMoney(want, planOf(document));
  },
  decide(decision, { refundId }) {
    const row = refundIn(decision, refundId);
    const document = decision.get(invoiceDocumentTable, row.invoice_id);
    const done = { status: 200, payload: true };
    if (document === null || row.state !== 'REFUND-WAITING-FUNDS') return done;
    const from = { agreement: agreementOf(document), plan: planOf(document) };
    const wish = askedOf(row);
    if (wouldPayTwice(from.plan, tallyIn(decision, row.invoice_id), wish.parts)) {
      reject(decision, row, 'charged_back', { failure_code: 'charged_back' });
      return done;
    }
    if (integratorHolds(decision, row.currency) < row.amount) {
      return { status: 200, payload: false };
    }
    const state = giveBack(decision, from, row, wish);
    decision.move(refundMachine, refundTable, row.id, 'fund', state);
    return done;
  },
};
