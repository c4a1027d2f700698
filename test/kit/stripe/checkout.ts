// Checkout of a Stripe-shaped server: sessions that save a card and sessions that are paid once,
// with the parameters that Stripe's published description knows, and the page that a person sees.
import type Stripe from 'stripe';
import type { Account } from './account.ts';
import { textOf, textsOf, type Form } from './form.ts';
import { ApiError, invalid, newId, type Behaviour, type Session } from './objects.ts';

type Parameter = keyof Stripe.Checkout.SessionCreateParams;

/** Parameters that this server knows; any other is refused. */
const KNOWN: ReadonlySet<string> = new Set<Parameter>([
  ...(['mode', 'allowed_payment_method_types', 'success_url', 'cancel_url'] as const),
  ...(['expires_at', 'metadata', 'customer_creation', 'line_items', 'adaptive_pricing'] as const),
  'payment_intent_data',
]);
/** Ways to pay that need a login at the payer's bank: in euros, and captured at once. */
const REDIRECTS = ['ideal', 'bancontact'];
const [EARLIEST, LATEST] = [1_800, 86_400];

const inside = (form: Form, name: string): Form => {
  const value = form[name];
  return typeof value === 'object' ? value : {};
};

/** Makes a session. Throws what Stripe refuses. */
export function openSession(of: Account, form: Form, url: string): Session {
  const unknown = Object.keys(form).find((name) => !KNOWN.has(name));
  if (unknown !== undefined) throw invalid('parameter_unknown', { param: unknown });
  const ahead = Number(textOf(form, 'expires_at')) - of.now();
  if (!(ahead >= EARLIEST && ahead <= LATEST)) throw invalid(null, { param: 'expires_at' });
  const id = newId(of.live ? 'cs_live' : 'cs_test');
  const mode = textOf(form, 'mode') === 'payment' ? 'payment' : 'setup';
  const session: Session = {
    ...{ id, object: 'checkout.session', livemode: of.live, url: `${url}/c/pay/${id}`, mode },
    ...{ success_url: textOf(form, 'success_url') ?? '', status: 'open', customer: null },
    ...{ setup_intent: null, payment_intent: null, metadata: textsOf(form, 'metadata') },
    ...{ expires_at: of.now() + ahead, created: of.now(), payment_status: 'unpaid' },
    ...(mode === 'payment' ? soldBy(form) : { amount_total: null, currency: null, sold: null }),
  };
  of.sessions.set(id, session);
  return session;
}

function soldBy(form: Form): Pick<Session, 'amount_total' | 'currency' | 'sold'> {
  const price = inside(inside(inside(form, 'line_items'), '0'), 'price_data');
  const [amount, currency] = [Number(textOf(price, 'unit_amount')), textOf(price, 'currency')];
  const data = inside(form, 'payment_intent_data');
  const [type = 'card'] = Object.values(textsOf(form, 'allowed_payment_method_types'));
  const capture = textOf(data, 'capture_method') ?? 'automatic';
  if (textOf(inside(price, 'product_data'), 'name') === null || currency === null) {
    throw invalid('parameter_missing', { param: 'line_items' });
  }
  if (!Number.isSafeInteger(amount) || amount > 99_999_999) throw invalid('amount_too_large');
  if (amount < 50) throw invalid('amount_too_small');
  const redirected = REDIRECTS.includes(type);
  if (redirected && (currency !== 'eur' || capture === 'manual')) {
    throw invalid(null, { param: 'allowed_payment_method_types' });
  }
  const sold = { type: type as Behaviour['type'], capture, metadata: textsOf(data, 'metadata') };
  return { amount_total: amount, currency, sold };
}

/** A session as the API shows it. */
export function sessionShown({ sold: _sold, ...session }: Session): Session {
  return { ...session, url: session.status === 'open' ? session.url : null } as Session;
}

/** Ends an open session. Throws what Stripe refuses. */
export function expireSession(of: Account, id: string): Session {
  const session = of.sessions.get(id);
  if (session === undefined) throw new ApiError(404, 'invalid_request_error', 'resource_missing');
  if (session.status !== 'open') throw invalid(null);
  session.status = 'expired';
  of.tell('checkout.session.expired', sessionShown(session));
  return sessionShown(session);
}

/** The person finishes the page: a card is saved, or the amount is paid. False: too late, or no. */
export function finishSession(of: Account, session: Session, does: Behaviour): boolean {
  if (session.status !== 'open') return false;
  const { id: method, customer } = of.save(does);
  if (session.mode === 'setup') {
    const card = { brand: 'visa', last4: '4242' };
    const shape = does.type === 'card' ? { card } : { us_bank_account: { last4: '6789' } };
    session.customer = customer;
    const saved = { id: method, object: 'payment_method', type: does.type, ...shape };
    session.setup_intent = { object: 'setup_intent', payment_method: saved };
  } else if (!paid(of, session, { customer, payment_method: method })) return false;
  session.status = 'complete';
  of.tell('checkout.session.completed', sessionShown(session));
  return true;
}

function paid(
  of: Account,
  session: Session,
  payer: { readonly customer: string; readonly payment_method: string },
): boolean {
  const { amount_total: amount, currency, sold } = session;
  if (amount === null || currency === null || sold === null) return false;
  const { capture: capture_method, metadata } = sold;
  const intent = of.create({ ...payer, amount, currency, capture_method, metadata });
  session.payment_intent = intent.id;
  try {
    of.confirm(intent.id, session.success_url);
  } catch (error) {
    // The page says so, and takes another card.
    if (error instanceof ApiError) return false;
    throw error;
  }
  if (intent.status === 'succeeded') session.payment_status = 'paid';
  return true;
}

/** What a bank has decided about a payment that was under way when its page ended. */
export function settleSession(of: Account, session: Session, well: boolean): void {
  if (!of.settle(session.payment_intent ?? '', well)) throw new Error('nothing is under way');
  if (well) session.payment_status = 'paid';
  const how = well ? 'succeeded' : 'failed';
  of.tell(`checkout.session.async_payment_${how}`, sessionShown(session));
}

/** The page. */
export function sessionPage(session: Session): string {
  const { status, mode, amount_total, currency, success_url } = session;
  const sum = `${((amount_total ?? 0) / 100).toFixed(2)} ${(currency ?? '').toUpperCase()}`;
  const title = mode === 'setup' ? 'Save a card' : `Pay ${sum}`;
  const form =
    status === 'open'
      ? `<form method="post"><label>Card number <input name="number" inputmode="numeric"></label>
        <button name="decision" value="confirm">${title}</button></form>
        <a href="${success_url}">Back</a>`
      : `<p>This page is ${status}.</p>`;
  return `<!doctype html><html lang="en"><title>${title}</title>
    <link rel="icon" href="data:,"><h1>${title}</h1>${form}</html>`;
}
