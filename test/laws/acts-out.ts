// How money leaves: refunds requested, funded and withdrawn, chargebacks covered, payouts
// requested, executed, cancelled and moved by the clock.
import {
  advancePayout,
  cancelPayout,
  executePayout,
  keepPayout,
  letPayoutGo,
  requestPayout,
} from '../../src/product/money/payout/index.ts';
import {
  fundRefund,
  requestRefund,
  withdrawRefund,
} from '../../src/product/money/refund/decide.ts';
import { coverReversal } from '../../src/product/money/refund/reversal.ts';
import type { Command } from '../../src/engine/index.ts';
import { fileActs } from './acts-files.ts';
import { aim } from './acts-sales.ts';
import type { Act, Move } from './market.ts';
import { freshId, type Person } from './market-people.ts';
import { amountOf } from './market-sales.ts';
import { CURRENCY, OTHER_WORKSPACE, submit } from './memory-core.ts';
import {
  advance,
  eligibility,
  giveBack,
  hold,
  isKept,
  isReady,
  lacksMoney,
  READY,
  send,
} from './model-payouts.ts';
import * as disputes from './model-disputes.ts';
import * as returns from './model-returns.ts';
import { done, fault, nothing, refused, reserved } from './model.ts';
import type { Expected, Model, Payout } from './model.ts';

const refund: Act = {
  name: 'ask for a refund',
  weight: 14,
  alone: true,
  act({ model }, rng) {
    const invoices = model.payables.filter(({ kind }) => kind !== 'deposit');
    const of = rng.mostly(invoices, ({ state, escrow }) => {
      return state === 'success' && (escrow === null || escrow.state === 'COMMITTED');
    });
    if (of === null) return null;
    const ids = { id: freshId(), givingId: freshId() };
    const line = rng.once(3) ? null : rng.below(of.lines.length + Number(rng.once(12)));
    const place = line === null ? undefined : of.lines[line];
    const whole = (place?.amount ?? 0n) - (place?.refunded ?? 0n);
    const amount = rng.once(2) && whole > 0n ? whole : 1n + (amountOf(rng) % 700n);
    const methods = rng.once(2) ? [] : rng.shuffled(of.parts.map(({ method }) => method));
    if (rng.once(12)) methods.push(methods[0] ?? freshId());
    if (methods.length > 1 && rng.once(2)) methods.pop();
    const wish = { ...ids, line, amount, methods, mayWait: !rng.once(3) };
    const giving = rng.once(25) && model.givings.length > 0 ? rng.of(model.givings) : null;
    const { id: invoiceId, workspace, lost } = aim(rng, giving?.id ?? of.id);
    const named = { id: place?.id ?? freshId(), amount: Number(amount), methods };
    const asked = line === null ? null : named;
    const why = { reason: 'other', sub_reason: '', sealed_note: null } as const;
    const by = { id: ids.id, refundInvoiceId: ids.givingId, mayWait: wish.mayWait };
    const input = { ...by, invoiceId, line: asked, ...why };
    const expect = (): Expected => {
      if (lost) return refused('INVOICE_NOT_FOUND');
      if (giving !== null) {
        return refused(giving.refund ? 'INVOICE_NOT_REFUNDABLE' : 'INVOICE_BELONGS_TO_ESCROW');
      }
      return returns.requestRefund(model, of, wish);
    };
    return { ...submit(requestRefund, input, workspace), expect };
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
    act({ model }, rng) {
      const one = rng.mostly(model.refunds, ({ state }) => state === 'REFUND-WAITING-FUNDS');
      if (one === null) return null;
      const { id, workspace, lost } = aim(rng, one.id);
      const meant = (): Expected => (lost ? refused('REFUND_NOT_FOUND') : expect(model, one));
      return { ...submit(command, { refundId: id }, workspace), expect: meant };
    },
  };
}

const withdraw = ofRefund('withdraw a refund', 3, withdrawRefund, returns.withdraw);
const fund = ofRefund('fund a refund', 6, fundRefund, returns.fund);

const cover: Act = {
  name: 'cover a reversal',
  weight: 3,
  act({ model }, rng) {
    const one = rng.mostly(model.reversals, ({ state }) => state === 'received');
    if (one === null) return null;
    const { id, workspace, lost } = aim(rng, one.id);
    const submitted = submit(coverReversal, { reversalId: id }, workspace);
    return { ...submitted, expect: () => (lost ? fault : disputes.cover(model, one)) };
  },
};

/** 1 % to a bank, half up; cards and wallets are not paid out to. [G-43] */
const feeOf = (amount: bigint): bigint => (amount + 50n) / 100n;

