// What the processor reports, and operators' decisions about unclear outcomes: in time, late,
// again, out of order; in lying programs anything about anything.
import { settleEscrowCancel, settleEscrowPayment } from '../../src/product/money/escrow/index.ts';
import { settleInvoice } from '../../src/product/money/invoice/index.ts';
import { settlePayout } from '../../src/product/money/payout/index.ts';
import { settleRefund } from '../../src/product/money/refund/index.ts';
import {
  settleDeposit,
  type AttemptAnswer,
  type TransferAnswer,
} from '../../src/product/money/wallet/index.ts';
import { challenge } from './book.ts';
import { CHALLENGE_MS, answerCharge, answerGiving } from './model-answers.ts';
import type { Rng } from './rng.ts';
import type { Act, Mail, Market, Move } from './market.ts';
import { freshId } from './market-people.ts';
import { CURRENCY, OTHER_WORKSPACE, submit } from './memory-core.ts';
import { fault, type Charge, type Model, type Sent } from './model.ts';
import { answerPayout } from './model-payouts.ts';

/** States of a charge in which the processor is asked. */
export const ASKING = ['authorizing', 'challenged', 'capturing', 'reversing'];

const settlers = {
  invoice: settleInvoice,
  escrow: settleEscrowPayment,
  deposit: settleDeposit,
};

/** Every charge that was begun. */
export function chargesIn(model: Model): Charge[] {
  return model.payables.flatMap(({ charges }) => charges);
}

/** Everything that was sent. */
export function sentIn(model: Model): Sent[] {
  return [...model.givings, ...model.payouts].flatMap(({ sent }) => sent);
}

/** Tells us about a charge. */
export function tellCharge({ model }: Market, charge: Charge, answer: AttemptAnswer): Move {
  const submitted = submit(settlers[charge.of.kind], answer);
  return { ...submitted, expect: () => answerCharge(model, charge, answer.outcome) };
}

/** Tells us about something sent. */
export function tellSent({ model }: Market, sent: Sent, answer: TransferAnswer): Move {
  const { of } = sent;
  if (of.kind === 'payout') {
    const submitted = submit(settlePayout, answer);
    return { ...submitted, expect: () => answerPayout(model, sent, answer.outcome, of) };
  }
  const command = of.refund === null ? settleEscrowCancel : settleRefund;
  const expect = () => answerGiving(model, sent, answer.outcome, of);
  return { ...submit(command, answer), expect };
}

/** Delivers an answer. */
export function tell(market: Market, mail: Mail | undefined): Move | null {
  if (mail === undefined) return null;
  if (mail.kind === 'charge') {
    const charge = chargesIn(market.model).find(({ id }) => id === mail.attemptId);
    return charge === undefined ? null : tellCharge(market, charge, mail);
  }
  const sent = sentIn(market.model).find(({ id }) => id === mail.transferId);
  return sent === undefined ? null : tellSent(market, sent, mail);
}

/** The processor is asked; mostly its answer comes at once, sometimes it lies around first. */
function asked(market: Market, rng: Rng, mail: Mail): Move | null {
  market.mail.push(mail);
  if (!rng.once(6)) return tell(market, mail);
  market.late.push(mail);
  return null;
}

/** The honest answer about a charge. */
export function honest({ book }: Market, charge: Charge): Mail {
  return { kind: 'charge', attemptId: charge.id, outcome: book.askCharge(charge) };
}

export function honestSent({ book }: Market, sent: Sent): Mail {
  return { kind: 'sent', transferId: sent.id, outcome: book.askSent(sent) };
}

const ask: Act = {
  name: 'the processor is asked about a charge',
  weight: 24,
  act(market, rng) {
    const asking = chargesIn(market.model).filter(({ state }) => ASKING.includes(state));
    return asking.length === 0 ? null : asked(market, rng, honest(market, rng.of(asking)));
  },
};

const buyerDecides: Act = {
  name: 'a buyer confirms or refuses at the bank, in time or not',
  weight: 10,
  act(market, rng) {
    const waiting = chargesIn(market.model).filter(({ state }) => state === 'challenged');
    if (waiting.length === 0) return null;
    const charge = rng.of(waiting);
    if (rng.once(2)) market.book.decide(charge, !rng.once(4));
    if (rng.once(2)) return asked(market, rng, honest(market, charge));
    if (rng.once(2)) market.pass(CHALLENGE_MS / 1_000);
    const outcome = { state: 'challenge_over' } as const;
    return tellCharge(market, charge, { attemptId: charge.id, outcome });
  },
};

const askAboutSent: Act = {
  name: 'the processor is asked about what was sent',
  weight: 14,
  act(market, rng) {
    const open = ['sending', 'pending'];
    const asking = sentIn(market.model).filter(({ state }) => open.includes(state));
    return asking.length === 0 ? null : asked(market, rng, honestSent(market, rng.of(asking)));
  },
};

