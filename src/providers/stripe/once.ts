// Paying once on Stripe's own page: Checkout in payment mode, for exactly one amount, with nothing
// saved. A session is the charge until it is paid; from then on its PaymentIntent is. [M13]
import type Stripe from 'stripe';
import {
  onceKindOf,
  type ChargeOrder,
  type ChargeOutcome,
  type Processor,
} from '../processor/port.ts';
import { chargesOf, declined, LARGEST, OTHER_UNIT } from './charges.ts';
import { isTrouble, underKey, unknownOf, type StripeLink, type Trouble } from './connection.ts';
import {
  idOf,
  isFresh,
  KEY,
  LOOKED_AT,
  orderText,
  PAID_ONCE,
  secondsOf,
  SKEW_SECONDS,
} from './intents.ts';

type Session = Stripe.Checkout.Session;
type Charges = Pick<Processor, 'authorize' | 'capture' | 'reverse' | 'retrieve'>;
type Once = Charges & Pick<Processor, 'onceKinds'>;

const UNKNOWN = { state: 'unknown' } as const;
/** Seconds from the key's making until a page ends: we end it earlier, and Stripe at last. */
const OPEN_SECONDS = 4 * 3_600;
/** What the page calls the one thing that is paid; Stripe shows the account's name above it. */
const NAME = 'Your order';
/** Calls until a page that its buyer uses meanwhile has an outcome. */
const ROUNDS = 4;

/** The charges of a connection: of saved cards and accounts, and those that are paid once. */
export function chargesWithOnce(link: StripeLink): Once {
  const saved = chargesOf(link);
  const once = chargesOnce(link, saved);
  const of = ({ token, reference }: ChargeOrder): Charges =>
    onceKindOf(token) === null || reference?.startsWith('pi_') ? saved : once;
  return {
    onceKinds: async () => link.payOnce,
    authorize: (order) => of(order).authorize(order),
    capture: (order) => of(order).capture(order),
    reverse: (order) => of(order).reverse(order),
    retrieve: (order) => of(order).retrieve(order),
  };
}

function chargesOnce(link: StripeLink, saved: Charges): Charges {
  return {
    async authorize(order) {
      const made = await enterSession(link, order);
      if (isTrouble(made)) {
        const no = made.trouble === 'no' || made.trouble === 'missing';
        return no ? declined(order.key, made.code ?? '') : unknownOf(made);
      }
      if (!isFor(made, order)) return UNKNOWN;
      // What a repeated call gives is how the page began, not how it is.
      const now = await link.tried(() => link.stripe.checkout.sessions.retrieve(made.id));
      if (isTrouble(now)) return unknownOf(now);
      return now.status === 'expired' ? declined(now.id, '') : told(now, order, saved.retrieve);
    },
    async capture(order) {
      const found = await findSession(link, order);
      if (found === null) return UNKNOWN;
      if (isTrouble(found)) return unknownOf(found);
      const usable = isFor(found, order) && found.status !== 'open';
      return usable ? told(found, order, saved.capture) : UNKNOWN;
    },
    async retrieve(order) {
      const found = await findSession(link, order);
      if (found === null) return { state: 'absent' };
      return isTrouble(found) ? unknownOf(found) : told(found, order, saved.retrieve);
    },
    reverse: (order) => reverse(link, order, saved),
  };
}

/** What a page says, and once it was used, what its payment says. */
function told(session: Session, order: ChargeOrder, ask: Charges['retrieve']) {
  const used = session.status === 'complete' ? idOf(session.payment_intent) : null;
  return used === null ? outcomeOf(session) : ask({ ...order, reference: used });
}

async function reverse(
  link: StripeLink,
  order: ChargeOrder,
  saved: Charges,
): Promise<ChargeOutcome> {
  const { stripe, tried } = link;
  for (let round = 0; round < ROUNDS; round += 1) {
    const found = await findSession(link, order);
    if (found === null && order.reference) return UNKNOWN;
    if (found === null && isOver(order)) return reversed(order.key, order);
    // What is to bar the key is the page that others would make.
    const session = found ?? (await enterSession(link, order));
    if (isTrouble(session)) return unknownOf(session);
    if (!isFor(session, order)) return UNKNOWN;
    if (session.status !== 'open') return told(session, order, saved.reverse);
    const ended = await tried(() => stripe.checkout.sessions.expire(session.id));
    if (!isTrouble(ended)) return outcomeOf(ended);
    // Paid or ended meanwhile: it is read again.
    if (ended.trouble !== 'no' && ended.trouble !== 'state') return unknownOf(ended);
  }
  return UNKNOWN;
}

