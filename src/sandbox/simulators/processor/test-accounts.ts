// Sandbox accounts that are no cards, which pay and receive payouts, and the list of everything
// attached by name: behaviour, and one sentence on what a person will see.
import { TEST_CARDS, type Attachable, type CardBehaviour } from './test-cards.ts';

const REFUSED: CardBehaviour = {
  authorize: 'decline_generic_error',
  remit: 'decline_generic_error',
};

function account(
  name: string,
  brand: string,
  last4: string,
  behaviour: CardBehaviour,
  outcome: string,
): Attachable {
  return { name, brand, last4, behaviour, outcome };
}

/** Accounts besides cards, in the order of the docs. */
export const TEST_ACCOUNTS: readonly Attachable[] = [
  account('bank', 'ach', '6789', { capture: 'pending' },
    'A payment stays pending until `settle` or `fail`; payouts are paid at once.'),
  account('bank_settled', 'ach', '1116', {},
    'A payment settles at once; payouts are paid at once.'),
  account('bank_slow', 'ach', '2227', { capture: 'pending', remit: 'pending' },
    'Payments, refunds and payouts stay pending until `settle` or `fail`.'),
  account('bank_closed', 'ach', '3335', { remit: 'decline_generic_error' },
    'A payment settles at once; refunds and payouts are declined: generic_error.'),
  account('bank_returned', 'ach', '4443', {},
    'Payments settle and payouts are paid at once; `return` then brings them back.'),
  account('paypal', 'paypal', '0001', {}, 'Payments are captured and payouts are paid at once.'),
  account('paypal_refused', 'paypal', '0002', REFUSED,
    'Payments and payouts are declined: generic_error.'),
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
