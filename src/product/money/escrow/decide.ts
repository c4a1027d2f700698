// The commands of escrows: create, pay, record an answer about the payment, commit. The money is
// held from the payment until the commit here or a cancel (cancel.ts).
import {
  command,
  EngineFault,
  type Command,
  type Decision,
  type ReadSet,
} from '../../../engine/index.ts';
import { refuse, type RefusalSpec } from '../../../core/refusal.ts';
import { addSeconds } from '../../../core/time.ts';
import { systemAccount } from '../../../ledger/index.ts';
import {
  saleTermsOf,
  invoiceDocumentTable,
  isWithin,
  learnPayment,
  makeInvoice,
  allocationOf,
  requireLatest,
  submitPayment,
  loadAnswer,
  loadLatest,
  loadPayment,
  loadRows,
  type SaleTerms,
  type VisibilityFilter,
  type Payee,
  type Allocation,
  type PreparedInvoice,
} from '../invoice/index.ts';
import type { AttemptAnswer } from '../wallet/index.ts';
import { warningSeconds } from './clock.ts';
import { courseOf, moveEscrow } from './course.ts';
import { limitOf, withCourse } from './dates.ts';
import { escrowMachine } from './machine.ts';
import { courseFrom, type PlanWish } from './plan.ts';
import { refusals as no } from './refusals.ts';
import { renderEscrow } from './schema.ts';
import { escrowTable, invoiceOf, type EscrowRow } from './tables.ts';

/** An escrow to create; the prepared invoice has the id of its escrow invoice. */
export interface NewEscrow {
  readonly id: string;
  readonly prepared: PreparedInvoice;
  /** Seconds that its money may be held. [G-42] */
  readonly holdSeconds: number;
  readonly integrator: string;
  /** Its dates and milestones. [G-95] */
  readonly plan?: PlanWish;
}

export interface EscrowInput {
  /** UUID; null for a malformed id. */
  readonly escrowId: string | null;
  readonly integrator: string;
  /** Escrows that it filters out are answered as unknown. */
  readonly visibility?: VisibilityFilter | null;
  /** Why nobody charges cards; null or absent: somebody does. */
  readonly noCharge?: RefusalSpec | null;
}

/** Creates an escrow in OPEN. [seed: POST /v2/escrow] */
export const createEscrow: Command<NewEscrow> = {
  name: 'create_escrow',
  batchable: true,
  load: (rows, { prepared }) => loadRows(rows, prepared),
  decide(decision, { id, prepared, holdSeconds, integrator, plan = {} }) {
    const { workspace, now } = decision;
    const amounts = prepared.lines.map(({ amount }) => amount);
    const course = courseFrom(plan, amounts, { now, until: addSeconds(now, holdSeconds) });
    const part = { kind: 'escrow', escrow: id } as const;
    const { invoice } = makeInvoice(decision, prepared, part);
    const row: EscrowRow = {
      workspace,
      id,
      account_id: invoice.account_id,
      state: 'OPEN',
      version: 1,
      hold_seconds: holdSeconds,
      due: null,
      warned: false,
      time_left: null,
      disputes: null,
      course: course === null ? null : JSON.stringify(course),
      created: now,
      updated: now,
    };
    decision.create(escrowMachine, escrowTable, 'create', row, course ?? undefined);
    return {
      status: 201,
      payload: renderEscrow(row, integrator),
      record: { kind: 'escrow', id, version: 1 },
    };
  },
};

/** The terms of an escrow's sale, and its money allocation. */
export interface Agreed {
  readonly id: string;
  readonly saleTerms: SaleTerms;
  readonly allocation: Allocation;
}

/** An escrow with its terms. */
export interface Escrow extends Agreed {
  readonly row: EscrowRow;
}

/** As `Escrow`; its row is null while it is not locked yet. */
export interface LoadedEscrow extends Agreed {
  readonly row: EscrowRow | null;
}

/** Locks the escrow; null for one that does not exist. */
export function loadEscrow(rows: ReadSet, id: string | null): LoadedEscrow | null {
  const document = id === null ? null : rows.read(invoiceDocumentTable, invoiceOf(id, 'escrow'));
  if (id === null || document === null) return null;
  const saleTerms = saleTermsOf(document);
  if (saleTerms.escrow !== id) return null;
  return { id, saleTerms, allocation: allocationOf(document), row: rows.lock(escrowTable, id) };
}