const request: Act = {
  name: 'request a payout',
  weight: 10,
  act({ model, people }, rng) {
    const at = rng.mostly([...people.keys()], (one) => eligibility(model, one) === null);
    if (at === null) return null;
    const person = people[at] as Person;
    const other = people[(at + 1) % people.length] as Person;
    const [wallet = '', , , ach = '', iban = ''] = person.methods;
    const bank = rng.once(3) ? iban : ach;
    const of = (right: string): string =>
      rng.once(8) ? rng.of([...person.methods, ...other.methods, freshId(), '-']) : right;
    const [source, destination] = [of(wallet), of(bank)];
    const much = model.purse(at).spendable + 1n;
    const amount = rng.once(6) ? much : amountOf(rng) + 1n;
    const currency = rng.once(20) ? 'EUR' : CURRENCY;
    const id = freshId();
    const owner = aim(rng, person.id);
    const holdSeconds = rng.of([null, 0, 3_600]);
    const methods = {
      source_payment_method_id: source,
      destination_payment_method_id: destination,
    };
    const wish = { id, account: owner.id, ...methods, amount, currency, holdSeconds };
    const expect = (): Expected => {
      const shut = owner.lost ? 'ACCOUNT_NOT_FOUND' : eligibility(model, at);
      if (shut !== null) return refused(shut);
      for (const method of [source, destination]) {
        if (!person.methods.includes(method)) return refused('PAYMENT_METHOD_NOT_FOUND');
        if (model.inactive.has(method)) return refused('PAYMENT_METHOD_NOT_ACTIVE');
      }
      if (source !== wallet) return refused('PAYOUT_SOURCE_NOT_WALLET');
      const file = destination === iban;
      if (destination !== ach && !file) return refused('PAYOUT_DESTINATION_NOT_ALLOWED');
      if (currency !== CURRENCY) return refused('PAYOUT_CURRENCY_MISMATCH');
      const purse = model.purse(at);
      if (amount > purse.spendable) {
        const inReserve = amount <= purse.spendable + reserved(purse);
        return refused(inReserve ? 'PAYOUT_RESERVED' : 'PAYOUT_INSUFFICIENT_FUNDS');
      }
      const due = holdSeconds === null ? null : model.now + holdSeconds * 1_000;
      const state = { state: 'FUNDS-IN-ESCROW', due, failure: null };
      const what = { kind: 'payout', id, person: at, method: destination, file, amount } as const;
      hold(model, { ...what, fee: feeOf(amount), sent: [], ...state });
      return done;
    };
    return { ...submit(requestPayout, wish, owner.workspace), expect };
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
    act({ model, people }, rng): Move | null {
      const payout = rng.mostly(model.payouts, ({ state }) => READY.includes(state));
      if (payout === null) return null;
      const { id, workspace, lost } = aim(rng, payout.id);
      const account = people[(payout.person + Number(rng.once(20))) % people.length] as Person;
      const foreign = account !== people[payout.person];
      const rest = typeof more === 'function' ? more() : more;
      const input = { account: account.id, payoutId: id, ...rest } as unknown as I;
      const meant = (): Expected => {
        if (lost && workspace === OTHER_WORKSPACE) return refused('ACCOUNT_NOT_FOUND');
        if (lost || foreign) return refused('PAYOUT_NOT_FOUND');
        return expect(model, payout, input);
      };
      return { ...submit(command, input, workspace), expect: meant };
    },
  };
}

const cancel = ofPayout('cancel a payout', 3, cancelPayout, {}, (model, payout) => {
  if (!isReady(payout)) return refused('PAYOUT_NOT_CANCELABLE');
  payout.failure = null;
  return giveBack(model, payout, 'SUPPORT-REJECTED');
});

const keep = ofPayout('hold a payout', 4, keepPayout, {}, (_, payout) => {
  const waits = isReady(payout) && payout.state !== 'FAILED';
  if (!waits || isKept(payout)) return refused('PAYOUT_NOT_HOLDABLE');
  Object.assign(payout, { state: 'FUNDS-IN-ESCROW-ON-HOLD', due: null });
  return done;
});

const over = { holdSeconds: 0 };
const letGo = ofPayout('let a payout go', 4, letPayoutGo, over, (model, payout) => {
  if (!isKept(payout)) return refused('PAYOUT_NOT_HELD');
  Object.assign(payout, { state: 'FUNDS-IN-ESCROW', due: model.now });
  return done;
});

const sending = (): { transferId: string } => ({ transferId: freshId() });

const execute = ofPayout('execute a payout', 8, executePayout, sending, (model, payout, input) => {
  if (!isReady(payout)) return refused('PAYOUT_NOT_EXECUTABLE');
  if (isKept(payout)) return refused('PAYOUT_HELD');
  const shut = eligibility(model, payout.person);
  if (shut !== null) return refused(shut);
  if (model.inactive.has(payout.method)) return refused('PAYMENT_METHOD_NOT_ACTIVE');
  if (lacksMoney(model, payout)) return refused('PAYOUT_WAITS_FOR_MONEY');
  return send(model, payout, input.transferId);
});

const clock: Act = {
  name: 'the clock looks at a payout',
  weight: 7,
  act(market, rng) {
    const { model, core } = market;
    const payout = rng.mostly(model.payouts, ({ due }) => due !== null);
    if (payout === null) return null;
    if (payout.due !== null && !rng.once(3)) {
      market.pass(Math.max(0, Math.ceil((payout.due - core.now) / 1_000)));
    }
    const { id, workspace, lost } = aim(rng, payout.id);
    const input = { payoutId: id, transferId: freshId() };
    const expect = (): Expected =>
      lost ? nothing : advance(model, payout, input.transferId);
    return { ...submit(advancePayout, input, workspace), expect };
  },
};

export const refundActs = [refund, withdraw, fund, cover];
export const payoutActs = [request, cancel, keep, letGo, execute, clock, ...fileActs];
