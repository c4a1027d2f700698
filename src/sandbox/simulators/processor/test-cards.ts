// The sandbox's test cards: number, behaviour, and one sentence on what a person will see. The
// numbers are published test numbers, or of ranges that no bank issues; any other number is
// refused, so no real card can enter. No other file may contain a card number.
import type { TestCardFact } from '../../ports/cards.ts';
import type { ExchangeName } from './exchanges.ts';

/** How a card or account behaves: the outcome for each kind of call; by default it works. */
export interface CardBehaviour {
  readonly authorize?: ExchangeName;
  readonly capture?: ExchangeName;
  /** A decline is for captured money only; an authorization can always be given up. */
  readonly reverse?: ExchangeName;
  /** A refund of it, or a payout to it. */
  readonly remit?: ExchangeName;
  /** An answer to a dispute of its charge. */
  readonly answer?: ExchangeName;
}

/** A card or account that is attached by name. */
export interface Attachable extends TestCardFact {
  readonly behaviour: CardBehaviour;
}

/** One test card. */
export interface TestCard extends Attachable {
  /** A test number; 12 to 19 digits. */
  readonly number: string;
}

/** Cards that pay. */
const WORKING = [
  ['visa', 'visa', '4111111111111111'],
  ['visa_4242', 'visa', '4242424242424242'],
  ['mastercard', 'master-card', '5555555555554444'],
  ['amex', 'american-express', '378282246310005'],
  ['discover', 'discover', '6011111111111117'],
  ['diners', 'diners-club', '30569309025904'],
  ['jcb', 'jcb', '3530111333300000'],
  ['unionpay', 'union-pay', '6253111111111114'],
  ['maestro', 'maestro', '6759641111111119'],
] as const;

/** Cards that are declined without further reason. */
const DECLINED = [
  ['card_declined', 'visa', '4000000000000002'],
  ['mastercard_declined', 'master-card', '5105105105105100'],
  ['amex_declined', 'american-express', '371449635398431'],
  ['discover_declined', 'discover', '6011000990139424'],
  ['jcb_declined', 'jcb', '3566002020360505'],
] as const;

/** Cards that are declined for the reason that is their name. */
const REFUSED = [
  ['generic_error', '4000000000000028', 'Refused without a reason'],
  ['insufficient_funds', '4000000000009995', 'The account behind the card holds too little'],
  ['card_expired', '4000000000000069', 'The card is past its date'],
  ['incorrect_cvc', '4000000000000127', 'The code on the back does not match'],
  ['processing_error', '4000000000000119', 'The bank could not process it'],
  ['authentication_required', '4000002500003155', 'The bank wants the person to confirm'],
  ['limit_exceeded', '4000000000006975', 'Over a limit of the card'],
] as const;

function card(
  [name, brand, number]: readonly [name: string, brand: string, number: string],
  behaviour: CardBehaviour,
  outcome: string,
): TestCard {
  return { name, brand, last4: number.slice(-4), number, behaviour, outcome };
}

function visa(
  name: string,
  number: string,
  behaviour: CardBehaviour,
  outcome: string,
): TestCard {
  return card([name, 'visa', number], behaviour, outcome);
}

/** Cards with a behaviour of their own. */
const SPECIAL: readonly TestCard[] = [
  visa('three_d_secure', '4000002760003184', { authorize: 'challenge' },
    'The person must confirm at the bank: the payment waits with a link, then authorises.'),
  visa('capture_declined', '4000000000001018', { capture: 'decline_card_declined' },
    'Authorises; the capture is then declined: card_declined.'),
  visa('timeout_before_effect', '4000000000002016', { authorize: 'timeout_before_effect' },
    'The first authorisation of each payment gets no answer, and nothing happened.'),
  visa('timeout_after_effect', '4000000000002024', { authorize: 'timeout_after_effect' },
    'The first authorisation of each payment gets no answer, and the money is reserved.'),
  visa('capture_timeout_before_effect', '4000000000002032', { capture: 'timeout_before_effect' },
    'The first capture of each payment gets no answer, and nothing was taken.'),
  visa('capture_timeout_after_effect', '4000000000002040', { capture: 'timeout_after_effect' },
    'The first capture of each payment gets no answer, and the money was taken.'),
  visa('slow', '4000000000003014', { authorize: 'slow' },
    'Authorises after two seconds, then captures.'),
  visa('refund_declined', '4000000000004012',
    { reverse: 'decline_card_declined', remit: 'decline_card_declined' },
    'Pays; what was captured cannot be given back: card_declined.'),
  visa('refund_timeout_before_effect', '4000000000004020',
    { reverse: 'timeout_before_effect', remit: 'timeout_before_effect' },
    'Pays; the first call of each refund gets no answer, and nothing happened.'),
  visa('refund_timeout_after_effect', '4000000000004038',
    { reverse: 'timeout_after_effect', remit: 'timeout_after_effect' },
    'Pays; the first call of each refund gets no answer, and the money was given back.'),
];

/** Every test card, in the order of the docs. */
export const TEST_CARDS: readonly TestCard[] = [
  ...WORKING.map((row) => card(row, {}, 'Authorises and captures.')),
  ...DECLINED.map((row) =>
    card(row, { authorize: 'decline_card_declined' }, 'Declined by the bank: card_declined.'),
  ),
  ...REFUSED.map(([code, number, why]) =>
    visa(code, number, { authorize: `decline_${code}` }, `${why}: ${code}.`),
  ),
  ...SPECIAL,
];

const BY_NUMBER = new Map(TEST_CARDS.map((card) => [card.number, card]));

/** The card with that number, or null: then it is no test number and must be refused. */
export function testCardNumbered(number: string): TestCard | null {
  return BY_NUMBER.get(number) ?? null;
}

/**
 * The behaviour of an entered card: its own, but a code of zeros is wrong on every card, and
 * 10/2051 is a date that the bank calls past, as in the public test gateway.
 */
export function behaviourEntered(
  card: TestCard,
  cvc: string,
  month: number,
  year: number,
): string {
  if (/^0+$/.test(cvc)) return 'incorrect_cvc';
  if (month === 10 && year === 2051) return 'card_expired';
  return card.name;
}
