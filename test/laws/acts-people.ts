// What happens to people and their wallets: top-ups and sandbox deposits, verification, blocks,
// methods switched off and on, the worker that folds the integrator's credits.
import { blockAccount, unblockAccount } from '../../src/product/people/account/block.ts';
import { setKycState } from '../../src/product/people/identity/index.ts';
import type { SetInput } from '../../src/product/people/identity/decide.ts';
import { depositFromNowhere } from '../../src/sandbox/control/api.ts';
import { topUp } from '../../src/product/money/wallet/attempt-deposit.ts';
import { accountId, derivedUuid } from '../../src/core/ids.ts';
import { TOTAL_CAP } from '../../src/core/money.ts';
import { aim } from './acts-sales.ts';
import type { Rng } from './rng.ts';
import type { Act, Market } from './market.ts';
import { freshId, type Person } from './market-people.ts';
import { amountOf } from './market-sales.ts';
import { CURRENCY, submit } from './memory-core.ts';
import { accrues, done, nothing, refused, reserved, type Expected, type Payable } from './model.ts';

function someone({ people }: Market, rng: Rng): { at: number; person: Person } {
  const at = rng.below(people.length);
  return { at, person: people[at] as Person };
}

/** Rarely, so much that a wallet cannot take it. */
function depositAmount(rng: Rng): bigint {
  return rng.once(12) ? TOTAL_CAP : amountOf(rng) + 1n;
}

const deposit: Act = {
  name: 'top up',
  weight: 5,
  act(market, rng) {
    const { model } = market;
    const { at, person } = someone(market, rng);
    const method = rng.once(10) ? freshId() : rng.of(person.methods);
    const currency = rng.once(20) ? 'EUR' : CURRENCY;
    const [amount, id, attempt] = [depositAmount(rng), freshId(), freshId()];
    const owner = aim(rng, person.id);
    const account_id = accountId(owner.id);
    const ids = { depositId: id, attemptId: attempt, account_id, payment_method_id: method };
    const place = person.methods.indexOf(method);
    const expect = (): Expected => {
      const purse = model.purse(at);
      if (owner.lost) return refused('ACCOUNT_NOT_FOUND');
      if (purse.blocked) return refused('ACCOUNT_BLOCKED');
      if (currency !== CURRENCY) return refused('CURRENCY_NOT_ENABLED');
      if (place < 1) return refused('PAYMENT_METHOD_NOT_FOUND');
      const receives = place === 4;
      if (receives || model.inactive.has(method)) return refused('PAYMENT_METHOD_NOT_ACTIVE');
      if (purse.spendable + purse.kept + amount > TOTAL_CAP) return refused('DEPOSIT_TOO_LARGE');
      const token = `token-${at}-${place - 1}`;
      const none = { credits: [], integrator: 0n, lines: [], gone: new Map(), escrow: null };
      const part = { attempt, method, card: true, token, amount };
      const what = { kind: 'deposit', id, payer: at, total: amount, parts: [part] } as const;
      const state = { state: 'processing' as const, failure: null };
      const payable: Payable = { ...what, ...none, ...state, charges: [] };
      payable.charges.push({ id: attempt, token, amount, of: payable, state: 'authorizing' });
      model.payables.push(payable);
      return done;
    };
    return { ...submit(topUp, { ...ids, currency, amount }, owner.workspace), expect };
  },
};

const fromNowhere: Act = {
  name: 'deposit from nowhere',
  weight: 3,
  alone: true,
  act(market, rng) {
    const { model } = market;
    const { at, person } = someone(market, rng);
    const id = freshId();
    const toUs = rng.once(2);
    const amount = depositAmount(rng) * (toUs ? 10n : 1n);
    const input = { id, currency: rng.once(20) ? 'EUR' : CURRENCY, amount };
    const held = model.systemAccounts.integrator_share;
    const owner = aim(rng, person.id);
    const purse = model.purse(at);
    const expect = (): Expected => {
      if (!toUs && owner.lost) return refused('ACCOUNT_NOT_FOUND');
      if (!toUs && purse.blocked) return refused('ACCOUNT_BLOCKED');
      if (input.currency !== CURRENCY) return refused('CURRENCY_NOT_ENABLED');
      if ((toUs ? held : purse.spendable + purse.kept) + amount > TOTAL_CAP) {
        return refused('DEPOSIT_TOO_LARGE');
      }
      model.systemAccounts.sandbox_funding -= amount;
      if (toUs) model.systemAccounts.integrator_share += amount;
      else model.credit(at, amount);
      model.announce('deposit-completed', id);
      return done;
    };
    const to = toUs ? { account: null, held } : { account: owner.id };
    const workspace = toUs ? undefined : owner.workspace;
    return { ...submit(depositFromNowhere, { ...input, ...to }, workspace), expect };
  },
};

