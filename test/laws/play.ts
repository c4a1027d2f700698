// Plays a program step by step, then until nothing is open any more, then checks the ledger: every
// payment, return and payout has ended, and the honest processor's records equal ours. Counts what
// came about.
import assert from 'node:assert/strict';
import { disputeActs } from './acts-disputes.ts';
import { mergeActs } from './acts-merge.ts';
import { payoutActs, refundActs } from './acts-out.ts';
import { offerActs } from './acts-offers.ts';
import { fundingActs, peopleActs } from './acts-people.ts';
import {
  acceptance,
  ASKING,
  chargesIn,
  honest,
  honestSent,
  processorActs,
  retry,
  sentIn,
  tell,
  tellCharge,
  tellSent,
} from './acts-processor.ts';
import { disagreementActs } from './acts-disagreements.ts';
import { partActs } from './acts-parts.ts';
import { clockActs, escrowActs as wholeActs, saleActs } from './acts-sales.ts';
import { Rng } from './rng.ts';
import { checkBooks } from './market-books.ts';
import { checkMoves } from './market-moves.ts';
import { freshId } from './market-people.ts';
import { count, Market, type Act, type Move, type RefundedAmounts } from './market.ts';
import { CURRENCY } from './memory-core.ts';
import type { Charge, Sent } from './model.ts';
import type { Program } from './programs.ts';

/** What came about in all programs. */
export interface Seen {
  readonly arrows: RefundedAmounts;
  readonly refusals: RefundedAmounts;
  readonly ends: RefundedAmounts;
}

const escrowActs = [...wholeActs, ...partActs, ...disagreementActs];
const SALES = [...saleActs, ...escrowActs, ...offerActs];
const GROUPS = [SALES, peopleActs, mergeActs, processorActs, disputeActs, refundActs, payoutActs];
const ALL: readonly Act[] = GROUPS.flat();
/** What a program has more of, so that it gets somewhere. */
const FAVOURED: readonly (readonly Act[])[] = [
  ...[ALL, saleActs, escrowActs, processorActs],
  [...refundActs, ...saleActs, ...fundingActs],
  [...disputeActs, ...escrowActs],
  clockActs,
  [...payoutActs, ...peopleActs],
];
const MOST_ROUNDS = 40;
const MOST_DRAWS = 5;

/** What can happen in a program. */
function actsOf(rng: Rng, lying: boolean): Act[] {
  const favoured = rng.of(FAVOURED);
  return ALL.filter((act) => lying || act.lying === undefined).map((act) => {
    return favoured.includes(act) ? { ...act, weight: act.weight * 3 } : act;
  });
}

/** Something that can be done now, or null. */
function draw(market: Market, rng: Rng, acts: readonly Act[]): Move | null {
  for (let n = 0; n < MOST_DRAWS; n += 1) {
    const move = rng.weighted(acts).act(market, rng);
    if (move !== null) return move;
  }
  return null;
}

/** Plays one program to its end; throws where a law does not hold. */
export function play(program: Program, trace: string[] | null, seen: Seen): Market {
  const { seed, lying, steps } = program;
  const market = new Market(seed, lying, trace, seen.refusals);
  const possible = actsOf(new Rng(seed), lying);
  const shared = possible.filter(({ alone }) => alone === undefined);
  for (const step of steps) {
    const rng = new Rng(step);
    const many = rng.once(8) ? 2 + rng.below(3) : 1;
    const moves: Move[] = [];
    for (let n = 0; n < many; n += 1) {
      const move = draw(market, rng, many > 1 ? shared : possible);
      if (move !== null) moves.push(move);
    }
    if (moves.length > 0) market.run(moves);
  }
  settle(market, new Rng(~seed));
  checkBooks(market);
  if (!lying)
    assert.equal(-market.model.systemAccounts.processor_clearing, market.book.net(), 'the net');
  refundedAmounts(market, seen);
  return market;
}

/** Lets the processor answer everything and people decide the rest: all must come to an end. */
function settle(market: Market, rng: Rng): void {
  const { model } = market;
  for (const mail of market.late) {
    const move = tell(market, mail);
    if (move !== null) market.run([move]);
  }
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const charges = chargesIn(model).filter(({ of, state }) => {
      return ASKING.includes(state) || (state === 'parked' && of.state !== 'success');
    });
    const sent = sentIn(model).filter(({ state, of }) => {
      const waits = of.state === 'processing' || of.state === 'CREDIT-TRANSFER-INITIATED';
      return ['sending', 'pending'].includes(state) || (state === 'parked' && waits);
    });
    if (charges.length + sent.length === 0) {
      for (const { state } of model.payables) assert.notEqual(state, 'processing', 'no end');
      for (const { state } of model.givings) assert.notEqual(state, 'processing', 'no end');
      const reserved = chargesIn(model).filter(({ state }) => state === 'authorized');
      assert.equal(reserved.length, 0, 'money stays reserved');
      return;
    }
    const moves = charges.map((one) => lastOf(market, one));
    moves.push(...sent.map((one) => lastOfSent(market, one, rng)));
    if (rng.once(2)) market.run(moves);
    else for (const move of moves) market.run([move]);
  }
  assert.fail('what is under way never comes to an end');
}

/** What is said about a charge at last; where somebody lied, that all is well. */
function lastOf(market: Market, charge: Charge): Move {
  const { id: attemptId, state, amount } = charge;
  if (state === 'parked') {
    return tellCharge(market, charge, { attemptId, outcome: { state: 'give_back_decided' } });
  }
  if (!market.lying) {
    market.book.decide(charge, amount % 3n > 0n);
    const { outcome } = honest(market, charge);
    return tellCharge(market, charge, { attemptId, outcome } as Parameters<typeof tellCharge>[2]);
  }
  const well = {
    ...({ authorizing: 'authorized', challenged: 'authorized' } as const),
    ...({ capturing: 'captured', reversing: 'reversed' } as const),
  };
  const said = well[state as keyof typeof well];
  const outcome = { state: said, reference: 'ch-last', amount, currency: CURRENCY };
  return tellCharge(market, charge, { attemptId, outcome });
}

function lastOfSent(market: Market, sent: Sent, rng: Rng): Move {
  const { id: transferId, state, amount } = sent;
  if (state === 'parked') {
    const accepts = market.lying && rng.once(2);
    const outcome = accepts ? acceptance : { ...retry, newId: freshId() };
    return tellSent(market, sent, { transferId, outcome });
  }
  if (!market.lying) {
    const { outcome } = honestSent(market, sent);
    return tellSent(market, sent, { transferId, outcome } as Parameters<typeof tellSent>[2]);
  }
  const outcome = { state: 'paid', reference: 're-last', amount, currency: CURRENCY } as const;
  return tellSent(market, sent, { transferId, outcome });
}

function refundedAmounts({ core, model }: Market, { arrows, ends }: Seen): void {
  checkMoves(core, arrows);
  for (const { kind, state, failure } of model.payables) count(ends, `${kind} ${failure ?? state}`);
  for (const { state } of model.refunds) count(ends, state);
  for (const { state } of model.payouts) count(ends, `payout ${state}`);
}
