// One provider stopped, with the Stripe-shaped server as processor and as identity vendor: nothing
// new reaches it, what it has in hand goes on, and what waited is done afterwards. [G-90]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { resume, stop } from '../../src/product/tenant/stop/index.ts';
import type { Reply } from '../kit/api.ts';
import { submission } from '../kit/identity.ts';
import { changeSeller } from '../kit/stripe/connect.ts';
import { connectStripeIdentity, type StripeIdentity } from '../kit/stripe/identity-platform.ts';
import { startWithStripe, type StripePlatform } from '../kit/stripe/platform.ts';
import { until } from '../kit/until.ts';

/** A node reads what is stopped with each heartbeat, once a second. */
const HEARD_MS = 2_500;
const ALL = { what: 'provider:stripe', integrator: null } as const;

let stripe: StripePlatform;
let identity: StripeIdentity;
before(async () => {
  stripe = await startWithStripe();
  identity = await connectStripeIdentity(stripe.platform);
  // The process follows within seconds; until then the simulator answers.
  while (identity.server.calls.length === 0) {
    await submitted();
    await pause(500);
  }
});
after(async () => {
  await stripe?.stop();
  await identity?.server.close();
});

let people = 0;

/** The key at the vendor of a person who has submitted the form. */
async function submitted(): Promise<string> {
  const { api, db } = stripe.platform;
  const { account_id } = await api.register(`checked ${(people += 1)}`);
  const wish = { body: { account_id, return_token: true } };
  type Given = { token: { access_token: string } };
  const { token } = await api.must<Given>(200, 'auth', 'POST', '/authorize/user', wish);
  const call = { body: submission(), token: token.access_token };
  await api.must(200, 'pii', 'POST', '/v2/kyc', call);
  const text = 'select id::text from identity_check order by id desc limit 1';
  return (await db.query<{ id: string }>(text))[0]?.id ?? '';
}

/** Calls of a kind that the server was sent so far. */
const sent = (of: { readonly server: StripePlatform['server'] }, route: string): number =>
  of.server.calls.filter((call) => `${call.method} ${call.route}` === route).length;
const SESSION = 'POST /v1/identity/verification_sessions';
const TRANSFER = 'POST /v1/transfers';

async function figure(what: string): Promise<string | undefined> {
  const internal = (stripe.platform.ready.urls as Record<string, string>)['internal'];
  const text = await (await fetch(`${internal}/metrics`)).text();
  return new RegExp(`^holdfast_stops\\{what="${what}"\\} (\\d+)$`, 'm').exec(text)?.[1];
}

async function whileStopped(work: () => Promise<void>): Promise<void> {
  await stop(stripe.platform.db, ALL, 'operator:one');
  await pause(HEARD_MS);
  await work().finally(() => resume(stripe.platform.db, ALL, 'operator:two'));
  await pause(HEARD_MS);
}

/** An invoice that somebody pays by card. */
async function sale(payer: { account_id: string; method: string }): Promise<string> {
  const { api } = stripe.platform;
  const methods = [{ payment_method_id: payer.method }];
  return api.created(api.sale(900, methods, { account_id: payer.account_id }));
}

