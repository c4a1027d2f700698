// The commands of refunds: request, fund one that waits, withdraw. The cap is decided with the
// refunded amounts locked, and the integrator pays, never a seller. [G-43, M12, M3]
import { command, type CommandAnswer, type Decision, type ReadSet } from '../../../engine/index.ts';
import { isUuid } from '../../../core/ids.ts';
import { refuse } from '../../../core/refusal.ts';
import {
  balanceTable,
  debitIntegrator,
  integratorHolds,
  needIntegrator,
  systemAccount,
} from '../../../ledger/index.ts';
import { escrowTable, soldOf, type Sold } from '../escrow/index.ts';
import {
  saleTermsOf,
  beginReturn,
  invoiceDocumentTable,
  invoiceTable,
  allocationOf,
  type Allocation,
} from '../invoice/index.ts';
import { refundMachine } from './machine.ts';
import { refusals as no } from './refusals.ts';
import { invoiceRequestOf, renderRefund, type RefundDetail } from './render.ts';
import { readRefunded, refundedOf, saveRefunded } from './refunded-row.ts';
import { refundTable, type RefundRow } from './tables.ts';
import {
  allLeft,
  counted,
  partOfLine,
  taxIn,
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

/** What can be refunded of an invoice, and its refunded amounts. */
interface Refundable extends Sold {
  /** The allocation of all that was charged. */
  readonly charged: Allocation;
  readonly refundedAmounts: RefundedAmounts;
}

/** Locks what returning money needs: the wallets and the integrator's balance. */
function loadMoney(rows: ReadSet, allocation: Allocation): void {
  for (const { wallet } of allocation.charges) if (wallet !== '') rows.lock(balanceTable, wallet);
  needIntegrator(rows, allocation.currency);
}

/**
 * Refunds an invoice or a part of a line item. It is not batchable: refunded amounts created here
 * cannot be changed again in the same write.
 */
export const requestRefund = command({
  name: 'request_refund',
  load: (rows, { invoiceId }: RefundInput) => loadRefundable(rows, invoiceId),
  decide(decision, input, loaded) {
    const { invoiceId } = input;
    const from = requireRefundable(loaded);
    const { saleTerms, allocation, refundedAmounts } = from;
    const request =
      input.line === null
        ? allLeft(saleTerms, allocation, refundedAmounts)
        : partOfLine(saleTerms, allocation, refundedAmounts, input.line);
    if (request.amount === 0) throw refuse(no.INVOICE_ALREADY_REFUNDED);
    const funded = integratorHolds(decision, allocation.currency) >= netOf(request);
    if (!funded && !input.mayWait) return { status: 200, payload: null };
    const row = rowOf(decision, input, allocation.currency, request);
    saveRefunded(decision, invoiceId, from.charged, counted(refundedAmounts, request, 1));
    const state = funded ? giveBack(decision, from, row, request) : 'REFUND-WAITING-FUNDS';
    decision.create(refundMachine, refundTable, 'request', { ...row, state });
    return answerOf(decision, row.id, {});
  },
});

/** Locks what refunding an invoice needs; null for an unknown one. */
function loadRefundable(rows: ReadSet, invoiceId: string) {
  const document = isUuid(invoiceId) ? rows.read(invoiceDocumentTable, invoiceId) : null;
  if (document === null) return null;
  const saleTerms = saleTermsOf(document);
  const { escrow: escrowId } = saleTerms;
  const escrow = escrowId === undefined ? null : rows.lock(escrowTable, escrowId);
  const invoice = rows.lock(invoiceTable, invoiceId);
  const refunded = readRefunded(rows, invoiceId);
  const allocation = allocationOf(document);
  loadMoney(rows, allocation);
  return { saleTerms, allocation, escrow, invoice, refunded };
}

/** The invoice with its refunded amounts. Throws a Refusal where nothing can be refunded. */
function requireRefundable(loaded: ReturnType<typeof loadRefundable>): Refundable {
  if (loaded === null) throw refuse(no.INVOICE_NOT_FOUND, { invoice_id: 'does not exist' });
  const { escrow, invoice, refunded, ...whole } = loaded;
  const { saleTerms, allocation: charged } = whole;
  const { kind } = saleTerms;
  const sold = kind === 'commit' || kind === 'cancel' ? null : soldOf(whole, escrow);
  if (sold === null) throw refuse(no.INVOICE_BELONGS_TO_ESCROW);
  const paid = invoice?.state === 'success';
  if (kind === 'refund' || !paid) throw refuse(no.INVOICE_NOT_REFUNDABLE);
  if (charged.total === 0) throw refuse(no.INVOICE_NOTHING_TO_REFUND);
  return { ...sold, charged, refundedAmounts: refundedOf(refunded) };
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
    taxes: JSON.stringify(request.taxes),
    created: now,
    version: 1,
    updated: now,
  };
}

