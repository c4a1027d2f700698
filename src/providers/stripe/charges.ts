// Charges at Stripe: authorized and captured apart, given back whole, looked up by key. What Stripe
// says about its PaymentIntent is the outcome; a call that met another state reads it again. [M13]
import type Stripe from 'stripe';
import type { ChargeOrder, ChargeOutcome, Processor } from '../processor/port.ts';
import { declineCode } from './codes.ts';
import { isTrouble, underKey, unknownOf, type StripeLink, type Trouble } from './connection.ts';
import {
  enterIntent,
  findIntent,
  isFresh,
  isOf,
  KEY,
  readIntent,
  savedOf,
  type Saved,
} from './intents.ts';

type Charges = Pick<Processor, 'authorize' | 'capture' | 'reverse' | 'retrieve'>;
type Intent = Stripe.PaymentIntent;

const UNKNOWN = { state: 'unknown' } as const;
/** Stripe takes eight digits. */
export const LARGEST = 99_999_999n;
/** Currencies whose minor unit at Stripe is not ISO 4217's: an amount would be another one. */
export const OTHER_UNIT: readonly string[] = ['ISK', 'UGX', 'MGA'];
/** Calls until a payment that others change too has an outcome. */
const ROUNDS = 4;

export function chargesOf(link: StripeLink): Charges {
  return {
    authorize: (order) => authorize(link, order),
    capture: (order) => capture(link, order),
    reverse: (order) => reverse(link, order),
    async retrieve(order) {
      const found = await findIntent(link, order);
      if (found === null) return { state: 'absent' };
      return isTrouble(found) ? unknownOf(found) : outcomeOf(link, order, found);
    },
  };
}

async function authorize(link: StripeLink, order: ChargeOrder): Promise<ChargeOutcome> {
  const { stripe, tried } = link;
  const saved = savedOf(order.token);
  if (saved === null) return UNKNOWN;
  if (order.amount > LARGEST) return declined(order.key, 'amount_too_large');
  if (OTHER_UNIT.includes(order.currency)) return declined(order.key, 'currency_not_supported');
  const intent = await intentFor(link, order, saved);
  if (isTrouble(intent)) {
    // Nothing was made: the card is gone at Stripe, or may not be used for this.
    const no = intent.trouble === 'no' || intent.trouble === 'missing';
    return no ? declined(order.key, intent.code ?? '') : unknownOf(intent);
  }
  if (!isOf(intent, order)) return UNKNOWN;
  if (intent.status !== 'requires_confirmation' || saved.debit) {
    // What a repeated call gives is how the payment began, not how it is.
    const now = await tried(() => readIntent(stripe, intent.id));
    return isTrouble(now) ? unknownOf(now) : authorized(link, order, now);
  }
  return settled(link, order, await confirm(link, intent.id), authorized);
}

/** The PaymentIntent to confirm. One whose creation Stripe may have forgotten is looked for. */
async function intentFor(
  link: StripeLink,
  order: ChargeOrder,
  saved: Saved,
): Promise<Intent | Trouble> {
  const found = isFresh(order.key) ? null : await findIntent(link, order);
  return found ?? enterIntent(link, order, saved);
}

/** A key that was given up before it was used can never pay. */
async function authorized(
  link: StripeLink,
  order: ChargeOrder,
  intent: Intent,
): Promise<ChargeOutcome> {
  const barred = intent.status === 'canceled' && intent.latest_charge === null;
  return barred ? declined(intent.id, '') : outcomeOf(link, order, intent);
}

async function capture(link: StripeLink, order: ChargeOrder): Promise<ChargeOutcome> {
  const { stripe, tried } = link;
  const found = await findIntent(link, order);
  if (found === null) return UNKNOWN;
  if (isTrouble(found)) return unknownOf(found);
  if (!isOf(found, order)) return UNKNOWN;
  if (found.status === 'requires_capture') {
    const taken = await tried(() => stripe.paymentIntents.capture(found.id));
    const outcome = await settled(link, order, taken);
    // Refused, but still held: the next call asks again.
    return outcome.state === 'authorized' ? UNKNOWN : outcome;
  }
  const debit = savedOf(order.token)?.debit === true;
  if (found.status === 'requires_confirmation') {
    return debit ? settled(link, order, await confirm(link, found.id)) : UNKNOWN;
  }
  return outcomeOf(link, order, found);
}

function confirm({ stripe, tried, returnUrl }: StripeLink, id: string): Promise<Intent | Trouble> {
  // Not off-session: where the bank asks, the buyer gets a link and is not declined. [G-39]
  return tried(() => stripe.paymentIntents.confirm(id, { return_url: returnUrl }));
}

async function reverse(link: StripeLink, order: ChargeOrder): Promise<ChargeOutcome> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const found = await findIntent(link, order);
    if (found !== null && isTrouble(found)) return unknownOf(found);
    const saved = savedOf(order.token);
    const unused = found === null || found.status === 'requires_confirmation';
    if (unused && saved === null) return UNKNOWN;
    // What is to bar the key is the one that others would confirm.
    const intent =
      unused && saved !== null && isFresh(order.key)
        ? await enterIntent(link, order, saved)
        : (found ?? (saved && (await enterIntent(link, order, saved))));
    if (intent === null) return UNKNOWN;
    if (isTrouble(intent)) return unknownOf(intent);
    if (!isOf(intent, order)) return UNKNOWN;
    const given = await giveBack(link, order, intent);
    if (given !== null) return given;
  }
  return UNKNOWN;
}