/** Who is verified, and how: often somebody whose payout it holds up or lets go on. */
function verdict({ model, people }: Market, rng: Rng) {
  const held = model.payouts.find((one) => one.state === 'FUNDS-IN-ESCROW-ON-HOLD');
  const ready = model.payouts.find((one) => one.state === 'FUNDS-IN-ESCROW' && one.due !== null);
  const denied = rng.of(['DENY', 'NODATA', 'MANUAL_REVIEW', 'CANCEL'] as const);
  if (held !== undefined && !rng.once(3)) {
    return { at: held.person, state: 'ACCEPT', kyc_requirements: 'NONE' } as const;
  }
  if (ready !== undefined && rng.once(3)) {
    return { at: ready.person, state: denied, kyc_requirements: '' } as const;
  }
  const state = rng.once(2) ? ('ACCEPT' as const) : denied;
  const kyc_requirements = rng.of(['NONE', 'FULL_KYC', 'FULL_KYC', 'TAX_UPDATE', ''] as const);
  return { at: rng.below(people.length), state, kyc_requirements };
}

const kyc: Act = {
  name: 'verification',
  weight: 6,
  alone: true,
  act(market, rng) {
    const { model } = market;
    const { at, ...values } = verdict(market, rng);
    const person = market.people[at] as Person;
    const { id, workspace, lost } = aim(rng, person.id);
    const input: SetInput = { account: id, ...values, fresh_application_id: freshId() };
    const { state, kyc_requirements } = values;
    const expect = (): Expected => {
      if (lost) return refused('ACCOUNT_NOT_FOUND');
      const purse = model.purse(at);
      const requirements = kyc_requirements || purse.requirements;
      if (purse.state === state && purse.requirements === requirements) return nothing;
      const before = purse.before ?? purse.requirements;
      Object.assign(purse, { state, requirements });
      purse.before = requirements === 'TAX_UPDATE' ? before : null;
      if (accrues(purse)) {
        const held = reserved(purse);
        purse.spendable += purse.kept - held;
        purse.kept = held;
      }
      model.announce('kyc-webhook', person.id);
      return done;
    };
    return { ...submit(setKycState, input, workspace), expect };
  },
};

const block: Act = {
  name: 'block',
  weight: 3,
  alone: true,
  act(market, rng) {
    const { model } = market;
    const { at, person } = someone(market, rng);
    const { blocked, mergedInto } = model.purse(at);
    // Of a merged account, only that it stays closed.
    const on = mergedInto === null && (blocked ? rng.once(5) : rng.once(2));
    const fresh_id = derivedUuid(`block of ${person.id}`);
    const why = { capability: 'transact', issuer: 'integrator', reason: 'laws' } as const;
    const input = { account: person.id, ...why, sealed_note: null, fresh_id };
    const expect = (): Expected => {
      const purse = model.purse(at);
      if (purse.mergedInto !== null) return refused('ACCOUNT_MERGED');
      if (purse.blocked === on) return nothing;
      purse.blocked = on;
      model.announce('account-block-unblock-webhook', fresh_id);
      return done;
    };
    return { ...submit(on ? blockAccount : unblockAccount, input), expect };
  },
};

const toggle: Act = {
  name: 'a method goes off or on',
  weight: 2,
  act(market, rng) {
    const { model } = market;
    const { person } = someone(market, rng);
    const off = person.methods.filter((one) => model.inactive.has(one));
    const on = off.length > 0;
    market.switch(rng.of(on ? off : person.methods), on);
    return null;
  },
};

const fold: Act = {
  name: 'credits are folded',
  weight: 5,
  act(market) {
    market.fold();
    return null;
  },
};

export const fundingActs = [fromNowhere, fold];
export const peopleActs = [deposit, kyc, block, toggle, ...fundingActs];
