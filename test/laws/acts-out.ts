// How money leaves: refunds requested, funded and withdrawn, chargebacks covered, payouts
// requested, executed, cancelled and moved by the clock.
import {
  advancePayout,
  cancelPayout,
  executePayout,
  requestPayout,
} from '../../src/product/money/payout/index.ts';
import {
  fundRefund,
  requestRefund,
  withdrawRefund,
} from '../../src/product/money/refund/decide.ts';
import { coverReversal } from '../../src/product/money/refund/reversal.ts';
import type { Command } from '../../src/engine/index.ts';
import { aim } from './acts-sales.ts';
import type { Act, Move } from './market.ts';
import { freshId, type Person } from './market-people.ts';
import { amountOf } from './market-sales.ts';
import { CURRENCY, OTHER_WORLD, submit } from './memory-core.ts';
import { advance, gate, giveBack, hold, isReady, READY, send } from './model-payouts.ts';
import * as disputes from './model-disputes.ts';
import * as returns from './model-returns.ts';
import { done, fault, nothing, refused, type Expected, type Model, type Payout } from './model.ts';

const refund: Act = {
  name: 'ask for a refund',
  weight: 14,
  alone: true,
  act({ model }, dice) {
    const invoices = model.payables.filter(({ kind }) => kind !== 'deposit');
    const of = dice.mostly(invoices, ({ state, escrow }) => {
      return state === 'success' && (escrow === null || escrow.state === 'COMMITTED');
    });
    if (of === null) return null;
    const ids = { id: freshId(), givingId: freshId() };
    const line = dice.once(3) ? null : dice.below(of.lines.length + Number(dice.once(12)));
    const place = line === null ? undefined : of.lines[line];
    const whole = (place?.amount ?? 0n) - (place?.refunded ?? 0n);
    const amount = dice.once(2) && whole > 0n ? whole : 1n + (amountOf(dice) % 700n);
    const methods = dice.once(2) ? [] : dice.shuffled(of.parts.map(({ method }) => method));
    if (dice.once(12)) methods.push(methods[0] ?? freshId());
    if (methods.length > 1 && dice.once(2)) methods.pop();
    const wish = { ...ids, line, amount, methods, mayWait: !dice.once(3) };
    const giving = dice.once(25) && model.givings.length > 0 ? dice.of(model.givings) : null;
    const { id: invoiceId, world, lost } = aim(dice, giving?.id ?? of.id);
    const named = { id: place?.id ?? freshId(), amount: Number(amount), methods };
    const asked = line === null ? null : named;
    const why = { reason: 'other', sub_reason: '', sealed_note: null, mayWait: wish.mayWait };
    const input = { id: ids.id, refundInvoiceId: ids.givingId, invoiceId, line: asked, ...why };
    const expect = (): Expected => {
      if (lost) return refused('INVOICE_NOT_FOUND');
      if (giving !== null) {
        return refused(giving.refund ? 'INVOICE_NOT_REFUNDABLE' : 'INVOICE_BELONGS_TO_ESCROW');
      }
      return returns.requestRefund(model, of, wish);
    };
    return { ...submit(requestRefund, input, world), expect };
  },
};

/** A command about one refund. */
function ofRefund(
  name: string,
  weight: number,
  command: Command<{ readonly refundId: string }>,
  expect: typeof returns.fund,
): Act {
  return {
    name,
    weight,
    act({ model }, dice) {
      const one = dice.mostly(model.refunds, ({ state }) => state === 'REFUND-WAITING-FUNDS');
      if (one === null) return null;
      const { id, world, lost } = aim(dice, one.id);
      const meant = (): Expected => (lost ? refused('REFUND_NOT_FOUND') : expect(model, one));
      return { ...submit(command, { refundId: id }, world), expect: meant };
    },
  };
}

const withdraw = ofRefund('withdraw a refund', 3, withdrawRefund, returns.withdraw);
const fund = ofRefund('fund a refund', 6, fundRefund, returns.fund);

const cover: Act = {
  name: 'cover a reversal',
  weight: 3,
  act({ model }, dice) {
    const one = dice.mostly(model.reversals, ({ state }) => state === 'received');
    if (one === null) return null;
    const { id, world, lost } = aim(dice, one.id);
    const submitted = submit(coverReversal, { reversalId: id }, world);
    return { ...submitted, expect: () => (lost ? fault : disputes.cover(model, one)) };
  },
};

/** 1 % to a bank, half up; cards and wallets are not paid out to. [G-43] */
const feeOf = (amount: bigint): bigint => (amount + 50n) / 100n;