/** Voids or refunds what a payment holds; null where it has changed meanwhile. */
async function giveBack(
  link: StripeLink,
  order: ChargeOrder,
  intent: Intent,
): Promise<ChargeOutcome | null> {
  const { stripe, tried } = link;
  const lost = intent.status === 'requires_payment_method' && intent.last_payment_error !== null;
  if (lost || intent.status === 'canceled') return outcomeOf(link, order, intent);
  if (intent.status !== 'succeeded') {
    const ended = await tried(() => stripe.paymentIntents.cancel(intent.id));
    if (!isTrouble(ended)) return outcomeOf(link, order, ended);
    return ended.trouble === 'state' || ended.trouble === 'no' ? null : unknownOf(ended);
  }
  // Without an amount: all that earlier refunds have left.
  const request = { payment_intent: intent.id, metadata: { [KEY]: order.key } };
  const sent = await underKey(`${order.key}-reverse`, (idempotencyKey) =>
    tried(() => stripe.refunds.create(request, { idempotencyKey })),
  );
  if (!isTrouble(sent) || sent.code === 'charge_already_refunded') return reversed(intent);
  return sent.trouble === 'no' || sent.trouble === 'state'
    ? declined(intent.id, sent.code ?? '')
    : unknownOf(sent);
}

/** The outcome of a call that was to change a payment. */
async function settled(
  link: StripeLink,
  order: ChargeOrder,
  answer: Intent | Trouble,
  read: typeof outcomeOf = outcomeOf,
): Promise<ChargeOutcome> {
  if (!isTrouble(answer)) return read(link, order, answer);
  if (answer.trouble !== 'state' && answer.trouble !== 'no') return unknownOf(answer);
  const reference = answer.intent?.id ?? order.reference;
  const found = await findIntent(link, { ...order, reference });
  if (found === null) return UNKNOWN;
  if (isTrouble(found)) return unknownOf(found);
  const refused = answer.trouble === 'no' && found.status === 'requires_confirmation';
  return refused ? declined(found.id, answer.code ?? '') : read(link, order, found);
}

/** What a PaymentIntent says about the key. */
async function outcomeOf(
  link: StripeLink,
  order: ChargeOrder,
  intent: Intent,
): Promise<ChargeOutcome> {
  const { id: reference, status, last_payment_error: error } = intent;
  const currency = intent.currency.toUpperCase();
  const held = { reference, amount: BigInt(intent.amount), currency };
  switch (status) {
    case 'requires_confirmation':
      return savedOf(order.token)?.debit === true
        ? { state: 'authorized', ...held }
        : { state: 'absent' };
    case 'requires_payment_method':
      return error === null
        ? { state: 'absent' }
        : { state: 'declined', reference, code: declineCode(error) };
    case 'requires_action': {
      const url = intent.next_action?.redirect_to_url?.url ?? null;
      return url === null ? UNKNOWN : { state: 'challenged', url, ...held };
    }
    case 'requires_capture':
      return heldBy('authorized', intent, intent.amount_capturable);
    case 'processing':
      return { state: 'pending', ...held };
    case 'succeeded':
      return capturedOrReversed(link, order.key, intent);
    case 'canceled':
      return reversed(intent);
    default:
      return UNKNOWN;
  }
}

/** A captured payment is reversed once a refund has the key of the charge itself. */
async function capturedOrReversed(
  { stripe, tried }: StripeLink,
  key: string,
  intent: Intent,
): Promise<ChargeOutcome> {
  const { id, latest_charge: charge } = intent;
  if (charge !== null && typeof charge === 'object' && charge.amount_refunded > 0) {
    const refunds = await tried(() =>
      stripe.refunds.list({ payment_intent: id, limit: 100 }).autoPagingToArray({ limit: 1_000 }),
    );
    if (isTrouble(refunds)) return unknownOf(refunds);
    if (refunds.some((one) => one.metadata?.[KEY] === key)) return reversed(intent);
  }
  return heldBy('captured', intent, intent.amount_received);
}

/** What a PaymentIntent holds or took; an answer that says nothing of the amount is none. */
function heldBy(
  state: 'authorized' | 'captured',
  { id: reference, currency }: Intent,
  amount: number | undefined,
): ChargeOutcome {
  if (amount === undefined) return UNKNOWN;
  return { state, reference, amount: BigInt(amount), currency: currency.toUpperCase() };
}

function reversed({ id, amount, currency }: Intent): ChargeOutcome {
  const held = { amount: BigInt(amount), currency: currency.toUpperCase() };
  return { state: 'reversed', reference: id, ...held };
}

export function declined(reference: string, code: string): ChargeOutcome {
  return { state: 'declined', reference, code: declineCode({ code }) };
}
