// Escrows in parts in the model: what is left of each line item and charge, the dates, and what the
// clock does with them. [G-94, G-95]
import { allocate } from '../../src/core/money.ts';
import { invoiceOf } from '../../src/product/money/escrow/index.ts';
import { giveBack } from './model-returns.ts';
import {
  warning,
  WEEK,
  type Escrow,
  type Model,
  type Payable,
} from './model.ts';

/** A moment at which the clock acts. Milliseconds after 1970. */
export interface Moment {
  at: number;
  readonly since: number;
  warned: boolean;
}

/** What of an escrow goes when; minor units by line item and piece, and by charge. */
export interface Course {
  readonly lines: bigint[][];
  readonly charges: bigint[];
  readonly paid: bigint[][];
  readonly paidCharges: bigint[];
  parts: number;
  readonly milestones: {
    readonly name: string;
    readonly lines: readonly (readonly [number, bigint])[];
    date: Moment | null;
    done: boolean;
  }[];
  /** Milestones that the tenant said were delivered; '' for all of it. */
  readonly delivered: string[];
  release: Moment | null;
  back: Moment | null;
  limit: Moment | null;
  readonly outcome: 'cancel' | 'commit';
}

/** Something held, or that was. */
export interface Held extends Payable {
  readonly escrow: Escrow;
}

type Sums = readonly (readonly [number, bigint])[];

export const sum = (all: readonly bigint[]): bigint => all.reduce((one, other) => one + other, 0n);

/** Tax, the integrator's share, then each recipient and their fee. */
function piecesOf({ tax, own, to }: Payable['lines'][number]): bigint[] {
  return [tax, own, ...to.flatMap(({ amount, fee }) => [amount, fee])];
}

/** A course without dates, of which nothing has gone. */
export function emptyCourse(of: Pick<Payable, 'lines' | 'parts'>): Course {
  const lines = of.lines.map(piecesOf);
  return {
    ...{ lines, charges: of.parts.map(({ amount }) => amount), parts: 0 },
    paid: lines.map((line) => line.map(() => 0n)),
    paidCharges: of.parts.map(() => 0n),
    ...{ delivered: [], milestones: [], release: null, back: null, limit: null, outcome: 'cancel' },
  };
}

/** The course of an escrow that holds money; it begins where there is none. */
export function courseIn(held: Held): Course {
  const { escrow } = held;
  if (escrow.course !== null) return escrow.course;
  const { due, warned, holdSeconds } = escrow;
  const at = (due ?? 0) + (warned ? 0 : warning(escrow) * 1_000);
  const limit = { at, since: at - holdSeconds * 1_000, warned };
  return (escrow.course = { ...emptyCourse(held), limit });
}

/** What is left of each line item. */
export function leftOf({ escrow, lines }: Held): bigint[] {
  return escrow.course === null ? lines.map(({ amount }) => amount) : escrow.course.lines.map(sum);
}

/** Moves a part that fits. */
export function movePart(
  model: Model,
  held: Held,
  on: 'release' | 'keep' | 'return',
  lines: Sums,
): void {
  const { escrow } = held;
  const course = courseIn(held);
  const asked = new Map(lines);
  const taken = course.lines.map((line, at) => allocate(asked.get(at) ?? 0n, line));
  const amount = sum([...asked.values()]);
  const charges = allocate(amount, course.charges);
  take(course.lines, taken);
  for (const [at, one] of charges.entries()) course.charges[at]! -= one;
  const ends = course.lines.every((line) => sum(line) === 0n);
  const end = on === 'return' ? 'cancel' : 'commit';
  const id = invoiceOf(escrow.id, ends ? end : course.parts);
  course.parts += 1;
  if (ends) escrow.state = on === 'return' ? 'CANCELLED' : 'COMMITTED';
  escrow.due = ends ? null : dueOf(course);
  model.announce(ends ? 'escrow-transaction-update' : 'escrow-part-moved', escrow.id);
  model.systemAccounts.escrow -= amount;
  if (on === 'return') {
    const parts = held.parts.map((part, at) => ({ part, amount: charges[at] ?? 0n }));
    giveBack(model, id, held, parts.filter((one) => one.amount > 0n), null);
    return;
  }
  if (on === 'keep') {
    model.announce('invoice-completed', id);
    model.paySellers({ ...held, credits: [], integrator: amount, lines: [] });
    return;
  }
  take(course.paid, taken.map((line) => line.map((one) => -one)));
  for (const [at, one] of charges.entries()) course.paidCharges[at]! += one;
  model.announce('invoice-completed', id);
  model.paySellers({ ...held, ...soldAs(held, taken) });
}

