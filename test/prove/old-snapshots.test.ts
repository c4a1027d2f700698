// What a rollback ends and what it keeps: sessions of the archived workspace, links and answers of
// a clone whose snapshot is weeks old, events that a start forwards. [G-64]
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { forgetUnused } from '../../src/product/money/invoice/index.ts';
import { forgetExpired } from '../../src/product/access/oauth/index.ts';
import { forgetSecrets } from '../../src/product/idempotent/index.ts';
import { openedToken } from '../kit/checkout.ts';
import { startPlatform, type Platform } from '../kit/platform.ts';
import { Api } from '../kit/api.ts';

const FORWARD = 'http://127.0.0.1:9/forwarded';
let platform: Platform;
let api: Api;
let buyer = '';
before(async () => {
  platform = await startPlatform({ forwardTo: FORWARD });
  ({ api } = platform);
  buyer = api.ready.accounts.buyer.account_id;
});
after(() => platform?.stop());

interface Link {
  readonly redirect: string;
  readonly nonce_auth_id: string;
}

function link(): Promise<Link> {
  const body = { account_id: buyer, flow: 'payment-selection', scopes: ['read_payment_method'] };
  return api.must(200, 'auth', 'POST', '/authorize/user', { body });
}

/** How the session's token is answered. */
async function methods(token: string): Promise<number> {
  const path = `/v1/${buyer}/payment_methods`;
  return (await new Api(api.ready, token).send('payments', 'GET', path)).status;
}

async function opening({ redirect }: Link): Promise<string | undefined> {
  const nonce = new URL(redirect).pathname.split('/').at(-1);
  return (await api.send('widget', 'POST', '/ui/api/session', { body: { nonce } })).codes[0];
}

async function snapshot(ageDays = 0): Promise<string> {
  const path = '/sandbox/snapshots';
  const { snapshot_id: id } = await api.must<{ snapshot_id: string }>(
    ...([201, 'invoicing', 'POST', path, { body: {} }] as const),
  );
  await platform.db.execute({
    text: `update snapshot set taken = taken - $2 * interval '1 day',
      taken_virtual = taken_virtual - $2 * interval '1 day' where id = $1`,
    values: [id, ageDays],
  });
  return id;
}

async function rollBack(snapshot_id: string): Promise<void> {
  await api.must(200, 'invoicing', 'POST', '/sandbox/rollback', { body: { snapshot_id } });
}

test('a session ends with its workspace, and its link no longer opens', async () => {
  const id = await snapshot();
  await rollBack(id);
  const [used, unused] = [await link(), await link()];
  const token = await openedToken(used.redirect);
  assert.equal(await methods(token), 200);
  await rollBack(id);
  assert.equal(await methods(token), 401);
  assert.equal(await opening(unused), 'LINK_EXPIRED');
  assert.equal(await methods(await openedToken((await link()).redirect)), 200);
});

test('in a clone of an old snapshot links and authorized invoices work, not sessions', async () => {
  await rollBack(await snapshot(40));
  const unused = await link();
  const line = { currency: 'USD', transaction_type: 'user_to_integrator', amount: 5 };
  const line_items = [{ ...line, recipients: [] }];
  const body = { invoice_mechanism: 'widget', account_id: buyer, line_items };
  const path = '/v2/authorize/invoice';
  type Authorized = { authorized_invoice_id: string };
  const made = await api.must<Authorized>(200, 'invoicing', 'POST', path, { body });
  await forgetExpired(platform);
  await forgetUnused(platform.db);
  await api.must(200, 'invoicing', 'GET', `${path}/${made.authorized_invoice_id}`);
  const token = await openedToken(unused.redirect);
  assert.equal(await methods(token), 200);
  const wish = { account_id: buyer, return_token: true };
  const user = await api.must<{ token: { access_token: string } }>(
    ...([200, 'auth', 'POST', '/authorize/user', { body: wish }] as const),
  );
  const person = new Api(api.ready, user.token.access_token);
  type Consents = { consents: { consent_id: string; given_by: string }[] };
  const { consents } = await person.must<Consents>(200, 'accounts', 'GET', '/v1/consents');
  const own = consents.find(({ given_by }) => given_by === 'person');
  await person.must(204, 'accounts', 'DELETE', `/v1/consents/${own?.consent_id}`);
  assert.equal(await methods(token), 401);
});

test('an answer with a secret is repeated as it was when its snapshot was taken', async () => {
  const call = { body: {}, key: randomUUID() };
  const first = await api.send('invoicing', 'POST', '/sandbox/worlds', call);
  const id = await snapshot(40);
  const of = 'where snapshot = (select number from snapshot where id = $1)';
  for (const [table, column] of [['kept_secret', 'expires'], ['idempotency', 'created']]) {
    const text = `update stored_${table} set ${column} = ${column} - interval '40 days' ${of}`;
    await platform.db.execute({ text, values: [id] });
  }
  await rollBack(id);
  await forgetSecrets(platform.db);
  const again = await api.send('invoicing', 'POST', '/sandbox/worlds', call);
  assert.equal(again.text, first.text);
});

test('after a rollback events are still forwarded as the start was told', async () => {
  type Endpoints = { webhook_endpoints: { url: string; state: string; description: string }[] };
  const endpoints = async (): Promise<Endpoints['webhook_endpoints']> => {
    const all = await api.must<Endpoints>(200, 'invoicing', 'GET', '/v1/webhook_endpoints');
    return all.webhook_endpoints.filter(({ description }) => description === 'forward-to');
  };
  const before = await endpoints();
  assert.equal(before[0]?.url, FORWARD);
  const id = await snapshot();
  await rollBack(id);
  assert.deepEqual(await endpoints(), before, 'nothing has changed');
  // As if it was taken before the start that was told to forward.
  const of = 'where snapshot = (select number from snapshot where id = $1)';
  await platform.db.execute({
    text: `update stored_webhook_endpoint set url = 'http://127.0.0.1:9/before',
      state = 'disabled', disabled_reason = 'request' ${of}`,
    values: [id],
  });
  await rollBack(id);
  const [now] = await endpoints();
  assert.deepEqual([now?.url, now?.state], [FORWARD, 'enabled']);
});

test('the demo shop opens anew after a reset and hears events', async () => {
  const { shop } = api.ready.urls;
  const visit = async (): Promise<number> => {
    const headers = { accept: 'text/html' };
    return (await fetch(shop.replace('127.0.0.1', 'localhost'), { headers })).status;
  };
  const registered = async (): Promise<boolean> => {
    const path = '/v1/webhook_endpoints';
    type Endpoints = { webhook_endpoints: { url: string; state: string }[] };
    const all = await api.must<Endpoints>(200, 'invoicing', 'GET', path);
    return all.webhook_endpoints.some(({ url, state }) =>
      url.endsWith('/hooks') && state === 'enabled');
  };
  assert.equal(await visit(), 200);
  assert.equal(await registered(), true);
  await api.must(200, 'invoicing', 'POST', '/sandbox/reset', { body: {} });
  assert.equal(await registered(), false);
  assert.equal(await visit(), 200);
  assert.equal(await registered(), true);
});
