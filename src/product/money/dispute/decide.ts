// The commands of disputes: one is opened with the money that the processor took, and changed as
// its statement reports. Money and escrow move in the same transaction; each report counts once,
// and a late one changes nothing. Pure. Who bears a lost one: the integrator has covered it by
// then; the reserve of each seller covers the share that the sale had paid them, and what it lacks
// they owe, where the tenant has the sellers bear it. [G-93, M15, M3]
import { EngineFault, type Command, type Decision, type ReadSet } from '../../../engine/index.ts';
import { endWithEscrow, loadDisagreement } from '../disagreement/index.ts';
import {
  endDisputeOf,
  escrowTable,
  loadDisputed,
  soldOf,
  takeFromEscrow,
} from '../escrow/index.ts';
import {
  allocationOf,
  invoiceDocumentTable,
  invoiceTable,
  saleTermsOf,
  type Allocation,
} from '../invoice/index.ts';
import { giveBackReversal, reversalTable, takeBack, loadReversal } from '../refund/index.ts';
import type { Bearer } from '../../tenant/settings/index.ts';
import { attemptTable, depositTable, owe, type AttemptRow } from '../wallet/index.ts';
import { warningOf } from './deadline.ts';
import { disputeMachine, isOpen, type DisputeState } from './machine.ts';
import { disputeByReference, disputeTable, type DisputeRow } from './tables.ts';
import { balanceTable } from '../../../ledger/index.ts';
import { coverFromReserve, lockReserve } from '../reserve/index.ts';

/** Locks the reserves and balances of the sellers who may have to bear it. */
function loadDebtors(rows: ReadSet, { purpose, resource_id }: AttemptRow): void {
  const document = purpose === 'deposit' ? null : rows.read(invoiceDocumentTable, resource_id);
  if (!document) return;
  for (const { wallet, restricted } of allocationOf(document).credits) {
    lockReserve(rows, restricted);
    rows.lock(balanceTable, restricted);
    rows.lock(balanceTable, wallet);
  }
}

/** A loss that is final. */
interface Loss {
  readonly disputeId: string;
  readonly escrowId: string | null;
  readonly currency: string;
  /** Who bears what no reserve covers. */
  readonly bearer: Bearer;
  /** Minor units that no escrow held, with the fee where sellers bear it. */
  readonly amount: bigint;
}

/** One seller's part. */
interface Share {
  readonly account: string;
  readonly wallet: string;
  /** The ledger account of the wallet's restricted funds. */
  readonly restricted: string;
  readonly amount: bigint;
}

/** The sellers' shares of a loss, rounded down: what is left is the integrator's. */
export function sharesOf({ credits, total }: Allocation, loss: bigint): Share[] {
  return [...Map.groupBy(credits, ({ wallet }) => wallet)].flatMap(([wallet, parts]) => {
    const paid = parts.reduce((sum, { amount }) => sum + amount, 0);
    const share = (loss * BigInt(paid)) / BigInt(total);
    const [{ owner: account, restricted } = { owner: '', restricted: '' }] = parts;
    return share > 0n ? [{ account, wallet, restricted, amount: share }] : [];
  });
}

/** What sellers bear of a loss, for the history. Minor units. */
interface Borne {
  readonly covered_by_reserves: number;
  readonly owed_by_sellers: number;
}

/** Has sellers bear a loss of a sale that paid them; a deposit and an open escrow paid nobody. */
function chargeSellers(decision: Decision, attempt: AttemptRow, loss: Loss): Borne {
  const { disputeId, escrowId, currency, bearer } = loss;
  const borne = { covered_by_reserves: 0, owed_by_sellers: 0 };
  if (attempt.purpose === 'deposit' || currency !== attempt.currency) return borne;
  const escrow = escrowId === null ? null : decision.get(escrowTable, escrowId);
  const document = decision.get(invoiceDocumentTable, attempt.resource_id);
  const paid = decision.get(invoiceTable, attempt.resource_id)?.state === 'success';
  if (document === null || !paid) return borne;
  const whole = { saleTerms: saleTermsOf(document), allocation: allocationOf(document) };
  const sold = soldOf(whole, escrow);
  if (sold === null) return borne;
  for (const { restricted, ...share } of sharesOf(sold.allocation, loss.amount)) {
    const { amount } = share;
    const covered = coverFromReserve(decision, restricted, { disputeId, amount });
    borne.covered_by_reserves += Number(covered);
    const left = amount - covered;
    if (left === 0n || bearer !== 'seller') continue;
    owe(decision, { ...share, disputeId, currency, amount: left });
    borne.owed_by_sellers += Number(left);
  }
  return borne;
}

