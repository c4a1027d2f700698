// The routes of a Stripe-shaped server over its accounts, and its lists: newest first, after an
// older row or before a newer one.
import type { Account } from './account.ts';
import { ApiError, newId, type Session } from './objects.ts';
import { textOf, textsOf, type Form } from './form.ts';
import { identityOf } from './identity.ts';

/** A call of one account, with the id of its path. */
export interface Asked {
  readonly of: Account;
  readonly id: string;
  readonly form: Form;
  /** Of Checkout, of all accounts. */
  readonly sessions: Map<string, Session>;
  readonly url: string;
}

type Route = (asked: Asked) => object;

const text = (form: Form, name: string): string => textOf(form, name) ?? '';

export const ROUTES: Readonly<Record<string, Route>> = {
  'POST /v1/payment_intents': ({ of, form }) =>
    of.create({
      amount: Number(text(form, 'amount')),
      currency: text(form, 'currency'),
      customer: text(form, 'customer'),
      payment_method: text(form, 'payment_method'),
      capture_method: text(form, 'capture_method') || 'automatic',
      metadata: textsOf(form, 'metadata'),
    }),
  'GET /v1/payment_intents': ({ of, form }) => {
    const customer = text(form, 'customer');
    if (!of.knows(customer)) missing(400);
    const list = [...of.intents.values()].filter((one) => one.customer === customer);
    return listed(list.map((one) => shown(of, one)), form);
  },
  'GET /v1/payment_intents/:id': ({ of, id }) => shown(of, of.intent(id)),
  'POST /v1/payment_intents/:id/confirm': ({ of, id, form }) =>
    of.confirm(id, textOf(form, 'return_url')),
  'POST /v1/payment_intents/:id/capture': ({ of, id }) => of.capture(id),
  'POST /v1/payment_intents/:id/cancel': ({ of, id }) => of.cancel(id),
  'POST /v1/refunds': ({ of, form }) => {
    const amount = textOf(form, 'amount');
    const sum = amount === null ? null : Number(amount);
    return of.refund(text(form, 'payment_intent'), sum, textsOf(form, 'metadata'));
  },
  'GET /v1/refunds': ({ of, form }) => {
    const intent = of.intent(text(form, 'payment_intent'));
    return listed([...of.refunds.values()].filter((one) => one.payment_intent === intent.id), form);
  },
  'GET /v1/charges/:id': ({ of, id }) => of.charges.get(id) ?? missing(),
  'GET /v1/balance_transactions': ({ of, form }) => {
    const sourceOf = (id: string): object | string =>
      of.charges.get(id) ?? of.refunds.get(id) ?? of.disputes.get(id) ?? id;
    return listed(of.transactions.map((one) => ({ ...one, source: sourceOf(one.source) })), form);
  },
  'GET /v1/events': ({ of, form }) => {
    const types = Object.values(textsOf(form, 'types'));
    return listed(of.events.filter(({ type }) => types.includes(type)), form);
  },
  'GET /v1/balance': ({ of }) => ({ object: 'balance', livemode: of.live, available: [] }),
  'POST /v1/checkout/sessions': ({ of, form, sessions, url }) => {
    const id = newId(of.live ? 'cs_live' : 'cs_test');
    const session: Session = {
      ...{ id, object: 'checkout.session', livemode: of.live, url: `${url}/c/pay/${id}` },
      ...{ success_url: text(form, 'success_url'), status: 'open', customer: null },
      ...{ setup_intent: null, metadata: textsOf(form, 'metadata') },
      expires_at: Number(text(form, 'expires_at')),
    };
    sessions.set(id, session);
    return session;
  },
  'GET /v1/checkout/sessions/:id': ({ id, sessions }) => sessions.get(id) ?? missing(),
  'POST /v1/identity/verification_sessions': ({ of, form, url }) =>
    identityOf(of, url).create(form),
  'GET /v1/identity/verification_sessions': ({ of, form, url }) =>
    listed(identityOf(of, url).ofReference(textOf(form, 'client_reference_id')), form),
  'GET /v1/identity/verification_sessions/:id': ({ of, id, form, url }) =>
    identityOf(of, url).show(id, Object.values(textsOf(form, 'expand'))),
  'POST /v1/identity/verification_sessions/:id/cancel': ({ of, id, url }) =>
    identityOf(of, url).cancel(id),
  'POST /v1/identity/verification_sessions/:id/redact': ({ of, id, url }) =>
    identityOf(of, url).redact(id),
};

function missing(status = 404): never {
  throw new ApiError(status, 'invalid_request_error', 'resource_missing');
}

/** An intent with its charge expanded. */
function shown(of: Account, intent: { readonly latest_charge: string | null }): { id: string } {
  const charge = of.charges.get(intent.latest_charge ?? '') ?? null;
  return { ...intent, latest_charge: charge } as unknown as { id: string };
}

function listed(ascending: readonly { readonly id: string }[], form: Form): object {
  const all = ascending.toReversed();
  const limit = Number(textOf(form, 'limit') ?? 10);
  const [after, before] = [textOf(form, 'starting_after'), textOf(form, 'ending_before')];
  const at = (id: string | null): number => all.findIndex((one) => one.id === id);
  const rest = before === null ? all.slice(at(after) + 1) : all.slice(0, Math.max(at(before), 0));
  const data = before === null ? rest.slice(0, limit) : rest.slice(-limit);
  return { object: 'list', data, has_more: rest.length > data.length, url: '/v1' };
}
