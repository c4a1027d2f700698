// The commands of refunds: request, fund one that waits, withdraw. The cap is decided with the
// refunded amounts locked, and the integrator pays, never a seller. [G-43, M12, M3]
import type { Command, CommandAnswer, Decision, ReadSet } from '../../../engine/index.ts';
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
  saleTermsOf,
  beginReturn,
  invoiceDocumentTable,
  invoiceTable,
  allocationOf,
  type SaleTerms,
  type Allocation,
} from '../invoice/index.ts';
import { refundMachine } from './machine.ts';
import { refusals as no } from './refusals.ts';
import { invoiceRequestOf, renderRefund, type RefundDetail } from './render.ts';
import { saveRefunded, refundedIn, readRefunded } from './refunded-row.ts';
import { refundTable, type RefundRow } from './tables.ts';
import {
  allLeft,
  counted,
  partOfLine,
  wouldPayTwice,
  type LineItemRequest,
  type Returned,
  type RefundedAmounts,
} from './refunded.ts';

/** A requested refund, with the ids it will need. */
export interface RefundInput {
  readonly id: string;
  readonly refundInvoiceId: string;
  /** As in the body, or the line item's invoice; anything but a UUID is an unknown invoice. */
  readonly invoiceId: string;
  /** Null for all that is left. */
  readonly line: LineItemRequest | null;
  readonly reason: RefundRow['reason'];
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
  readonly saleTerms: SaleTerms;
  readonly allocation: Allocation;
  readonly refundedAmounts: RefundedAmounts;
}

/** Locks what returning money needs: the wallets and the integrator's balance. */
function wantMoney(rows: ReadSet, allocation: Allocation): void {
  for (const { wallet } of allocation.charges) if (wallet !== '') rows.lock(balanceTable, wallet);
  needIntegrator(rows, allocation.currency);
}

/**
 * Refunds an invoice or a part of a line item. It is not batchable: refunded amounts created here
 * cannot be changed again in the same write.
 */
export const requestRefund: Command<RefundInput> = {
  name: 'request_refund',
  batchable: false,
  load(rows, { invoiceId }) {
    const document = isUuid(invoiceId) ? rows.read(invoiceDocumentTable, invoiceId) : null;
    if (!document) return;
    const { escrow } = saleTermsOf(document);
    if (escrow !== undefined) rows.lock(escrowTable, escrow);
    rows.lock(invoiceTable, invoiceId);
    readRefunded(rows, invoiceId);
    wantMoney(rows, allocationOf(document));
  },
  decide(decision, input) {
    const from = refundable(decision, input.invoiceId);
    const { saleTerms, allocation, refundedAmounts, invoiceId } = from;
    const request =
      input.line === null
        ? allLeft(saleTerms, allocation, refundedAmounts)
        : partOfLine(saleTerms, allocation, refundedAmounts, input.line);
    if (request.amount === 0) throw refuse(no.INVOICE_ALREADY_REFUNDED);
    const funded = integratorHolds(decision, allocation.currency) >= BigInt(request.amount);
    if (!funded && !input.mayWait) return { status: 200, payload: null };
    const row = rowOf(decision, input, allocation.currency, request);
    saveRefunded(decision, invoiceId, allocation, counted(refundedAmounts, request, 1));
    const state = funded ? giveBack(decision, from, row, request) : 'REFUND-WAITING-FUNDS';
    decision.birth(refundMachine, refundTable, 'request', { ...row, state });
    return answerOf(decision, row.id, {});
  },
};

