// Charges that banks take back, in the model: an escrow that still holds the money bears it and is
// frozen until the dispute ends; else the integrator bears it. [M15, G-93]
import { invoiceOf } from '../../src/product/money/escrow/index.ts';
import { closeWith } from './model-disagreements.ts';
import { dueOf, momentsOf, released } from './model-parts.ts';
import { cancel, goneOf, takenOf } from './model-returns.ts';
import {
  done,
  nothing,
  takeReserved,
  type Dispute,
  type Expected,
  type Model,
  type Payable,
  type Reversal,
} from './model.ts';

const DAY = 86_400;
const OPEN: readonly string[] = ['needs_response', 'under_review'];

export function isOpen({ state }: Dispute): boolean {
  return OPEN.includes(state);
}

function countBack({ charge }: Reversal, amount: bigint): void {
  const { of } = charge;
  const part = of.parts.find(({ attempt }) => attempt === charge.id);
  if (part !== undefined && of.kind !== 'deposit') goneOf(of, part).chargedBack += amount;
}

/** A bank takes a charge back: out of the escrow, or as a debt, borne as soon as it can be. */
export function open(model: Model, reversal: Reversal): Expected {
  if (model.reversals.some(({ reference }) => reference === reversal.reference)) return nothing;
  const { amount, charge, dispute } = reversal;
  const { of } = charge;
  if (of.escrow?.state === 'ESCROWED') {
    const at = of.parts.findIndex(({ attempt }) => attempt === charge.id);
    const left = (of.escrow.course?.charges[at] ?? charge.amount) - takenOf(model, charge.id);
    reversal.secured = amount < left ? amount : left;
    dispute.froze = isOpen(dispute);
  }
  model.reversals.push(reversal);
  const { secured } = reversal;
  model.systemAccounts.processor_clearing += amount;
  model.systemAccounts.escrow -= secured;
  model.systemAccounts.reversals -= amount - secured;
  countBack(reversal, amount);
  if (secured === amount) reversal.state = 'escrowed';
  else if (model.folded >= amount - secured) cover(model, reversal);
  model.announce('dispute-created', dispute.id);
  dispute.due = isOpen(dispute) ? warningAt(model, dispute) : null;
  follow(model, of);
  if (dispute.state === 'returned') bear(model, reversal);
  return done;
}

/** What its disputes and a disagreement make of an escrow. */
export function follow(model: Model, of: Payable): void {
  const { escrow } = of;
  if (escrow?.state !== 'ESCROWED') return;
  const all = model.reversals.filter(({ charge }) => charge.of === of);
  const freeze = (): void => {
    if (escrow.due === null) return;
    escrow.timeLeft = Math.max(0, Math.floor((escrow.due - model.now) / 1_000));
    escrow.due = null;
  };
  if (all.some(({ dispute }) => dispute.froze && isOpen(dispute))) freeze();
  else if (of.parts.some(({ attempt }) => takenOf(model, attempt) > 0n)) {
    const id = invoiceOf(escrow.id, 'cancel');
    cancel(model, escrow, of, id, ({ attempt }) => takenOf(model, attempt));
    closeWith(model, escrow);
  } else if (escrow.disagreement?.state === 'open') freeze();
  else if (escrow.timeLeft !== null) {
    const least = Math.min(DAY, Math.floor(escrow.holdSeconds / 2));
    const due = model.now + Math.max(escrow.timeLeft, least) * 1_000;
    const { course } = escrow;
    escrow.due = due;
    if (course !== null) {
      const later = Math.floor((due - (dueOf(course) ?? due)) / 1_000) * 1_000;
      for (const one of momentsOf(course)) one.at += later;
      escrow.due = dueOf(course);
    }
    escrow.timeLeft = null;
  }
}