function take(from: bigint[][], taken: readonly (readonly bigint[])[]): void {
  for (const [at, line] of taken.entries()) {
    for (const [n, one] of line.entries()) from[at]![n]! -= one;
  }
}

/** Who gets what of these pieces. */
function soldAs({ lines }: Payable, pieces: readonly (readonly bigint[])[]) {
  const credits = lines.flatMap(({ to }, at) => to.map(({ seller }, n) => {
    return { seller, amount: pieces[at]?.[2 + 2 * n] ?? 0n };
  }));
  const fees = lines.flatMap(({ to }, at) => to.map((_, n) => pieces[at]?.[3 + 2 * n] ?? 0n));
  const integrator = sum(fees) + sum(pieces.map(([, own = 0n]) => own));
  const sold = lines.map((line, at) => {
    return { ...line, amount: sum(pieces[at] ?? []), tax: pieces[at]?.[0] ?? 0n };
  });
  const total = sum(sold.map(({ amount }) => amount));
  return { credits: credits.filter(({ amount }) => amount > 0n), integrator, lines: sold, total };
}

/**
 * The sale as far as it was released, or null. `taken`: what disputes took of a part, by its
 * attempt.
 */
export function released(of: Payable, taken: (attempt: string) => bigint): Payable | null {
  const { escrow } = of;
  if (escrow === null) return of;
  if (escrow.course === null) return escrow.state === 'COMMITTED' ? of : null;
  const { paid, paidCharges } = escrow.course;
  const sold = soldAs(of, paid);
  const parts = of.parts.map((part, at) => {
    return { ...part, amount: (paidCharges[at] ?? 0n) + taken(part.attempt) };
  });
  return sold.total === 0n ? null : { ...of, ...sold, parts };
}

/** All that is left goes. */
export function moveAll(model: Model, held: Held, on: 'release' | 'return'): void {
  const lines = leftOf(held).flatMap((left, at) => (left > 0n ? [[at, left] as const] : []));
  movePart(model, held, on, lines);
}

/** When a date is warned of, or has come. */
function turnOf({ at, since, warned }: Moment): number {
  const seconds = Math.max(0, Math.floor((at - since) / 1_000));
  return warned ? at : at - Math.min(WEEK, Math.floor(seconds / 2)) * 1_000;
}

/** Dates that are still to come, in the order of those that come at one moment. */
export function momentsOf({ milestones, release, back, limit }: Course): Moment[] {
  const open = milestones.map(({ date, done }) => (done ? null : date));
  return [...open, release, back, limit].filter((one) => one !== null);
}

export function dueOf(course: Course): number | null {
  const turns = momentsOf(course).map(turnOf);
  return turns.length === 0 ? null : Math.min(...turns);
}

/** Does what is next in a course whose time has come. */
export function follow(model: Model, held: Held): void {
  const { escrow } = held;
  const course = courseIn(held);
  const next = momentsOf(course).find((one) => turnOf(one) === escrow.due) as Moment;
  const isLimit = next === course.limit;
  if (!next.warned) {
    next.warned = true;
    if (isLimit) escrow.warned = true;
    escrow.due = dueOf(course);
    model.announce(isLimit ? 'escrow-expiring' : 'escrow-date-near', escrow.id);
    return;
  }
  const milestone = course.milestones.find(({ date }) => date === next);
  if (milestone === undefined) {
    const release = isLimit ? course.outcome === 'commit' : next === course.release;
    moveAll(model, held, release ? 'release' : 'return');
    return;
  }
  const lines = within(held, milestone.lines);
  if (lines.length === 0) {
    milestone.date = null;
    escrow.due = dueOf(course);
    return;
  }
  milestone.done = true;
  movePart(model, held, 'release', lines);
}

/** As much as is left. */
export function within(held: Held, lines: Sums): Sums {
  const left = leftOf(held);
  return lines
    .map(([at, amount]) => [at, amount < left[at]! ? amount : left[at]!] as const)
    .filter(([, amount]) => amount > 0n);
}