/** A row of the processor's statement that takes a charge back. */
export interface NewDispute {
  readonly id: string;
  readonly reversalId: string;
  readonly attemptId: string;
  /** `return`: a bank debit that came back unpaid, which is final. */
  readonly kind: 'chargeback' | 'return';
  /** The processor's own reference, one for each dispute. */
  readonly reference: string;
  /** Minor units, positive. */
  readonly amount: bigint;
  readonly currency: string;
  readonly reason: string | null;
  readonly due_by: string | null;
  /** What the processor kept for it. Minor units; absent: nothing. */
  readonly fee?: bigint;
  /** Who bears a loss, and the fee of it; absent: the integrator. */
  readonly bearer?: Bearer;
  readonly fee_bearer?: Bearer;
}

/** Reads what an attempt paid for; gives its escrow, or null. */
function loadCharged(rows: ReadSet, attempt: AttemptRow): string | null {
  const { purpose, resource_id } = attempt;
  if (purpose === 'deposit') {
    rows.read(depositTable, resource_id);
    return null;
  }
  const document = rows.read(invoiceDocumentTable, resource_id);
  rows.read(invoiceTable, resource_id);
  return (document && saleTermsOf(document).escrow) ?? null;
}

/** Locks an escrow and its disagreement. */
function loadFrozen(rows: ReadSet, escrowId: string): void {
  loadDisputed(rows, escrowId);
  loadDisagreement(rows, escrowId);
}

function escrowOf(decision: Decision, attempt: AttemptRow): string | null {
  if (attempt.purpose === 'deposit') return null;
  const document = decision.get(invoiceDocumentTable, attempt.resource_id);
  if (document === null) throw new EngineFault('an attempt has no invoice');
  return saleTermsOf(document).escrow ?? null;
}

function ownerOf(decision: Decision, { purpose, resource_id }: AttemptRow): string {
  const row = decision.get(purpose === 'deposit' ? depositTable : invoiceTable, resource_id);
  const owner = row?.account_id ?? null;
  if (owner === null) throw new EngineFault('a charge has no payer');
  return owner;
}

function attemptIn(decision: Decision, id: string): AttemptRow {
  const attempt = decision.get(attemptTable, id);
  if (attempt === null) throw new EngineFault('a dispute names no attempt');
  return attempt;
}

/** Opens a dispute with the money that was taken; a known reference changes nothing. */
export const openDispute: Command<NewDispute> = {
  name: 'open_dispute',
  highPriority: true,
  load(rows, { attemptId, reference, currency, kind }) {
    rows.find(disputeByReference, reference);
    const attempt = rows.read(attemptTable, attemptId);
    if (!attempt) return;
    const escrow = loadCharged(rows, attempt);
    if (escrow !== null) loadFrozen(rows, escrow);
    loadReversal(rows, attempt, currency);
    if (kind === 'return') loadDebtors(rows, attempt);
  },
  decide(decision, request) {
    const answer = { status: 200, payload: null };
    if (decision.find(disputeByReference, request.reference).length > 0) return answer;
    const { id, reversalId, kind, reference, amount, currency } = request;
    const attempt = attemptIn(decision, request.attemptId);
    const { resource_id } = attempt;
    const open = kind === 'chargeback';
    const escrow_id = escrowOf(decision, attempt);
    // Money in another currency was never held; the escrow is frozen for that dispute all the same.
    const held = currency === attempt.currency ? amount : 0n;
    const taking = { charge: attempt.id, amount: held, open };
    const secured = escrow_id === null ? 0n : takeFromEscrow(decision, escrow_id, taking);
    if (escrow_id !== null) endWithEscrow(decision, escrow_id);
    takeBack(decision, attempt, { id: reversalId, kind, reference, amount, secured, currency });
    const row: DisputeRow = {
      workspace: decision.workspace,
      id,
      account_id: ownerOf(decision, attempt),
      reversal_id: reversalId,
      resource_id,
      purpose: attempt.purpose,
      escrow_id,
      reference,
      amount,
      currency,
      reason: request.reason ?? 'unknown',
      due_by: request.due_by,
      bearer: request.bearer ?? 'integrator',
      fee_bearer: request.fee_bearer ?? 'integrator',
      fee: request.fee ?? 0n,
      due: open ? warningOf(decision.now, request.due_by) : null,
      created: decision.now,
      state: open ? 'needs_response' : 'returned',
      version: 1,
      updated: decision.now,
    };
    const borne = open ? undefined : bear(decision, row, attempt, secured);
    decision.create(disputeMachine, disputeTable, 'open', row, borne);
    return answer;
  },
};