const request: Act = {
  name: 'request a payout',
  weight: 10,
  act({ model, people }, dice) {
    const at = dice.mostly([...people.keys()], (one) => gate(model, one) === null);
    if (at === null) return null;
    const person = people[at] as Person;
    const other = people[(at + 1) % people.length] as Person;
    const [wallet, , , bank] = person.methods as [string, string, string, string];
    const of = (right: string): string =>
      dice.once(8) ? dice.of([...person.methods, ...other.methods, freshId(), '-']) : right;
    const [source, destination] = [of(wallet), of(bank)];
    const amount = amountOf(dice) + 1n;
    const currency = dice.once(20) ? 'EUR' : CURRENCY;
    const id = freshId();
    const owner = aim(dice, person.id);
    const holdSeconds = dice.of([null, 0, 3_600]);
    const methods = {
      source_payment_method_id: source,
      destination_payment_method_id: destination,
    };
    const wish = { id, account: owner.id, ...methods, amount, currency, holdSeconds };
    const expect = (): Expected => {
      const shut = owner.lost ? 'ACCOUNT_NOT_FOUND' : gate(model, at);
      if (shut !== null) return refused(shut);
      for (const method of [source, destination]) {
        if (!person.methods.includes(method)) return refused('PAYMENT_METHOD_NOT_FOUND');
        if (model.inactive.has(method)) return refused('PAYMENT_METHOD_NOT_ACTIVE');
      }
      if (source !== wallet) return refused('PAYOUT_SOURCE_NOT_WALLET');
      if (destination !== bank) return refused('PAYOUT_DESTINATION_NOT_ALLOWED');
      if (currency !== CURRENCY) return refused('PAYOUT_CURRENCY_MISMATCH');
      if (amount > model.purse(at).spendable) return refused('PAYOUT_INSUFFICIENT_FUNDS');
      const due = holdSeconds === null ? null : model.now + holdSeconds * 1_000;
      const state = { state: 'FUNDS-IN-ESCROW', due, failure: null };
      const what = { kind: 'payout', id, person: at, method: bank, amount } as const;
      hold(model, { ...what, fee: feeOf(amount), sent: [], ...state });
      return done;
    };
    return { ...submit(requestPayout, wish, owner.world), expect };
  },
};

interface Choice {
  readonly account: string;
  readonly payoutId: string;
}

/** A command of the caller about one payout. */
function ofPayout<I extends Choice>(
  name: string,
  weight: number,
  command: Command<I>,
  more: Omit<I, keyof Choice> | (() => Omit<I, keyof Choice>),
  expect: (model: Model, payout: Payout, input: I) => Expected,
): Act {
  return {
    name,
    weight,
    act({ model, people }, dice): Move | null {
      const payout = dice.mostly(model.payouts, ({ state }) => READY.includes(state));
      if (payout === null) return null;
      const { id, world, lost } = aim(dice, payout.id);
      const account = people[(payout.person + Number(dice.once(20))) % people.length] as Person;
      const foreign = account !== people[payout.person];
      const rest = typeof more === 'function' ? more() : more;
      const input = { account: account.id, payoutId: id, ...rest } as unknown as I;
      const meant = (): Expected => {
        if (lost && world === OTHER_WORLD) return refused('ACCOUNT_NOT_FOUND');
        if (lost || foreign) return refused('PAYOUT_NOT_FOUND');
        return expect(model, payout, input);
      };
      return { ...submit(command, input, world), expect: meant };
    },
  };
}

const cancel = ofPayout('cancel a payout', 3, cancelPayout, {}, (model, payout) => {
  if (!isReady(payout)) return refused('PAYOUT_NOT_CANCELABLE');
  payout.failure = null;
  return giveBack(model, payout, 'SUPPORT-REJECTED');
});

const sending = (): { remittanceId: string } => ({ remittanceId: freshId() });

const execute = ofPayout('execute a payout', 8, executePayout, sending, (model, payout, input) => {
  if (!isReady(payout)) return refused('PAYOUT_NOT_EXECUTABLE');
  const shut = gate(model, payout.person);
  if (shut !== null) return refused(shut);
  if (model.inactive.has(payout.method)) return refused('PAYMENT_METHOD_NOT_ACTIVE');
  return send(payout, input.remittanceId, `token-${payout.person}-2`);
});

const clock: Act = {
  name: 'the clock looks at a payout',
  weight: 7,
  act(market, dice) {
    const { model, core } = market;
    const payout = dice.mostly(model.payouts, ({ due }) => due !== null);
    if (payout === null) return null;
    if (payout.due !== null && !dice.once(3)) {
      market.pass(Math.max(0, Math.ceil((payout.due - core.now) / 1_000)));
    }
    const { id, world, lost } = aim(dice, payout.id);
    const input = { payoutId: id, remittanceId: freshId() };
    const target = `token-${payout.person}-2`;
    const expect = (): Expected =>
      lost ? nothing : advance(model, payout, input.remittanceId, target);
    return { ...submit(advancePayout, input, world), expect };
  },
};

export const refundActs = [refund, withdraw, fund, cover];
export const payoutActs = [request, cancel, execute, clock];
