// Held money that goes to sellers and integrator, or back to the buyer, as a whole or in parts: the
// one place where a movement gets its invoice, its entries and its arrow. The movement that takes
// the last cent ends the escrow. [G-35, G-94]
import type { Decision, LedgerEntry } from '../../../engine/index.ts';
import { derivedUuid } from '../../../core/ids.ts';
import { systemAccount } from '../../../ledger/index.ts';
import { allocationIn, beginReturn, commitInvoice, type SaleTerms } from '../invoice/index.ts';
import { courseOf, moveEscrow, type Course, type Part } from './course.ts';
import { limitOf, withCourse } from './dates.ts';
import type { Agreed, Escrow } from './decide.ts';
import { Held } from './shares.ts';
import { invoiceOf, type EscrowRow } from './tables.ts';

/** Who moves it: somebody, a date that was planned, or the end of the holding period. */
export type Mover = 'caller' | 'date' | 'limit';

/** What is left of an escrow. */
export function heldOf({ row, saleTerms, allocation }: Escrow): Held {
  return new Held(saleTerms, allocation, courseOf(row)?.parts ?? []);
}

/** The course of an escrow; one that has none yet begins. */
export function startedCourse(decision: Decision, { row, allocation }: Escrow): Course {
  return courseOf(row) ?? {
    ...{ version: row.version, disputes: row.disputes, total: allocation.total },
    ...{ milestones: [], parts: [], outcome: 'cancel' },
    limit: limitOf(row, decision.now),
  };
}

function arrowOf(on: Part['on'], by: Mover, ends: boolean) {
  const back = on === 'return';
  if (by === 'limit') return 'expire';
  if (by === 'date') return back ? 'return_on_date' : 'release_on_date';
  if (ends) return back ? 'cancel' : 'commit';
  return back ? 'return' : 'release';
}

/** Minus the amount, out of the held money. */
function outOf(decision: Decision, currency: string, amount: number): LedgerEntry {
  return systemAccount(decision.lineage, 'escrow', currency, -BigInt(amount));
}

/** Moves a part that must not exceed what is left; the row of `escrow` is the current one. */
export function movePart(
  decision: Decision,
  escrow: Escrow,
  { on, lines, milestone }: Omit<Part, 'at'>,
  by: Mover = 'caller',
): void {
  const { id, row } = escrow;
  const held = heldOf(escrow);
  const share = held.take({ on, lines });
  const ends = held.total === 0;
  const end = on === 'return' ? 'cancel' : 'commit';
  const course = startedCourse(decision, escrow);
  const invoiceId = invoiceOf(id, ends ? end : course.parts.length);
  const part = { on, at: decision.now, lines, milestone };
  const after = withCourse({ ...course, parts: [...course.parts, part] });
  const to = ends ? (on === 'return' ? 'CANCELLED' : 'COMMITTED') : 'ESCROWED';
  moveEscrow(decision, row, arrowOf(on, by, ends), to, { ...after, ...(ends && { due: null }) });
  if (on === 'return') {
    sendBack(decision, escrow, { invoiceId, charges: share.charges, terms: share.terms });
    return;
  }
  const terms = on === 'keep' ? keptBy(share.terms, invoiceId) : share.terms;
  payOut(decision, id, terms, invoiceId);
}

/** The lines as the integrator's own, without tax: nothing of it is sold. */
function keptBy(terms: SaleTerms, invoiceId: string): SaleTerms {
  const lines = terms.lines.map((line) => ({
    ...line,
    tax: undefined,
    share: derivedUuid(`keep/${invoiceId}/${line.id}`),
    recipients: [],
  }));
  return { ...terms, lines };
}

/** Pays sellers and integrator out of the held money. */
function payOut(decision: Decision, id: string, terms: SaleTerms, invoiceId: string): void {
  const source = outOf(decision, terms.currency, terms.total);
  commitInvoice(decision, invoiceId, invoiceOf(id, 'escrow'), terms, allocationIn(terms), source);
}

interface Return {
  readonly invoiceId: string;
  /** Minor units by place of the charge. */
  readonly charges: readonly number[];
  /** The lines as far as they are returned; absent: in full. */
  readonly terms?: SaleTerms;
  /** Or only how much of each, by id. */
  readonly lines?: ReadonlyMap<string, number>;
}

/** Returns held money to the methods that paid it. */
export function sendBack(
  decision: Decision,
  { id, saleTerms, allocation }: Agreed,
  { invoiceId, charges, terms, lines }: Return,
): void {
  const parts = allocation.charges
    .map(({ id: charge, method, wallet }, at) => {
      return { charge, method, wallet, amount: charges[at] ?? 0 };
    })
    .filter(({ amount }) => amount > 0);
  const { currency } = allocation;
  beginReturn(decision, {
    id: invoiceId,
    kind: 'cancel',
    purpose: 'escrow_cancel',
    of: invoiceOf(id, 'escrow'),
    saleTerms,
    buyer: allocation.buyer,
    parts,
    ...(lines && { lines }),
    ...(terms && {
      lines: new Map(terms.lines.map((line) => [line.id, line.amount])),
      taxes: new Map(terms.lines.map((line) => [line.id, line.tax?.amount ?? 0])),
    }),
    sources: [outOf(decision, currency, parts.reduce((sum, { amount }) => sum + amount, 0))],
  });
}

/** Releases or returns all that is left. */
export function moveAll(
  decision: Decision,
  escrow: Escrow,
  on: 'release' | 'return',
  by: Mover = 'caller',
): void {
  const { row, saleTerms, allocation, id } = escrow;
  if (row.course !== null) {
    movePart(decision, escrow, { on, lines: heldOf(escrow).all() }, by);
    return;
  }
  const patch: Partial<EscrowRow> = { due: null };
  if (on === 'release') {
    moveEscrow(decision, row, arrowOf(on, by, true), 'COMMITTED', patch);
    payOut(decision, id, saleTerms, invoiceOf(id, 'commit'));
    return;
  }
  moveEscrow(decision, row, arrowOf(on, by, true), 'CANCELLED', patch);
  const charges = allocation.charges.map(({ amount }) => amount);
  sendBack(decision, escrow, { invoiceId: invoiceOf(id, 'cancel'), charges });
}
