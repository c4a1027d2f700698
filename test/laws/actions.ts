// What can happen in the market, as data, and how fast-check makes it: mostly sensible,
// sometimes not.
import fc from 'fast-check';
import type { ChargeOutcome } from '../../src/ports/processor.ts';

/** One recipient of a line; `millionths`: a fee as a fraction, else `fee` minor units. */
export interface RecipientWish {
  readonly seller: number;
  readonly amount: number;
  readonly fee: number;
  readonly millionths: number | null;
}

/** One line; `amount` counts only where there is no recipient. */
export interface LineWish {
  readonly amount: number;
  readonly recipients: readonly RecipientWish[];
}

/** A sale that somebody wants. A line without recipients goes to the integrator. */
export interface SaleWish {
  readonly buyer: number;
  readonly lines: readonly LineWish[];
  /** Positions among the buyer's methods, each once; the last takes the remainder. */
  readonly methods: readonly number[];
  readonly amounts: readonly number[];
  /** The lines do not sum up. */
  readonly spoil: boolean;
}

/** How a card behaves in the honest processor's book. */
export interface CardPlan {
  readonly authorize: boolean;
  readonly capture: 'all' | 'none' | 'more';
}

export type Action =
  | { readonly kind: 'create'; readonly sale: SaleWish }
  | { readonly kind: 'pay'; readonly sales: readonly number[] }
  | { readonly kind: 'ask'; readonly attempt: number }
  | { readonly kind: 'repeat'; readonly answer: number }
  | { readonly kind: 'lie'; readonly attempt: number; readonly outcome: ChargeOutcome }
  | { readonly kind: 'stranger'; readonly outcome: ChargeOutcome }
  | {
      readonly kind: 'kyc';
      readonly person: number;
      readonly state: string;
      readonly requirements: string;
    }
  | { readonly kind: 'block'; readonly person: number; readonly on: boolean }
  | {
      readonly kind: 'method';
      readonly person: number;
      readonly method: number;
      readonly on: boolean;
    };

/** A program and the cards that it meets, by token. */
export interface Program {
  readonly plans: readonly CardPlan[];
  readonly actions: readonly Action[];
}

const CARDS = 6;
const one = fc.nat(11);
/** Amounts at their edges: nothing, one, what a wallet holds and one more, the largest. */
const amount = fc.oneof(
  { weight: 6, arbitrary: fc.nat(3_000) },
  { weight: 1, arbitrary: fc.constantFrom(0, 1, 9_999, 10_000, 10_001, 99_999_999_999) },
);

const recipient = fc.record({
  seller: one,
  amount,
  fee: fc.constantFrom(0, 0, 1, 30),
  millionths: fc.oneof(fc.constant(null), fc.constantFrom(0, 1, 29_000, 500_000, 999_999)),
});

const sale: fc.Arbitrary<SaleWish> = fc.record({
  buyer: one,
  lines: fc.array(
    fc.record({ amount, recipients: fc.array(recipient, { maxLength: 3 }) }),
    { minLength: 1, maxLength: 3 },
  ),
  methods: fc.shuffledSubarray([0, 1, 2]),
  amounts: fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 2, maxLength: 2 }),
  spoil: fc.nat(15).map((n) => n === 0),
});

const reference = 'ch-lie';
const outcome: fc.Arbitrary<ChargeOutcome> = fc.oneof(
  fc.record({
    state: fc.constantFrom('authorized' as const, 'captured' as const, 'reversed' as const),
    reference: fc.constant(reference),
    // Zero stands for the right amount.
    amount: fc.constantFrom(0n, 0n, 0n, 1n),
    currency: fc.constantFrom('USD', 'USD', 'USD', 'EUR'),
  }),
  fc.constant({ state: 'declined' as const, reference, code: 'card_declined' }),
  fc.constant({ state: 'absent' as const }),
);

const honest = [
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('create' as const), sale }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('pay' as const),
      sales: fc.array(fc.nat(19), { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('ask' as const), attempt: one }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('repeat' as const), answer: fc.nat(40) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('stranger' as const), outcome }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('kyc' as const),
      person: one,
      state: fc.constantFrom('ACCEPT', 'DENY', 'NODATA', 'MANUAL_REVIEW', 'CANCEL'),
      requirements: fc.constantFrom('NONE', 'FULL_KYC', 'FULL_KYC', 'TAX_UPDATE', ''),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('block' as const), person: one, on: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('method' as const),
      person: one,
      method: one,
      on: fc.boolean(),
    }),
  },
];

const lie = {
  weight: 6,
  arbitrary: fc.record({ kind: fc.constant('lie' as const), attempt: one, outcome }),
};

const plans = fc.array(
  fc.record({
    authorize: fc.nat(3).map((n) => n > 0),
    capture: fc.constantFrom<CardPlan['capture'][]>('all', 'all', 'all', 'none', 'more'),
  }),
  { minLength: CARDS, maxLength: CARDS },
);

/** Programs with a processor that answers by its book, or one that anybody may speak for. */
export function programs(lying: boolean): fc.Arbitrary<Program> {
  const action: fc.Arbitrary<Action> = fc.oneof(...(lying ? [...honest, lie] : honest));
  const actions = fc.array(action, { minLength: 4, maxLength: 24, size: 'max' });
  return fc.record({ plans, actions });
}
