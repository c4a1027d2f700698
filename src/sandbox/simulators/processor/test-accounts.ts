// Sandbox accounts that are no cards, which pay and receive payouts, and the list of everything
// attached by name: behaviour, and one sentence on what a person will see.
import { TEST_CARDS, type Attachable, type CardBehaviour } from './test-cards.ts';

const REFUSED: CardBehaviour = {
  authorize: 'decline_generic_error',
  remit: 'decline_generic_error',
};

/** Accounts besides cards, in the order of the docs. */
export const TEST_ACCOUNTS: readonly Attachable[] = [
  {
    name: 'bank',
    brand: 'ach',
    last4: '6789',
    behaviour: { capture: 'pending' },
    outcome: 'A payment stays pending until `settle` or `fail`; payouts are paid at once.',
  },
  {
    name: 'bank_settled',
    brand: 'ach',
    last4: '1116',
    behaviour: {},
    outcome: 'A payment settles at once; payouts are paid at once.',
  },
  {
    name: 'bank_slow',
    brand: 'ach',
    last4: '2227',
    behaviour: { capture: 'pending', remit: 'pending' },
    outcome: 'Payments, refunds and payouts stay pending until `settle` or `fail`.',
  },
  {
    name: 'bank_closed',
    brand: 'ach',
    last4: '3335',
    behaviour: { remit: 'decline_generic_error' },
    outcome: 'A payment settles at once; refunds and payouts are declined: generic_error.',
  },
  {
    name: 'bank_returned',
    brand: 'ach',
    last4: '4443',
    behaviour: {},
    outcome: 'Payments settle and payouts are paid at once; `return` then brings them back.',
  },
  {
    name: 'paypal',
    brand: 'paypal',
    last4: '0001',
    behaviour: {},
    outcome: 'Payments are captured and payouts are paid at once.',
  },
  {
    name: 'paypal_refused',
    brand: 'paypal',
    last4: '0002',
    behaviour: REFUSED,
    outcome: 'Payments and payouts are declined: generic_error.',
  },
];

/** Everything that can be attached by name, cards first. */
export const ATTACHABLES: readonly Attachable[] = [...TEST_CARDS, ...TEST_ACCOUNTS];

const BY_NAME = new Map(ATTACHABLES.map((one) => [one.name, one]));

/** The card or account of that name, or null. */
export function attachable(name: string): Attachable | null {
  return BY_NAME.get(name) ?? null;
}

/** The behaviour a stored name stands for; an unknown name is a fault. */
export function behaviourOf(name: string): CardBehaviour {
  const one = attachable(name);
  if (one === null) throw new Error('the book names a test card that does not exist');
  return one.behaviour;
}
