// What a dispute of its charge does to an escrow that holds money: it is frozen until the last
// dispute has ended. The processor takes the money out of the held funds, so nobody else bears it;
// what was lost stays taken, and the rest is returned to the methods that paid it. [G-93]
import type { Decision, ReadSet } from '../../../engine/index.ts';
import type { OnOf } from '../../../core/machine.ts';
import { addSeconds, type Instant } from '../../../core/time.ts';
import { giveBackRest, load } from './cancel.ts';
import { leastAfterDispute } from './clock.ts';
import {
  courseOf,
  disputesOf,
  moveEscrow,
  stamped,
  type Disputes,
  type LineSums,
} from './course.ts';
import { nextDue, secondsBetween, shifted, withCourse } from './dates.ts';
import { escrowIn } from './decide.ts';
import type { escrowMachine } from './machine.ts';
import { heldOf, movePart } from './part.ts';
import { escrowTable, type EscrowRow } from './tables.ts';

/** Locks what a dispute of an escrow's charge needs. */
export function loadDisputed(rows: ReadSet, escrowId: string): void {
  load(rows, { escrowId });
}

function withTaken(before: Disputes, charge: string, amount: bigint): Disputes {
  const { taken } = before;
  return { ...before, taken: { ...taken, [charge]: (taken[charge] ?? 0) + Number(amount) } };
}

/**
 * Takes money of a charge out of an escrow, for the processor. Gives how much of it the escrow
 * held, in minor units; 0n where it holds nothing. With `open` the dispute goes on, and the escrow
 * is frozen until it ends.
 */
export function takeFromEscrow(
  decision: Decision,
  escrowId: string,
  { charge, amount, open }: { charge: string; amount: bigint; open: boolean },
): bigint {
  const escrow = escrowIn(decision, escrowId);
  const { row, allocation } = escrow;
  if (row.state !== 'ESCROWED') return 0n;
  const before = disputesOf(row);
  const held = heldOf(escrow).charges[allocation.charges.findIndex(({ id }) => id === charge)];
  const left = BigInt((held ?? 0) - (before.taken[charge] ?? 0));
  const taken = amount < left ? amount : left;
  const after = withTaken(before, charge, taken);
  keep(decision, row, open ? { ...after, open: after.open + 1 } : after);
  return taken;
}

/** Ends a dispute; `back` is how much of the taken amount is held again, in minor units. */
export function endDisputeOf(
  decision: Decision,
  escrowId: string,
  { charge, back }: { charge: string; back: bigint },
): void {
  const { row } = escrowIn(decision, escrowId);
  // An escrow that was committed or cancelled before its dispute was opened is not frozen.
  if (row.time_left === null) return;
  const before = withTaken(disputesOf(row), charge, -back);
  keep(decision, row, { ...before, open: before.open - 1 });
}

/** How held money is divided, by line item. */
export interface Split {
  readonly sellers: LineSums;
  readonly integrator: LineSums;
  readonly buyer: LineSums;
}

/**
 * Divides what an escrow holds that is not frozen; the sums must be all that is left of each line
 * item. The last part of it ends the escrow.
 */
export function divide(
  decision: Decision,
  escrowId: string,
  { sellers, integrator, buyer }: Split,
): void {
  const parts = [['release', sellers], ['keep', integrator], ['return', buyer]] as const;
  for (const [on, lines] of parts) {
    if (lines.length > 0) movePart(decision, escrowIn(decision, escrowId), { on, lines });
  }
}

/** Freezes an escrow that holds money, or lets it go on, for a reason that is no dispute. */
export function setDisagreement(
  decision: Decision,
  escrowId: string,
  disagreement: true | undefined,
  arrow: OnOf<typeof escrowMachine>,
): void {
  const { row } = escrowIn(decision, escrowId);
  keep(decision, row, { ...disputesOf(row), disagreement }, arrow);
}

/**
 * Writes the disputes to the row, and freezes, unfreezes or ends the escrow accordingly; `arrow` is
 * the one that freezes or unfreezes it where it is not a dispute.
 */
function keep(
  decision: Decision,
  row: EscrowRow,
  after: Disputes,
  arrow?: OnOf<typeof escrowMachine>,
): void {
  const { id, time_left } = row;
  const disputes = JSON.stringify(after);
  const frozen = time_left !== null;
  const lost = Object.values(after.taken).some((amount) => amount > 0);
  const stops = after.open > 0 || after.disagreement === true;
  const move = (on: OnOf<typeof escrowMachine>, patch: Partial<EscrowRow>): void =>
    moveEscrow(decision, row, on, 'ESCROWED', { disputes, ...patch });
  if (after.open === 0 && lost) giveBackRest(decision, escrowIn(decision, id), disputes);
  else if (stops && !frozen) move(arrow ?? 'dispute', frozenAt(row, decision.now));
  else if (!stops && frozen) move(arrow ?? 'resume', resumedAt(row, decision.now));
  else decision.update(escrowTable, id, stamped(row, { disputes }));
}

/** What freezing makes of a row: its clock stops. */
function frozenAt({ due }: EscrowRow, now: Instant): Partial<EscrowRow> {
  return { due: null, time_left: Math.max(0, secondsBetween(now, due ?? now)) };
}

/** What the end of a freeze makes of a row: all of its dates are later by the time it took. */
function resumedAt(row: EscrowRow, now: Instant): Partial<EscrowRow> {
  const { time_left, hold_seconds } = row;
  const seconds = Math.max(time_left ?? 0, leastAfterDispute(hold_seconds));
  const due = addSeconds(now, seconds);
  const course = courseOf(row);
  const next = course && nextDue(course);
  if (course === null || next === null) return { time_left: null, due };
  return { time_left: null, ...withCourse(shifted(course, secondsBetween(next.at, due))) };
}
