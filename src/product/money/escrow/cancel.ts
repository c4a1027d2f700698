// How escrowed money goes back to the buyer: a cancel by the caller, the end of the holding limit,
// and the refunds of a cancel as the processor confirms them. The escrow is CANCELLED at once; its
// cancel invoice ends when all of the money has arrived. [G-35, G-42]
import { command, type Command, type Decision, type ReadSet } from '../../../engine/index.ts';
import { allocate } from '../../../core/money.ts';
import { addSeconds } from '../../../core/time.ts';
import { balanceTable, systemAccount } from '../../../ledger/index.ts';
import { beginReturn, learnReturn, loadReturn } from '../invoice/index.ts';
import type { TransferAnswer } from '../wallet/index.ts';
import { warningSeconds } from './clock.ts';
import {
  answerOf,
  requireEscrow,
  requireHeld,
  loadEscrow,
  type Agreed,
  type EscrowInput,
} from './decide.ts';
import { escrowMachine } from './machine.ts';
import { escrowTable, invoiceOf } from './tables.ts';

/** Locks the escrow and the wallets that it was paid from. */
export function load(rows: ReadSet, { escrowId }: Pick<EscrowInput, 'escrowId'>) {
  const escrow = loadEscrow(rows, escrowId);
  for (const { wallet } of escrow?.allocation.charges ?? []) {
    if (wallet !== '') rows.lock(balanceTable, wallet);
  }
  return escrow;
}

interface Ending {
  readonly on: 'cancel' | 'expire' | 'charged_back';
  /** The row's new `disputes`, where a dispute has just changed them. */
  readonly disputes?: string;
  /** Minor units by charge that disputes took; they are no longer held. */
  readonly taken?: Readonly<Record<string, number>>;
}

/** Returns the charge to the methods it came from, less what disputes took. */
export function giveBack(
  decision: Decision,
  { id, saleTerms, allocation }: Agreed,
  { on, taken = {}, ...patch }: Ending,
): void {
  const ended = { ...patch, due: null, time_left: null };
  decision.move(escrowMachine, escrowTable, id, on, 'CANCELLED', ended);
  const parts = allocation.charges
    .map(({ id: charge, method, wallet, amount }) => {
      return { charge, method, wallet, amount: amount - (taken[charge] ?? 0) };
    })
    .filter(({ amount }) => amount > 0);
  const rest = parts.reduce((sum, { amount }) => sum + amount, 0);
  beginReturn(decision, {
    id: invoiceOf(id, 'cancel'),
    kind: 'cancel',
    purpose: 'escrow_cancel',
    of: invoiceOf(id, 'escrow'),
    saleTerms,
    buyer: allocation.buyer,
    parts,
    ...(rest < allocation.total && { lines: shared(rest, saleTerms) }),
    sources: [systemAccount(decision.lineage, 'escrow', allocation.currency, -BigInt(rest))],
  });
}

/** Shares the amount to return among the line items in proportion to their amounts. */
function shared(rest: number, { lines }: Agreed['saleTerms']): ReadonlyMap<string, number> {
  const shares = allocate(BigInt(rest), lines.map(({ amount }) => BigInt(amount)));
  return new Map(lines.map(({ id }, at) => [id, Number(shares[at] ?? 0n)]));
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
    giveBack(decision, escrow, { on: 'cancel' });
    return answerOf(decision, escrow.id, integrator);
  },
});

/** The clock's command for an escrow that is due: warns first, later ends it. [G-42] */
export const endOverdueEscrow = command({
  name: 'end_overdue_escrow',
  batchable: false,
  load,
  decide(decision, _: { readonly escrowId: string }, loaded) {
    const escrow = requireEscrow(loaded);
    const { id, due, warned, hold_seconds } = escrow.row;
    const nothing = { status: 200, payload: null };
    if (due === null || due > decision.now) return nothing;
    if (warned) {
      giveBack(decision, escrow, { on: 'expire' });
      return nothing;
    }
    const next = addSeconds(decision.now, warningSeconds(hold_seconds));
    const patch = { warned: true, due: next };
    decision.move(escrowMachine, escrowTable, id, 'warn', 'ESCROWED', patch);
    return nothing;
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
