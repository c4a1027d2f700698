// What a dispute of its charge does to an escrow that holds money: it is frozen until the last
// dispute has ended. The processor takes the money out of the held funds, so nobody else bears it;
// what was lost stays taken, and the rest is returned to the methods that paid it. [G-93]
import type { Decision, ReadSet } from '../../../engine/index.ts';
import { addSeconds, millisOf } from '../../../core/time.ts';
import { giveBack, load } from './cancel.ts';
import { leastAfterDispute } from './clock.ts';
import { escrowIn } from './decide.ts';
import { escrowMachine } from './machine.ts';
import { escrowTable, type EscrowRow } from './tables.ts';

interface Disputes {
  /** Disputes that have not ended. */
  readonly open: number;
  /** Minor units by charge that are no longer held. */
  readonly taken: Readonly<Record<string, number>>;
}

/** Locks what a dispute of an escrow's charge needs. */
export function loadDisputed(rows: ReadSet, escrowId: string): void {
  load(rows, { escrowId });
}

function disputesOf({ disputes }: EscrowRow): Disputes {
  return disputes === null ? { open: 0, taken: {} } : (JSON.parse(disputes) as Disputes);
}

function withTaken({ open, taken }: Disputes, charge: string, amount: bigint): Disputes {
  return { open, taken: { ...taken, [charge]: (taken[charge] ?? 0) + Number(amount) } };
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
  const charged = allocation.charges.find((one) => one.id === charge)?.amount ?? 0;
  const left = BigInt(charged - (before.taken[charge] ?? 0));
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

/** Writes the disputes to the row, and freezes, unfreezes or ends the escrow accordingly. */
function keep(decision: Decision, row: EscrowRow, after: Disputes): void {
  const { id, time_left, due, hold_seconds } = row;
  const disputes = JSON.stringify(after);
  const frozen = time_left !== null;
  const lost = Object.values(after.taken).some((amount) => amount > 0);
  const move = (on: 'dispute' | 'resume', patch: Partial<EscrowRow>): void =>
    void decision.move(escrowMachine, escrowTable, id, on, 'ESCROWED', patch);
  if (after.open > 0 && !frozen) {
    const seconds = Math.floor((millisOf(due ?? decision.now) - millisOf(decision.now)) / 1_000);
    move('dispute', { disputes, due: null, time_left: Math.max(0, seconds) });
  } else if (after.open === 0 && lost) {
    const end = { on: 'charged_back' as const, disputes, taken: after.taken };
    giveBack(decision, escrowIn(decision, id), end);
  } else if (after.open === 0 && frozen) {
    const seconds = Math.max(time_left, leastAfterDispute(hold_seconds));
    move('resume', { disputes, time_left: null, due: addSeconds(decision.now, seconds) });
  } else decision.update(escrowTable, id, { disputes });
}