/** What a statement row says of a dispute. */
export interface DisputeChange {
  readonly reference: string;
  readonly to: Exclude<DisputeState, 'needs_response' | 'returned'>;
  /** As the row says: a dispute ends whole or not at all. */
  readonly amount: bigint;
  readonly currency: string;
  /** What the processor kept with this row, or returned (negative). Minor units. */
  readonly fee?: bigint;
}

/**
 * Moves a dispute on or ends it. The payload is true where it is in that state now or is already
 * past the review; false where the row cannot be true of this dispute.
 */
export const changeDispute: Command<DisputeChange> = {
  name: 'change_dispute',
  highPriority: true,
  load(rows, { reference, to }) {
    for (const { id, reversal_id, escrow_id } of rows.find(disputeByReference, reference)) {
      rows.lock(disputeTable, id);
      rows.lock(reversalTable, reversal_id);
      if (escrow_id !== null) loadFrozen(rows, escrow_id);
      const reversal = rows.read(reversalTable, reversal_id);
      const attempt = reversal ? rows.read(attemptTable, reversal.attempt_id) : null;
      if (reversal && attempt) loadReversal(rows, attempt, reversal.currency);
      if (attempt && to === 'lost') loadDebtors(rows, attempt);
    }
  },
  decide(decision, { reference, to, amount, currency, fee = 0n }) {
    const [row] = decision.find(disputeByReference, reference);
    const said = (payload: boolean) => ({ status: 200, payload });
    if (row === undefined || row.amount !== amount || row.currency !== currency) {
      return said(false);
    }
    if (to === 'under_review') {
      if (row.state === 'needs_response') {
        const patch = { due: null, fee: row.fee + fee };
        decision.move(disputeMachine, disputeTable, row.id, 'review', to, patch);
      }
      return said(row.state !== 'returned');
    }
    if (isOpen(row.state)) close(decision, { ...row, fee: row.fee + fee }, to);
    return said(row.state === to || isOpen(row.state));
  },
};

/** Ends a dispute: what was won or withdrawn is returned, and the escrow no longer waits for it. */
function close(decision: Decision, row: DisputeRow, to: DisputeChange['to']): void {
  const { id, escrow_id } = row;
  const reversal = decision.get(reversalTable, row.reversal_id);
  if (reversal === null) throw new EngineFault('a dispute has no reversal');
  const attempt = attemptIn(decision, reversal.attempt_id);
  if (to !== 'lost') giveBackReversal(decision, attempt, reversal.id);
  if (escrow_id !== null) {
    const back = to === 'lost' ? 0n : reversal.secured;
    endDisputeOf(decision, escrow_id, { charge: attempt.id, back });
    endWithEscrow(decision, escrow_id);
  }
  const borne = to === 'lost' ? bear(decision, row, attempt, reversal.secured) : undefined;
  decision.move(disputeMachine, disputeTable, id, 'close', to, { due: null, fee: row.fee }, borne);
}

/** Has the sellers bear a final loss, as the tenant wanted when it was opened; gives how much. */
function bear(
  decision: Decision,
  { id: disputeId, bearer, fee_bearer, fee, escrow_id: escrowId, currency, amount }: DisputeRow,
  attempt: AttemptRow,
  secured: bigint,
): Borne {
  const kept = fee_bearer === 'seller' && fee > 0n ? fee : 0n;
  const loss = { disputeId, escrowId, currency, bearer, amount: amount - secured + kept };
  return chargeSellers(decision, attempt, loss);
}
