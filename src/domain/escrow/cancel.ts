// The way back: a cancel by the caller, the end that the clock makes, and the refunds of a cancel
// as the processor confirms them. The escrow is CANCELLED at once; its cancel invoice is done when
// all of the money has arrived. [G-35, G-42]
import type { Command, Decision } from '../../engine/index.ts';
import { refuse } from '../../kernel/refusal.ts';
import { addSeconds } from '../../kernel/time.ts';
import { balanceTable, house } from '../../ledger/index.ts';
import { beginReturn, learnReturn, wantReturn } from '../invoice/index.ts';
import type { RemittanceAnswer } from '../wallet/index.ts';
import { warningSeconds } from './clock.ts';
import {
  answerOf,
  escrowIn,
  moveEscrow,
  wantEscrow,
  type Agreed,
  type EscrowInput,
} from './decide.ts';
import { refusals as no } from './refusals.ts';
import { invoiceOf } from './tables.ts';

const needs: Command<Pick<EscrowInput, 'escrowId'>>['needs'] = (want, { escrowId }) => {
  for (const { wallet } of wantEscrow(want, escrowId)?.plan.charges ?? []) {
    if (wallet !== '') want.lock(balanceTable, wallet);
  }
};

/** Gives the whole charge back to the methods it came from. */
function giveBack(decision: Decision, { id, agreement, plan }: Agreed, on: string): void {
  moveEscrow(decision, id, on, 'CANCELLED', { due: null });
  beginReturn(decision, {
    id: invoiceOf(id, 'cancel'),
    kind: 'cancel',
    purpose: 'escrow_cancel',
    of: invoiceOf(id, 'escrow'),
    agreement,
    buyer: plan.buyer,
    parts: plan.charges.map(({ id: charge, method, wallet, amount }) => {
      return { charge, method, wallet, amount };
    }),
    source: house(decision.line, 'escrow', plan.currency, -BigInt(plan.total)),
  });
}

/** Refunds the buyer in full. [seed: POST /v2/escrow/{escrow_id}/cancel] */
export const cancelEscrow: Command<EscrowInput> = {
  name: 'cancel_escrow',
  batchable: true,
  critical: true,
  needs,
  decide(decision, { escrowId, integrator }) {
    const escrow = escrowIn(decision, escrowId);
    if (escrow.row.state !== 'ESCROWED') throw refuse(no.ESCROW_NOT_ESCROWED);
    giveBack(decision, escrow, 'cancel');
    return answerOf(decision, escrow.id, integrator);
  },
};

/** What the clock does with an escrow that is due: warns once, then ends it. [G-42] */
export const endOverdueEscrow: Command<{ readonly escrowId: string }> = {
  name: 'end_overdue_escrow',
  batchable: false,
  needs,
  decide(decision, { escrowId }) {
    const escrow = escrowIn(decision, escrowId);
    const { id, due, warned, hold_seconds } = escrow.row;
    const nothing = { status: 200, payload: null };
    if (due === null || due > decision.now) return nothing;
    if (warned) {
      giveBack(decision, escrow, 'expire');
      return nothing;
    }
    const next = addSeconds(decision.now, warningSeconds(hold_seconds));
    moveEscrow(decision, id, 'warn', 'ESCROWED', { warned: true, due: next }, 'escrow-expiring');
    return nothing;
  },
};

/** Learns an answer about one refund of a cancel; one that is refused waits for a person. [M12] */
export const settleEscrowCancel: Command<RemittanceAnswer> = {
  name: 'settle_escrow_cancel',
  batchable: true,
  critical: true,
  needs: (want, answer) => void wantReturn(want, answer),
  decide(decision, answer) {
    learnReturn(decision, answer, true);
    return { status: 200, payload: null };
  },
};