/** The invoice with its refunded amounts. Throws a Refusal where nothing can be refunded. */
function refundable(decision: Decision, invoiceId: string): Refundable {
  const document = isUuid(invoiceId) ? decision.get(invoiceDocumentTable, invoiceId) : null;
  if (document === null) throw refuse(no.INVOICE_NOT_FOUND, { invoice_id: 'does not exist' });
  const saleTerms = saleTermsOf(document);
  const { kind, escrow } = saleTerms;
  if (escrow !== undefined) {
    const committed = decision.get(escrowTable, escrow)?.state === 'COMMITTED';
    if (kind !== 'escrow' || !committed) throw refuse(no.INVOICE_BELONGS_TO_ESCROW);
  }
  const paid = decision.get(invoiceTable, invoiceId)?.state === 'success';
  if (kind === 'refund' || !paid) throw refuse(no.INVOICE_NOT_REFUNDABLE);
  const allocation = allocationOf(document);
  if (allocation.total === 0) throw refuse(no.INVOICE_NOTHING_TO_REFUND);
  return { invoiceId, saleTerms, allocation, refundedAmounts: refundedIn(decision, invoiceId) };
}

function rowOf(
  { workspace, now }: Decision,
  input: RefundInput,
  currency: string,
  request: Returned,
): Omit<RefundRow, 'state'> {
  const { id, refundInvoiceId, invoiceId, line, reason, sub_reason, sealed_note } = input;
  return {
    workspace,
    id,
    invoice_id: invoiceId,
    refund_invoice_id: refundInvoiceId,
    line_item_id: line?.id ?? null,
    currency,
    amount: BigInt(request.amount),
    counted: BigInt(request.amount),
    reason,
    sub_reason,
    sealed_note,
    parts: JSON.stringify(request.parts),
    lines: JSON.stringify(request.lines),
    created: now,
    version: 1,
    updated: now,
  };
}

/** Debits the integrator and begins the return; gives the refund's state. */
function giveBack(
  decision: Decision,
  { saleTerms, allocation }: Pick<Refundable, 'saleTerms' | 'allocation'>,
  row: Omit<RefundRow, 'state'>,
  request: Returned,
): 'REFUND-SUCCESS' | 'REFUND-PENDING' {
  const invoice = beginReturn(decision, {
    id: row.refund_invoice_id,
    kind: 'refund',
    purpose: 'refund',
    of: row.invoice_id,
    saleTerms,
    buyer: allocation.buyer,
    parts: request.parts,
    lines: new Map(Object.entries(request.lines)),
    source: debitIntegrator(decision, allocation.currency, row.amount),
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

function wantRefund(rows: ReadSet, id: string): RefundRow | null {
  const row = isUuid(id) ? rows.read(refundTable, id) : null;
  if (!row) return null;
  rows.lock(refundTable, id);
  readRefunded(rows, row.invoice_id);
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
  const refundedAmounts = counted(refundedIn(decision, invoice_id), invoiceRequestOf(row), -1);
  saveRefunded(decision, invoice_id, null, refundedAmounts);
  const patch = { counted: 0n };
  decision.move(refundMachine, refundTable, id, on, 'REFUND-REJECTED', patch, detail);
  return answerOf(decision, id, detail);
}

/** Withdraws a refund that waits for funds. [G-43] */
export const withdrawRefund: Command<RefundId> = {
  name: 'withdraw_refund',
  batchable: true,
  load: (rows, { refundId }) => void wantRefund(rows, refundId),
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
  highPriority: true,
  load(rows, { refundId }) {
    const row = wantRefund(rows, refundId);
    const document = row === null ? null : rows.read(invoiceDocumentTable, row.invoice_id);
    if (document) wantMoney(rows, allocationOf(document));
  },
  decide(decision, { refundId }) {
    const row = refundIn(decision, refundId);
    const document = decision.get(invoiceDocumentTable, row.invoice_id);
    const done = { status: 200, payload: true };
    if (document === null || row.state !== 'REFUND-WAITING-FUNDS') return done;
    const from = { saleTerms: saleTermsOf(document), allocation: allocationOf(document) };
    const request = invoiceRequestOf(row);
    if (wouldPayTwice(from.allocation, refundedIn(decision, row.invoice_id), request.parts)) {
      reject(decision, row, 'charged_back', { failure_code: 'charged_back' });
      return done;
    }
    if (integratorHolds(decision, row.currency) < row.amount) {
      return { status: 200, payload: false };
    }
    const state = giveBack(decision, from, row, request);
    decision.move(refundMachine, refundTable, row.id, 'fund', state);
    return done;
  },
};