/** Makes the page of a key if there is none, and gives it as it was made. */
async function enterSession(link: StripeLink, order: ChargeOrder): Promise<Session | Trouble> {
  const { stripe, tried, payOnce, returnUrl, workspace } = link;
  const { key, amount, currency, token } = order;
  const kind = onceKindOf(token);
  if (kind === null || !payOnce.includes(kind)) {
    return { trouble: 'no', code: 'payment_method_not_available' };
  }
  if (amount > LARGEST) return { trouble: 'no', code: 'amount_too_large' };
  if (OTHER_UNIT.includes(currency)) return { trouble: 'no', code: 'currency_not_supported' };
  const known = isFresh(key) ? null : await findSession(link, order);
  if (known !== null) return known;
  const metadata = {
    [KEY]: key,
    [PAID_ONCE]: orderText(order),
    holdfast_workspace: String(workspace),
  };
  const price = { currency: currency.toLowerCase(), unit_amount: Number(amount) };
  const request: Stripe.Checkout.SessionCreateParams = {
    mode: 'payment',
    allowed_payment_method_types: [kind],
    line_items: [{ quantity: 1, price_data: { ...price, product_data: { name: NAME } } }],
    // Exactly the amount that is owed, whatever the buyer's own currency is.
    adaptive_pricing: { enabled: false },
    customer_creation: 'if_required',
    // Only a card can be authorized: a bank is paid at once, and given back if another part fails.
    payment_intent_data: { metadata, ...(kind === 'card' && { capture_method: 'manual' }) },
    success_url: returnUrl,
    cancel_url: returnUrl,
    // By the key, so that a repetition is the same call.
    expires_at: secondsOf(key) + OPEN_SECONDS,
    metadata,
  };
  return underKey(
    key,
    (idempotencyKey) => tried(() => stripe.checkout.sessions.create(request, { idempotencyKey })),
    () => findSession(link, order),
  );
}

/** The page of a key as it is now; null for none. */
async function findSession(
  link: StripeLink,
  { key, reference }: ChargeOrder,
): Promise<Session | Trouble | null> {
  const { stripe, tried, live } = link;
  if (reference) {
    const session = await tried(() => stripe.checkout.sessions.retrieve(reference));
    if (isTrouble(session)) return session.trouble === 'missing' ? null : session;
    return session.metadata?.[KEY] === key ? session : { trouble: 'unknown' };
  }
  // No page of the key is made before or after these times.
  const made = secondsOf(key);
  const created = { gte: Math.max(made - SKEW_SECONDS, 0), lte: made + OPEN_SECONDS };
  const list = await tried(() =>
    stripe.checkout.sessions
      .list({ created, limit: 100 })
      .autoPagingToArray({ limit: LOOKED_AT }),
  );
  if (isTrouble(list)) return list;
  if (list.some(({ livemode }) => livemode !== live)) return { trouble: 'unknown' };
  const found = list.find(({ metadata }) => metadata?.[KEY] === key);
  if (found !== undefined) return found;
  // Of a fresh key the same call can be made again, so a list that was cut does no harm.
  return list.length < LOOKED_AT || isFresh(key) ? null : { trouble: 'unknown' };
}

/** True where no page can be made under the key any more. */
function isOver({ key }: ChargeOrder): boolean {
  return Date.now() / 1_000 > secondsOf(key) + OPEN_SECONDS + SKEW_SECONDS;
}

function isFor({ metadata }: Session, order: ChargeOrder): boolean {
  return metadata?.[PAID_ONCE] === orderText(order);
}

/** What a page says that has led to no payment. */
function outcomeOf({ id, status, url, amount_total, currency }: Session): ChargeOutcome {
  const held = { amount: BigInt(amount_total ?? 0), currency: (currency ?? '').toUpperCase() };
  if (status === 'expired') return reversed(id, held);
  const open = status === 'open' && url !== null;
  return open ? { state: 'challenged', reference: id, url, ...held } : UNKNOWN;
}

function reversed(
  reference: string,
  { amount, currency }: Pick<ChargeOrder, 'amount' | 'currency'>,
): ChargeOutcome {
  return { state: 'reversed', reference, amount, currency };
}