/** The escrow that was loaded. Throws ESCROW_NOT_FOUND. */
export function requireEscrow(escrow: LoadedEscrow | null): Escrow {
  if (escrow === null || escrow.row === null) throw refuse(no.ESCROW_NOT_FOUND);
  return { ...escrow, row: escrow.row };
}

/** An escrow of the read set, for a decision that comes from elsewhere. */
export function escrowIn(decision: Decision, id: string): Escrow {
  const document = decision.get(invoiceDocumentTable, invoiceOf(id, 'escrow'));
  const row = decision.get(escrowTable, id);
  if (document === null || row === null) throw new EngineFault('an escrow is not there');
  return { id, saleTerms: saleTermsOf(document), allocation: allocationOf(document), row };
}

/** Throws a Refusal unless the money is held and not frozen by a dispute. [seed: Errors, G-93] */
export function requireHeld({ state, time_left }: EscrowRow): void {
  if (state !== 'ESCROWED') throw refuse(no.ESCROW_NOT_ESCROWED);
  if (time_left !== null) throw refuse(no.ESCROW_DISPUTED);
}

/** The payee policy of an escrow: the total is credited to the escrow's system account. */
const hold: Payee = {
  purpose: 'escrow',
  credits: ({ lineage }, { currency, total }) => [
    systemAccount(lineage, 'escrow', currency, BigInt(total)),
  ],
};

/** Charges the buyer. Cards answer later; until then the escrow stays OPEN. [G-34] */
export const payEscrow = command({
  name: 'pay_escrow',
  batchable: true,
  load(rows, { escrowId, visibility }: EscrowInput) {
    const escrow = loadEscrow(rows, escrowId);
    if (escrow === null || !isWithin(visibility, escrow.saleTerms)) return null;
    const latest = loadLatest(rows, escrow.saleTerms);
    const payment = loadPayment(rows, invoiceOf(escrow.id, 'escrow'), escrow.allocation);
    return { escrow, latest, payment };
  },
  decide(decision, { integrator, noCharge }, loaded) {
    if (loaded === null) throw refuse(no.ESCROW_NOT_FOUND);
    const { id, saleTerms, row } = requireEscrow(loaded.escrow);
    const { latest, payment } = loaded;
    const { invoice } = payment;
    if (invoice === null) throw new EngineFault('an escrow has no invoice');
    requireLatest(saleTerms, latest, invoice.id);
    if (row.state !== 'OPEN') throw refuse(no.ESCROW_NOT_OPEN);
    if (invoice.state !== 'open') throw refuse(no.ESCROW_PAYMENT_IN_PROGRESS);
    const { standing } = submitPayment(decision, invoice, payment, hold, noCharge);
    if (standing !== 'processing') endPayment(decision, row, standing);
    const after = decision.get(escrowTable, id) ?? row;
    return {
      status: 200,
      payload: renderEscrow(after, integrator),
      record: { kind: 'escrow_payment', id, version: after.version },
    };
  },
});

/** Records an answer of the processor about one card payment of an escrow. */
export const settleEscrowPayment: Command<AttemptAnswer> = {
  name: 'settle_escrow_payment',
  batchable: true,
  highPriority: true,
  load(rows, answer) {
    const known = loadAnswer(rows, answer);
    if (known !== null) loadEscrow(rows, escrowOf(known.invoiceId));
  },
  decide(decision, answer) {
    const ended = learnPayment(decision, answer, hold);
    if (ended !== null) {
      const { row } = escrowIn(decision, escrowOf(ended.invoiceId));
      endPayment(decision, row, ended.standing);
    }
    return { status: 200, payload: null };
  },
};

function escrowOf(invoiceId: string): string {
  return invoiceOf(invoiceId, 'escrow');
}

function endPayment(decision: Decision, row: EscrowRow, standing: 'success' | 'failed'): void {
  if (standing === 'failed') {
    moveEscrow(decision, row, 'payment_failed', 'ESCROW-FAILED', {});
    return;
  }
  const seconds = row.hold_seconds - warningSeconds(row.hold_seconds);
  const due = addSeconds(decision.now, seconds);
  const course = courseOf(row);
  const planned = course && withCourse({ ...course, limit: limitOf(row, decision.now) });
  moveEscrow(decision, row, 'payment_succeeded', 'ESCROWED', planned ?? { due });
}

/** The answer of a move: the record in its new status. */
export function answerOf(decision: Decision, id: string, integrator: string) {
  const row = decision.get(escrowTable, id);
  if (row === null) throw new EngineFault('an escrow is not there');
  return {
    status: 200,
    payload: renderEscrow(row, integrator),
    record: { kind: 'escrow', id, version: row.version },
  };
}
