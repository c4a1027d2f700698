// What callers do with parts and dates of escrows, each with its expected result. [G-94, G-95]
import {
  deliverEscrow,
  invoiceOf,
  releaseEscrow,
  returnEscrow,
  scheduleEscrow,
} from '../../src/product/money/escrow/index.ts';
import type { Wish } from '../../src/product/money/escrow/release.ts';
import { aim, heldIn, isHeld } from './acts-sales.ts';
import type { Act } from './market.ts';
import { freshId } from './market-people.ts';
import { submit } from './memory-core.ts';
import { changeOf, rescheduled } from './model-plans.ts';
import {
  courseIn,
  dueOf,
  leftOf,
  moveAll,
  movePart,
  sum,
  within,
  type Held,
} from './model-parts.ts';
import { cancel } from './model-returns.ts';
import { done, refused, type Expected, type Model } from './model.ts';
import type { Rng } from './rng.ts';

/** Why held money cannot move at all. */
function shut({ escrow }: Held): Expected | null {
  if (escrow.state !== 'ESCROWED') return refused('ESCROW_NOT_ESCROWED');
  return escrow.timeLeft === null ? null : refused('ESCROW_DISPUTED');
}

function wishOf(rng: Rng, held: Held, on: 'release' | 'return'): Wish {
  const milestones = held.escrow.course?.milestones ?? [];
  if (on === 'release' && (rng.once(20) || (milestones.length > 0 && rng.once(2)))) {
    return { milestone: rng.once(12) || milestones.length === 0
      ? 'none' : rng.of(milestones).name };
  }
  const left = leftOf(held);
  const count = rng.once(2) ? 1 : left.length;
  const line_items = Array.from({ length: count }, (_, n) => {
    const at = rng.once(12) ? 0 : (n + (count === 1 ? rng.below(left.length) : 0)) % left.length;
    const most = Number(left[at] ?? 0n);
    const amount = rng.once(12) ? most + 1 : 1 + rng.below(Math.max(1, most));
    const line_item_id = rng.once(20) ? freshId() : (held.lines[at]?.id ?? '');
    return { line_item_id, ...(rng.once(2) ? {} : { amount }) };
  });
  return { line_items };
}

type Lines = readonly (readonly [number, bigint])[];

/** The lines of a wish, or why it is refused. */
function linesOf(held: Held, wish: Wish): Lines | string {
  if ('milestone' in wish) {
    const found = held.escrow.course?.milestones.find(({ name }) => name === wish.milestone);
    if (found === undefined) return 'ESCROW_MILESTONE_NOT_FOUND';
    if (found.done) return 'ESCROW_MILESTONE_RELEASED';
    const lines = within(held, found.lines);
    return lines.length === 0 ? 'ESCROW_PART_TOO_LARGE' : lines;
  }
  const left = leftOf(held);
  const lines = new Map<number, bigint>();
  for (const { line_item_id, amount } of wish.line_items) {
    const at = held.lines.findIndex(({ id }) => id === line_item_id);
    if (at < 0) return 'ESCROW_LINE_NOT_FOUND';
    if (lines.has(at)) return 'ESCROW_LINE_REPEATED';
    const asked = amount === undefined ? (left[at] ?? 0n) : BigInt(amount);
    if (asked > (left[at] ?? 0n) || asked === 0n) return 'ESCROW_PART_TOO_LARGE';
    lines.set(at, asked);
  }
  return [...lines];
}

function move(model: Model, held: Held, on: 'release' | 'return', wish: Wish): Expected {
  const no = shut(held);
  if (no !== null) return no;
  const lines = linesOf(held, wish);
  if (typeof lines === 'string') return refused(lines);
  const { escrow } = held;
  if (escrow.course === null && sum(lines.map(([, one]) => one)) === held.total) {
    if (on === 'return') cancel(model, escrow, held, invoiceOf(escrow.id, 'cancel'));
    else {
      moveAll(model, held, on);
      escrow.course = null;
    }
    return done;
  }
  if ('milestone' in wish) {
    const found = escrow.course?.milestones.find(({ name }) => name === wish.milestone);
    if (found !== undefined) found.done = true;
  }
  movePart(model, held, on, lines);
  return done;
}

function moving(name: string, on: 'release' | 'return', weight: number): Act {
  const command = on === 'release' ? releaseEscrow : returnEscrow;
  return {
    name,
    weight,
    act({ model }, rng) {
      const held = rng.mostly(heldIn(model), isHeld);
      if (held === null) return null;
      const wish = wishOf(rng, held, on);
      const { id, workspace, lost } = aim(rng, held.escrow.id);
      const input = { escrowId: id, integrator: 'laws', wish };
      const expect = (): Expected => {
        return lost ? refused('ESCROW_NOT_FOUND') : move(model, held, on, wish);
      };
      return { ...submit(command, input, workspace), expect };
    },
  };
}

const schedule: Act = {
  name: 'change dates of an escrow',
  weight: 4,
  act({ model, core }, rng) {
    const held = rng.mostly(heldIn(model), isHeld);
    if (held === null) return null;
    const wish = changeOf(rng, held, core.now);
    const { id, workspace, lost } = aim(rng, held.escrow.id);
    const expect = (): Expected => {
      if (lost) return refused('ESCROW_NOT_FOUND');
      const no = shut(held);
      if (no !== null) return no;
      const code = rescheduled(model, wish, held);
      return code === null ? done : refused(code);
    };
    const input = { escrowId: id, integrator: 'laws', wish };
    return { ...submit(scheduleEscrow, input, workspace), expect };
  },
};

function delivered(model: Model, held: Held, milestone: string | undefined): Expected {
  const no = shut(held);
  if (no !== null) return no;
  const { escrow } = held;
  const known = escrow.course?.milestones.find(({ name }) => name === milestone);
  if (milestone !== undefined) {
    if (known === undefined) return refused('ESCROW_MILESTONE_NOT_FOUND');
    if (known.done) return refused('ESCROW_MILESTONE_RELEASED');
  }
  const said = milestone ?? '';
  if (escrow.course?.delivered.includes(said)) return refused('ESCROW_DELIVERED');
  const course = courseIn(held);
  course.delivered.push(said);
  escrow.due = dueOf(course);
  model.announce('escrow-delivered', escrow.id);
  return done;
}

const deliver: Act = {
  name: 'say that something was delivered',
  weight: 3,
  act({ model }, rng) {
    const held = rng.mostly(heldIn(model), isHeld);
    if (held === null) return null;
    const milestones = held.escrow.course?.milestones ?? [];
    const named = milestones.length > 0 && rng.once(2) ? rng.of(milestones).name : undefined;
    const milestone = rng.once(20) ? 'none' : named;
    const { id, workspace, lost } = aim(rng, held.escrow.id);
    const expect = (): Expected =>
      lost ? refused('ESCROW_NOT_FOUND') : delivered(model, held, milestone);
    const input = { escrowId: id, integrator: 'laws', milestone, seller: null };
    return { ...submit(deliverEscrow, input, workspace), expect };
  },
};

export const partActs = [
  deliver,
  moving('release a part', 'release', 6),
  moving('return a part', 'return', 5),
  schedule,
];
