// The sandbox's test cards: number, behaviour, and one sentence on what a person will see. The
// numbers are published test numbers, or of ranges that no bank issues; any other number is
// refused, so no real card can enter. No other file may contain a card number.
import type { ExchangeName } from './exchanges.ts';

/** How a card or account behaves: the outcome for each kind of call; by default it works. */
export interface CardBehaviour {
  readonly authorize?: ExchangeName;
  readonly capture?: ExchangeName;
  /** A decline is for captured money only; an authorization can always be given up. */
  readonly reverse?: ExchangeName;
  /** A refund of it, or a payout to it. */
  readonly remit?: ExchangeName;
}

/** One test card. */
export interface TestCard {
  /** The name that `test_card` and the CLI take. */
  readonly name: string;
  /** Lower case with hyphens. */
  readonly brand: string;
  readonly last4: string;
  /** A test number; 12 to 19 digits. */
  readonly number: string;
  readonly behaviour: CardBehaviour;
  /** What happens, for a person. */
  readonly outcome: string;
}

type Row = readonly [
  name: string,
  brand: string,
  number: string,
  behaviour: CardBehaviour,
  outcome: string,
];

const GOOD = 'Authorises and captures.';
const DECLINED: CardBehaviour = { authorize: 'decline_card_declined' };
const REFUSED = 'Declined by the bank: card_declined.';

const ROWS: readonly Row[] = [
  ['visa', 'visa', '4111111111111111', {}, GOOD],
  ['visa_4242', 'visa', '4242424242424242', {}, GOOD],
  ['mastercard', 'master-card', '5555555555554444', {}, GOOD],
  ['amex', 'american-express', '378282246310005', {}, GOOD],
  ['discover', 'discover', '6011111111111117', {}, GOOD],
  ['diners', 'diners-club', '30569309025904', {}, GOOD],
  ['jcb', 'jcb', '3530111333300000', {}, GOOD],
  ['unionpay', 'union-pay', '6253111111111114', {}, GOOD],
  ['maestro', 'maestro', '6759641111111119', {}, GOOD],
  ['card_declined', 'visa', '4000000000000002', DECLINED, REFUSED],
  ['mastercard_declined', 'master-card', '5105105105105100', DECLINED, REFUSED],
  ['amex_declined', 'american-express', '371449635398431', DECLINED, REFUSED],
  ['discover_declined', 'discover', '6011000990139424', DECLINED, REFUSED],
  ['jcb_declined', 'jcb', '3566002020360505', DECLINED, REFUSED],
  [
    'generic_error',
    'visa',
    '4000000000000028',
    { authorize: 'decline_generic_error' },
    'Refused without a reason: generic_error.',
  ],
  [
    'insufficient_funds',
    'visa',
    '4000000000009995',
    { authorize: 'decline_insufficient_funds' },
    'The account behind the card holds too little: insufficient_funds.',
  ],
  [
    'card_expired',
    'visa',
    '4000000000000069',
    { authorize: 'decline_card_expired' },
    'The card is past its date: card_expired.',
  ],
  [
    'incorrect_cvc',
    'visa',
    '4000000000000127',
    { authorize: 'decline_incorrect_cvc' },
    'The code on the back does not match: incorrect_cvc.',
  ],
  [
    'processing_error',
    'visa',
    '4000000000000119',
    { authorize: 'decline_processing_error' },
    'The bank could not process it: processing_error.',
  ],
  [
    'authentication_required',
    'visa',
    '4000002500003155',
    { authorize: 'decline_authentication_required' },
    'The bank wants the person to confirm: authentication_required.',
  ],
  [
    'limit_exceeded',
    'visa',
    '4000000000006975',
    { authorize: 'decline_limit_exceeded' },
    'Over a limit of the card: limit_exceeded.',
  ],
  [
    'three_d_secure',
    'visa',
    '4000002760003184',
    { authorize: 'challenge' },
    'The person must confirm at the bank: the payment waits with a link, then authorises.',
  ],
  [
    'capture_declined',
    'visa',
    '4000000000001018',
    { capture: 'decline_card_declined' },
    'Authorises; the capture is then declined: card_declined.',
  ],
  [
    'timeout_before_effect',
    'visa',
    '4000000000002016',
    { authorize: 'timeout_before_effect' },
    'The first authorisation of each payment gets no answer, and nothing happened.',
  ],
  [
    'timeout_after_effect',
    'visa',
    '4000000000002024',
    { authorize: 'timeout_after_effect' },
    'The first authorisation of each payment gets no answer, and the money is reserved.',
  ],
  [
    'capture_timeout_before_effect',
    'visa',
    '4000000000002032',
    { capture: 'timeout_before_effect' },
    'The first capture of each payment gets no answer, and nothing was taken.',
  ],
  [
    'capture_timeout_after_effect',
    'visa',
    '4000000000002040',
    { capture: 'timeout_after_effect' },
    'The first capture of each payment gets no answer, and the money was taken.',
  ],
  [
    'slow',
    'visa',
    '4000000000003014',
    { authorize: 'slow' },
    'Authorises after two seconds, then captures.',
  ],
  [
    'refund_declined',
    'visa',
    '4000000000004012',
    { reverse: 'decline_card_declined', remit: 'decline_card_declined' },
    'Pays; what was captured cannot be given back: card_declined.',
  ],
  [
    'refund_timeout_before_effect',
    'visa',
    '4000000000004020',
    { reverse: 'timeout_before_effect', remit: 'timeout_before_effect' },
    'Pays; the first call of each refund gets no answer, and nothing happened.',
  ],
  [
    'refund_timeout_after_effect',
    'visa',
    '4000000000004038',
    { reverse: 'timeout_after_effect', remit: 'timeout_after_effect' },
    'Pays; the first call of each refund gets no answer, and the money was given back.',
  ],
];

/** Every test card, in the order of the docs. */
export const TEST_CARDS: readonly TestCard[] = ROWS.map(
  ([name, brand, number, behaviour, outcome]) => ({
    name,
    brand,
    last4: number.slice(-4),
    number,
    behaviour,
    outcome,
  }),
);

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