const again: Act = {
  name: 'an old answer comes, late or again',
  weight: 5,
  act: (market, rng) => tell(market, market.mail[rng.below(market.mail.length || 1)]),
};

const bankReturns: Act = {
  name: 'a bank returns a payout',
  weight: 3,
  act(market, rng) {
    const paid = sentIn(market.model).filter(({ state, of }) => {
      return state === 'paid' && of.kind === 'payout';
    });
    if (paid.length === 0 || market.lying) return null;
    const sent = rng.of(paid);
    const outcome = market.book.sendBack(sent);
    if (outcome === null) return null;
    return asked(market, rng, { kind: 'sent', transferId: sent.id, outcome });
  },
};

/** What a person may decide about something sent. */
export const acceptance = { state: 'accept_decided' } as const;
export const retry = { state: 'retry_decided' } as const;

/** An operator decides about a manual review; with an honest processor, by its records. */
const decide: Act = {
  name: 'a person decides',
  weight: 12,
  act(market, rng) {
    const { model, book, lying } = market;
    const all = [...chargesIn(model), ...sentIn(model)];
    const one = rng.mostly(all, ({ state }) => state === 'parked');
    if (one === null) return null;
    if ('token' in one) {
      const charge = one;
      const accept = lying ? rng.once(2) : book.has(charge);
      const state = accept ? ('accept_decided' as const) : ('give_back_decided' as const);
      return tellCharge(market, charge, { attemptId: charge.id, outcome: { state } });
    }
    const outcome = lying && rng.once(2) ? acceptance : { ...retry, newId: freshId() };
    return tellSent(market, one, { transferId: one.id, outcome });
  },
};

function liedAmount(rng: Rng, amount: bigint): { amount: bigint; currency: string } {
  const currency = rng.once(12) ? 'EUR' : CURRENCY;
  return { amount: rng.once(5) ? amount + 1n : amount, currency };
}

function lieAboutCharge(rng: Rng, amount: bigint): AttemptAnswer['outcome'] {
  const reference = 'ch-lie';
  const state = rng.of([
    ...(['authorized', 'captured', 'captured', 'captured', 'reversed', 'pending'] as const),
    ...(['declined', 'absent', 'unknown', 'reverse_refused', 'challenged'] as const),
  ]);
  const refused = state === 'declined' || state === 'reverse_refused';
  if (refused) return { state, reference, code: 'card_declined' };
  if (state === 'absent' || state === 'unknown') return { state };
  const lied = liedAmount(rng, amount);
  if (state === 'challenged') return { ...challenge(reference, amount), ...lied };
  return { state, reference, ...lied };
}

function lieAboutSent(rng: Rng, amount: bigint): TransferAnswer['outcome'] {
  const reference = 're-lie';
  const state = rng.of(['pending', 'paid', 'paid', 'returned', 'declined', 'absent'] as const);
  if (state === 'declined') return { state, reference, code: 'processing_error' };
  if (state === 'absent') return { state };
  return { state, reference, ...liedAmount(rng, amount) };
}

const lie: Act = {
  name: 'somebody answers for the processor',
  weight: 18,
  lying: true,
  act(market, rng) {
    const { model } = market;
    const one = rng.mostly(sentIn(model), ({ state }) => !['parked', 'replaced'].includes(state));
    if (one !== null && !rng.once(3)) {
      const outcome = lieAboutSent(rng, one.amount);
      return tellSent(market, one, { transferId: one.id, outcome });
    }
    const charge = rng.mostly(chargesIn(model), ({ state }) => state !== 'captured');
    if (charge === null) return null;
    const outcome = lieAboutCharge(rng, charge.amount);
    return tellCharge(market, charge, { attemptId: charge.id, outcome });
  },
};

/** An answer that names nothing we know, or something of another tenant's. */
const stranger: Act = {
  name: 'an answer about nothing of ours',
  weight: 2,
  act({ model }, rng) {
    const known = rng.once(2);
    const workspace = known ? OTHER_WORKSPACE : undefined;
    const charge = chargesIn(model)[0];
    if (rng.once(2)) {
      const attemptId = (known && charge?.id) || freshId();
      const command = rng.of(Object.values(settlers));
      const outcome = lieAboutCharge(rng, 1n);
      return { ...submit(command, { attemptId, outcome }, workspace), expect: () => fault };
    }
    const transferId = (known && sentIn(model)[0]?.id) || freshId();
    const command = rng.of([settleEscrowCancel, settleRefund, settlePayout]);
    const outcome = lieAboutSent(rng, 1n);
    return { ...submit(command, { transferId, outcome }, workspace), expect: () => fault };
  },
};

export const processorActs = [
  ...[ask, buyerDecides, askAboutSent, again, bankReturns, decide, lie, stranger],
];