/** The processor tells how a dispute goes on; `fits`: about the amount that was disputed. */
export function change(
  model: Model,
  reversal: Reversal,
  to: 'under_review' | 'won' | 'lost' | 'withdrawn',
  fits: boolean,
): Expected {
  const { dispute } = reversal;
  if (!fits) return { is: 'nothing', payload: false };
  if (to === 'under_review') {
    if (dispute.state !== 'needs_response') {
      return { is: 'nothing', payload: dispute.state !== 'returned' };
    }
    dispute.state = to;
    dispute.due = null;
    model.announce('dispute-updated', dispute.id);
    return { is: 'done', payload: true };
  }
  if (!isOpen(dispute)) return { is: 'nothing', payload: dispute.state === to };
  if (to !== 'lost') restore(model, reversal);
  dispute.state = to;
  dispute.due = null;
  model.announce('dispute-closed', dispute.id);
  follow(model, reversal.charge.of);
  if (to === 'lost') bear(model, reversal);
  return { is: 'done', payload: true };
}

/** The clock warns three days before the deadline, or at half of a shorter time. */
function warningAt({ now }: Model, { dueBy }: Dispute): number | null {
  if (dueBy === null) return null;
  const left = Math.max(0, Math.floor((dueBy - now) / 1_000));
  return dueBy - Math.min(3 * DAY, Math.floor(left / 2)) * 1_000;
}

/** Sellers who were paid bear their share: out of the reserve, and where they must, as a debt. */
function bear(model: Model, { charge, amount, secured, dispute }: Reversal): void {
  const { of } = charge;
  if (of.state !== 'success' || of.kind === 'deposit') return;
  const sold = released(of, (attempt) => takenOf(model, attempt));
  if (sold === null) return;
  const loss = amount - secured + dispute.fee;
  const sellers = new Map<number, bigint>();
  for (const { seller, amount: paid } of sold.credits) {
    sellers.set(seller, (sellers.get(seller) ?? 0n) + paid);
  }
  for (const [seller, paid] of sellers) {
    const purse = model.purse(seller);
    const share = (loss * paid) / sold.total;
    const covered = takeReserved(purse, share);
    model.systemAccounts.integrator_share += covered;
    if (dispute.bearer === 'seller') purse.owes += share - covered;
  }
}

/** Why evidence is refused now, or null. */
export function evidenceShut({ now }: Model, dispute: Dispute): string | null {
  const { state, dueBy, answers } = dispute;
  if (state !== 'needs_response') return 'DISPUTE_NOT_OPEN';
  if (dueBy === null || dueBy < now) return 'DISPUTE_OVERDUE';
  return answered({ answers }) ? 'DISPUTE_ALREADY_ANSWERED' : null;
}

function answered({ answers }: Pick<Dispute, 'answers'>): boolean {
  return answers.some(({ state }) => state !== 'declined');
}

/** The clock looks at a dispute. */
export function watch(model: Model, dispute: Dispute): Expected {
  const { due, dueBy, id } = dispute;
  if (due === null || dueBy === null || due > model.now) return nothing;
  const passed = dueBy <= model.now;
  dispute.due = passed ? null : dueBy;
  if (!passed && !answered(dispute)) model.announce('dispute-response-due', id);
  return done;
}

function restore(model: Model, reversal: Reversal): void {
  const { amount, secured, state } = reversal;
  model.systemAccounts.processor_clearing -= amount;
  model.systemAccounts.escrow += secured;
  model.systemAccounts[state === 'covered' ? 'integrator_share' : 'reversals'] += amount - secured;
  countBack(reversal, -amount);
  reversal.state = 'given_back';
}

/** The integrator bears what no escrow held, once it has enough. */
export function cover(model: Model, reversal: Reversal): Expected {
  const amount = reversal.amount - reversal.secured;
  if (reversal.state !== 'received') return { is: 'nothing', payload: true };
  if (model.folded < amount) return { is: 'nothing', payload: false };
  reversal.state = 'covered';
  model.folded -= amount;
  model.systemAccounts.integrator_share -= amount;
  model.systemAccounts.reversals += amount;
  return done;
}