/** What of a refund the integrator pays: all but the tax, which comes from where it is kept. */
function netOf(request: Returned): bigint {
  return BigInt(request.amount - taxIn(request));
}

/** Debits the integrator and the tax, and begins the return; gives the refund's state. */
function giveBack(
  decision: Decision,
  { saleTerms, allocation }: Sold,
  row: Omit<RefundRow, 'state'>,
  request: Returned,
): 'REFUND-SUCCESS' | 'REFUND-PENDING' {
  const { currency } = allocation;
  const invoice = beginReturn(decision, {
    id: row.refund_invoice_id,
    kind: 'refund',
    purpose: 'refund',
    of: row.invoice_id,
    saleTerms,
    buyer: allocation.buyer,
    parts: request.parts,
    lines: new Map(Object.entries(request.lines)),
    taxes: new Map(Object.entries(request.taxes)),
    sources: [
      debitIntegrator(decision, currency, netOf(request)),
      systemAccount(decision.lineage, 'tax_collected', currency, -BigInt(taxIn(request))),
    ],
  });
  return invoice.state === 'success' ? 'REFUND-SUCCESS' : 'REFUND-PENDING';
}

/** The answer of a refund. `detail` is that of its last step. */
function answerOf(decision: Decision, id: string, detail: RefundDetail): CommandAnswer {
  const row = requireRefund(decision.get(refundTable, id));
  const { state, version, updated } = row;
  const moment = { state, at: updated, detail: JSON.stringify(detail) };
  return {
    status: 200,
    payload: renderRefund(row, moment),
    record: { kind: 'refund', id, version },
  };
}

function requireRefund(row: RefundRow | null): RefundRow {
  if (row === null) throw refuse(no.REFUND_NOT_FOUND);
  return row;
}

export interface RefundId {
  /** As in the path; anything but a UUID is an unknown refund. */
  readonly refundId: string;
}

/** Locks a refund and the refunded amounts of its invoice. */
function loadRefund(rows: ReadSet, id: string) {
  const row = isUuid(id) ? rows.read(refundTable, id) : null;
  if (row !== null) rows.lock(refundTable, id);
  return { row, refunded: row === null ? null : readRefunded(rows, row.invoice_id) };
}

/** Ends a refund that never moved money and frees what it reserved. */
function reject(
  decision: Decision,
  row: RefundRow,
  refunded: RefundedAmounts,
  on: 'withdraw' | 'charged_back',
  detail: RefundDetail,
) {
  const { id, invoice_id } = row;
  const refundedAmounts = counted(refunded, invoiceRequestOf(row), -1);
  saveRefunded(decision, invoice_id, null, refundedAmounts);
  const patch = { counted: 0n };
  decision.move(refundMachine, refundTable, id, on, 'REFUND-REJECTED', patch, detail);
  return answerOf(decision, id, detail);
}

/** Withdraws a refund that waits for funds. [G-43] */
export const withdrawRefund = command({
  name: 'withdraw_refund',
  batchable: true,
  load: (rows, { refundId }: RefundId) => loadRefund(rows, refundId),
  decide(decision, _, { row: found, refunded }) {
    const row = requireRefund(found);
    if (row.state !== 'REFUND-WAITING-FUNDS') throw refuse(no.REFUND_NOT_WAITING);
    return reject(decision, row, refundedOf(refunded), 'withdraw', {});
  },
});

/**
 * Funds a refund that waits. The payload is false while the integrator holds too little; true lets
 * the next one be tried.
 */
export const fundRefund = command({
  name: 'fund_refund',
  batchable: true,
  highPriority: true,
  load(rows, { refundId }: RefundId) {
    const { row, refunded } = loadRefund(rows, refundId);
    const document = row === null ? null : rows.read(invoiceDocumentTable, row.invoice_id);
    if (document === null) return { found: row, refunded, sold: null };
    const whole = { saleTerms: saleTermsOf(document), allocation: allocationOf(document) };
    loadMoney(rows, whole.allocation);
    const { escrow } = whole.saleTerms;
    const sold = soldOf(whole, escrow === undefined ? null : rows.read(escrowTable, escrow));
    return { found: row, refunded, sold };
  },
  decide(decision, _, { found, refunded, sold: from }) {
    const row = requireRefund(found);
    const done = { status: 200, payload: true };
    if (from === null || row.state !== 'REFUND-WAITING-FUNDS') return done;
    const request = invoiceRequestOf(row);
    const before = refundedOf(refunded);
    if (wouldPayTwice(from.allocation, before, request.parts)) {
      reject(decision, row, before, 'charged_back', { failure_code: 'charged_back' });
      return done;
    }
    if (integratorHolds(decision, row.currency) < netOf(request)) {
      return { status: 200, payload: false };
    }
    const state = giveBack(decision, from, row, request);
    decision.move(refundMachine, refundTable, row.id, 'fund', state);
    return done;
  },
});