test('new charges are refused, and payments and refunds under way are finished', async () => {
  const { api } = stripe.platform;
  const payer = await stripe.payer({ type: 'card' });
  const [paid, late, fresh] = [await sale(payer), await sale(payer), await sale(payer)];
  await api.pay(paid);
  assert.equal((await api.finished(paid)).state, 'success');
  // Nobody hears the answer to this one before the stop.
  stripe.server.misbehave(({ method }) => (method === 'POST' ? 'reset_after' : 'reset_before'));
  await api.pay(late);
  await whileStopped(async () => {
    const before = stripe.account.intents.size;
    const refused: Reply = await api.pay(fresh);
    assert.deepEqual([refused.status, refused.code], [503, 'PAYMENTS_STOPPED']);
    assert.equal((await api.read(fresh)).state, 'open');
    assert.deepEqual([await figure('provider:stripe'), await figure('payments')], ['1', '0']);
    stripe.server.misbehave(() => null);
    assert.equal((await api.finished(late)).state, 'success', 'the call is looked up');
    assert.equal(stripe.account.intents.size, before, 'and nothing is charged again');
    const body = { invoice_id: paid, reason: 'other' };
    const refund = await api.send('invoicing', 'POST', '/v2/refund', { body });
    assert.ok(refund.status < 300, refund.text);
  });
  assert.equal(await figure('provider:stripe'), undefined);
  assert.equal((await api.pay(fresh)).status, 200);
  assert.equal((await api.finished(fresh)).state, 'success');
});

test('identity checks are accepted, wait, and are begun afterwards', async () => {
  const earlier = await submitted();
  const begun = (key: string): boolean =>
    [...identity.book.sessions.values()].some((one) => one.client_reference_id === key);
  await until('it is begun', async () => begun(earlier) || null);
  let waiting = '';
  await whileStopped(async () => {
    const before = sent(identity, SESSION);
    waiting = await submitted();
    await pause(HEARD_MS);
    assert.deepEqual([begun(waiting), sent(identity, SESSION)], [false, before]);
    // A webhook about what it has in hand is taken.
    assert.equal(await identity.notify(identity.events.at(-1) ?? {}), 200);
  });
  await until('it is begun', async () => begun(waiting) || null);
});

test('payouts wait at the stopped provider of their tenant alone', async () => {
  const { api, db, ready } = stripe.platform;
  const { account_id, method } = await stripe.payer({ type: 'card' });
  await api.setKyc(account_id, { state: 'ACCEPT' });
  const money = { account_id, payment_method_id: method, currency: 'USD', amount: 5_000 };
  await api.must(201, 'invoicing', 'POST', '/v1/deposits', { body: money });
  await until('the statement opens the funds', async () => {
    await db.execute('update statement_cursor set due = clock_timestamp()');
    return (await db.query('select from funds')).length > 0;
  });
  const clock = { body: { advance_seconds: 4 * 86_400 } };
  await api.must(200, 'invoicing', 'POST', '/sandbox/clock', clock);
  type Method = { id: string; display_string: string };
  const list = `/v1/${account_id}/payment_methods`;
  const methods = await api.must<Method[]>(200, 'payments', 'GET', list);
  const wallet = methods.find((one) => one.display_string === 'USD wallet')?.id ?? '';
  const link = { body: { account_id, country: 'US' } };
  type Payee = { payment_method_id: string };
  const payee = await api.must<Payee>(201, 'payments', 'POST', '/v1/payee/link', link);
  stripe.account.listen((event) => void stripe.notify(event));
  changeSeller(stripe.account, [...stripe.account.sellers.keys()].at(-1) ?? '', []);
  const own = { what: 'provider:stripe', integrator: ready.integrator } as const;
  await stop(db, own, 'operator:one');
  const to = { destination_payment_method_id: payee.payment_method_id };
  const body = { source_payment_method_id: wallet, ...to, amount: 1_000, currency: 'USD' };
  const path = `/v2/${account_id}/payout`;
  type Payout = { payout_status_id: string; status: string };
  const asked = await until('the payout is taken', async () => {
    const reply = await api.send('invoicing', 'POST', path, { body });
    return reply.status === 201 ? (reply.payload as Payout) : null;
  });
  const one = `${path}/${asked.payout_status_id}`;
  const execute = () => api.send('invoicing', 'PATCH', one);
  await until('it is executed', async () => (await execute()).status === 200);
  await pause(HEARD_MS);
  assert.equal(sent(stripe, TRANSFER), 0);
  await resume(db, own, 'operator:two');
  await until('it is sent', async () => sent(stripe, TRANSFER) > 0 || null);
});
