// What code and model must agree on after every step: the state of every resource, every wallet,
// restricted funds, what the integrator may spend.
import assert from 'node:assert/strict';
import { disagreementOf, disagreementTable } from '../../src/product/money/disagreement/index.ts';
import { disputeTable } from '../../src/product/money/dispute/index.ts';
import { escrowTable } from '../../src/product/money/escrow/index.ts';
import { invoiceTable } from '../../src/product/money/invoice/index.ts';
import { attemptTable, depositTable, transferTable } from '../../src/product/money/wallet/index.ts';
import {
  refundTable,
  refundedAmountsTable,
  reversalTable,
} from '../../src/product/money/refund/tables.ts';
import { payoutTable } from '../../src/product/money/payout/index.ts';
import { reserveTable } from '../../src/product/money/reserve/index.ts';
import { instantFromMillis } from '../../src/core/time.ts';
import { balanceTable, integratorBalanceTable } from '../../src/ledger/index.ts';
import { checkEscrows } from './market-escrows.ts';
import { INTEGRATOR } from './memory-core.ts';
import type { Market } from './market.ts';
import { reserved, type Payable, type Sent } from './model.ts';

/** Fails on the first thing that differs. */
export function checkStates(market: Market): void {
  const { core, model, people } = market;
  for (const [at, { wallet, kept }] of people.entries()) {
    assert.equal(core.balanceOf(wallet), model.purse(at).spendable, `wallet ${at}`);
    const purse = model.purse(at);
    assert.equal(core.balanceOf(kept), purse.kept, `money kept back from ${at}`);
    const held = core.get(reserveTable, kept)?.held ?? 0n;
    assert.equal(held, reserved(purse), `what is in reserve of ${at}`);
    assert.equal(core.get(balanceTable, wallet)?.owes, purse.owes, `what ${at} owes`);
  }
  const held = core.get(integratorBalanceTable, INTEGRATOR)?.amount;
  assert.equal(held, model.folded, 'what the integrator may spend');
  for (const payable of model.payables) checkPayable(market, payable);
  checkEscrows(market);
  for (const { id, state, sent } of model.givings) {
    assert.equal(core.get(invoiceTable, id)?.state, state, 'an invoice that gives back');
    checkSent(market, sent);
  }
  for (const { id, state, counted } of model.refunds) {
    const row = core.get(refundTable, id);
    assert.deepEqual([row?.state, row?.counted], [state, counted], 'a refund');
  }
  for (const { id, state, secured, dispute } of model.reversals) {
    const row = core.get(reversalTable, id);
    assert.deepEqual([row?.state, row?.secured], [state, secured], 'a reversal');
    const { state: standing, due } = core.get(disputeTable, dispute.id) ?? {};
    const moment = dispute.due === null ? null : instantFromMillis(dispute.due);
    assert.deepEqual([standing, due], [dispute.state, moment], 'a dispute');
  }
  for (const { id, state, failure, due, sent } of model.payouts) {
    const row = core.get(payoutTable, id);
    const moment = due === null ? null : instantFromMillis(due);
    assert.deepEqual([row?.state, row?.failure_code, row?.due], [state, failure, moment]);
    checkSent(market, sent);
  }
}

function checkPayable({ core }: Market, payable: Payable): void {
  const { kind, id, state, failure, charges, escrow, gone } = payable;
  if (kind === 'deposit') {
    const row = core.get(depositTable, id);
    const shown = state === 'processing' ? 'requested' : state;
    assert.deepEqual([row?.state, row?.failure_code], [shown, failure], 'a deposit');
  } else {
    const row = core.get(invoiceTable, id);
    assert.deepEqual([row?.state, row?.failure_code], [state, failure], 'an invoice');
  }
  for (const { id: attempt, state: expected } of charges) {
    assert.equal(core.get(attemptTable, attempt)?.state, expected, 'a charge');
  }
  if (escrow !== null) {
    const row = core.get(escrowTable, escrow.id);
    const due = escrow.due === null ? null : instantFromMillis(escrow.due);
    const expected = [escrow.state, due, escrow.warned, escrow.timeLeft];
    const seen = [row?.state, row?.due, row?.warned, row?.time_left];
    assert.deepEqual(seen, expected, 'an escrow');
    const quarrel = core.get(disagreementTable, disagreementOf(escrow.id));
    const { state: standing, due: watched = null } = escrow.disagreement ?? {};
    const moment = watched === null ? null : instantFromMillis(watched);
    assert.deepEqual([quarrel?.state, quarrel?.due ?? null], [standing, moment], 'a disagreement');
  }
  if (gone.size === 0) return;
  const refundedAmounts = core.get(refundedAmountsTable, id);
  const sums = [...gone.values()];
  const refunded = sums.reduce((sum, one) => sum + one.refunded, 0n);
  const chargedBack = sums.reduce((sum, one) => sum + one.chargedBack, 0n);
  const seen = [refundedAmounts?.refunded ?? 0n, refundedAmounts?.charged_back ?? 0n];
  assert.deepEqual(seen, [refunded, chargedBack], 'what has gone back');
}

function checkSent({ core }: Market, sent: readonly Sent[]): void {
  for (const { id, state, target, amount } of sent) {
    const row = core.get(transferTable, id);
    assert.deepEqual([row?.state, row?.target, row?.amount], [state, target, amount], 'sent out');
  }
}
