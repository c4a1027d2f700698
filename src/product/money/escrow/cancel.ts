// How all escrowed money goes back to the buyer: a cancel by the caller, what disputes left, and
// the refunds of a return as the processor confirms them. The escrow is CANCELLED at once; its
// cancel invoice ends when all of the money has arrived. [G-35, G-93]
import { command, type Command, type Decision, type ReadSet } from '../../../engine/index.ts';
import { allocate } from '../../../core/money.ts';
import { balanceTable } from '../../../ledger/index.ts';
import { learnReturn, loadReturn } from '../invoice/index.ts';
import type { TransferAnswer } from '../wallet/index.ts';
import { courseOf, disputesOf, moveEscrow } from './course.ts';
import { withCourse } from './dates.ts';
import {
  answerOf,
  requireEscrow,
  requireHeld,
  loadEscrow,
  type Escrow,
  type EscrowInput,
} from './decide.ts';
import { heldOf, moveAll, sendBack } from './part.ts';
import { invoiceOf } from './tables.ts';

/** Locks the escrow and the wallets that it was paid from. */
export function load(rows: ReadSet, { escrowId }: Pick<EscrowInput, 'escrowId'>) {
  const escrow = loadEscrow(rows, escrowId);
  for (const { wallet } of escrow?.allocation.charges ?? []) {
    if (wallet !== '') rows.lock(balanceTable, wallet);
  }
  return escrow;
}

/**
 * Ends an escrow that lost money to disputes: returns what is left of each charge. `disputes` is
 * the row's new one. [G-93]
 */
export function giveBackRest(decision: Decision, escrow: Escrow, disputes: string): void {
  const { id, row, saleTerms } = escrow;
  const { taken } = disputesOf({ disputes });
  const held = heldOf(escrow);
  const charges = escrow.allocation.charges.map((charge, at) => {
    return Math.max(0, (held.charges[at] ?? 0) - (taken[charge.id] ?? 0));
  });
  const rest = charges.reduce((sum, amount) => sum + amount, 0);
  // Shared among the line items in proportion to what is left of them.
  const shares = allocate(BigInt(rest), held.lines.map(BigInt)).map(Number);
  const lines = shares.flatMap((amount, at) => (amount > 0 ? [[at, amount] as const] : []));
  const course = courseOf(row);
  const part = { on: 'return', at: decision.now, lines } as const;
  const after = course && withCourse({ ...course, parts: [...course.parts, part] });
  const ended = { ...after, disputes, due: null, time_left: null };
  moveEscrow(decision, row, 'charged_back', 'CANCELLED', ended);
  const byId = new Map(saleTerms.lines.map((line, at) => [line.id, shares[at] ?? 0]));
  sendBack(decision, escrow, { invoiceId: invoiceOf(id, 'cancel'), charges, lines: byId });
}

/** Refunds the buyer in full. [seed: POST /v2/escrow/{escrow_id}/cancel] */
export const cancelEscrow = command({
  name: 'cancel_escrow',
  batchable: true,
  highPriority: true,
  load,
  decide(decision, { integrator }: EscrowInput, loaded) {
    const escrow = requireEscrow(loaded);
    requireHeld(escrow.row);
    moveAll(decision, escrow, 'return');
    return answerOf(decision, escrow.id, integrator);
  },
});

/** Records an answer about one refund of a cancel; a refused one goes to manual review. [M12] */
export const settleEscrowCancel: Command<TransferAnswer> = {
  name: 'settle_escrow_cancel',
  batchable: true,
  highPriority: true,
  load: (rows, answer) => void loadReturn(rows, answer),
  decide(decision, answer) {
    learnReturn(decision, answer, true);
    return { status: 200, payload: null };
  },
};
