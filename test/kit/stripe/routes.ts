// The routes of a Stripe-shaped server over its accounts, and its lists: newest first, after an
// older row or before a newer one.
import type { Account } from './account.ts';
import { expireSession, openSession, sessionShown } from './checkout.ts';
import { linkFor, openSeller, sellerOf, sendTransfer } from './connect.ts';
import { disputeOf, submitEvidence, takeFile } from './disputes.ts';
import { ApiError, invalid } from './objects.ts';
import { textOf, textsOf, type Form } from './form.ts';
import { identityOf } from './identity.ts';

/** A call of one account, with the id of its path. */
export interface Asked {
  readonly of: Account;
  readonly id: string;
  readonly form: Form;
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
  'POST /v1/accounts': ({ of, form }) => {
    const capabilities = form['capabilities'];
    const asked = typeof capabilities === 'object' ? textsOf(capabilities, 'transfers') : {};
    return openSeller(of, {
      type: textOf(form, 'type'),
      transfers: asked['requested'] === 'true',
      country: textOf(form, 'country'),
      email: textOf(form, 'email'),
      metadata: textsOf(form, 'metadata'),
    });
  },
  'GET /v1/accounts': ({ of, form }) => listed([...of.sellers.values()], form),
  'GET /v1/accounts/:id': ({ of, id }) => sellerOf(of, id),
  'POST /v1/account_links': ({ of, form, url }) => {
    const texts = Object.keys(form).map((name) => [name, text(form, name)]);
    return linkFor(of, url, text(form, 'account'), Object.fromEntries(texts));
  },
  'POST /v1/transfers': ({ of, form }) =>
    sendTransfer(of, {
      amount: Number(text(form, 'amount')),
      currency: text(form, 'currency'),
      destination: text(form, 'destination'),
      transfer_group: text(form, 'transfer_group'),
      metadata: textsOf(form, 'metadata'),
    }),
  'GET /v1/transfers': ({ of, form }) => {
    const group = text(form, 'transfer_group');
    return listed([...of.transfers.values()].filter((one) => one.transfer_group === group), form);
  },
  'GET /v1/transfers/:id': ({ of, id }) => of.transfers.get(id) ?? missing(),
  'POST /v1/files': ({ of, form }) => {
    const { name = '', type = '', size = '0', sha256 = '' } = textsOf(form, 'file');
    return takeFile(of, text(form, 'purpose'), { name, type, size: Number(size), sha256 });
  },
  'GET /v1/disputes/:id': ({ of, id }) => {
    const dispute = disputeOf(of, id);
    return { ...dispute, charge: of.charges.get(dispute.charge) };
  },
  'POST /v1/disputes/:id': ({ of, id, form }) => {
    const [evidence, metadata] = [textsOf(form, 'evidence'), textsOf(form, 'metadata')];
    if (text(form, 'submit') !== 'true') throw invalid(null);
    return submitEvidence(of, id, { evidence, metadata });
  },
  'GET /v1/charges/:id': ({ of, id }) => of.charges.get(id) ?? missing(),
  'GET /v1/balance_transactions': ({ of, form }) => {
    const sourceOf = (id: string): object | string =>
      of.charges.get(id) ?? of.refunds.get(id) ?? of.disputes.get(id) ??
      of.transfers.get(id) ?? of.reversals.get(id) ?? id;
    return listed(of.transactions.map((one) => ({ ...one, source: sourceOf(one.source) })), form);
  },
  'GET /v1/events': ({ of, form }) => {
    const types = Object.values(textsOf(form, 'types'));
    return listed(of.events.filter(({ type }) => types.includes(type)), form);
  },
  'GET /v1/account': ({ of }) => ({ object: 'account', id: of.id }),
  'GET /v1/balance': ({ of }) => ({ object: 'balance', livemode: of.live, available: [] }),
  'POST /v1/checkout/sessions': ({ of, form, url }) => sessionShown(openSession(of, form, url)),
  'GET /v1/checkout/sessions': ({ of, form }) => {
    const { gte = '0', lte = 'Infinity' } = textsOf(form, 'created');
    const within = [...of.sessions.values()].filter(
      ({ created }) => created >= Number(gte) && created <= Number(lte),
    );
    return listed(within.map(sessionShown), form);
  },
  'GET /v1/checkout/sessions/:id': ({ of, id }) =>
    sessionShown(of.sessions.get(id) ?? missing()),
  'POST /v1/checkout/sessions/:id/expire': ({ of, id }) => expireSession(of, id),
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
  for (const id of [after, before]) if (id !== null && at(id) < 0) missing(400);
  const rest = before === null ? all.slice(at(after) + 1) : all.slice(0, Math.max(at(before), 0));
  const data = before === null ? rest.slice(0, limit) : rest.slice(-limit);
  return { object: 'list', data, has_more: rest.length > data.length };
}
