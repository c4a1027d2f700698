// The Idempotency-Key as an integrator sees it: the same request gets the same answer, another
// request is refused, a refusal leaves the key unused, and clients do not share keys. [G-44]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Call, Reply } from '../kit/api.ts';
import { startPlatform, type Platform, type Tenant } from '../api/kit.ts';
import { businessChanges } from '../api/business-changes.ts';
import { Market, pause, type Body } from '../api/market.ts';
import { identityBodies } from '../api/right-bodies.ts';
import { agree, emailCode } from '../api/fixtures.ts';
import { disagreementChanges, escrowChanges } from '../api/escrow-bodies.ts';
import {
  disputeChanges,
  mergeChange,
  methodChanges,
  payoutChanges,
  scheduleChanges,
  workspaceChanges,
} from '../api/own-changes.ts';
import type { HostName } from '../../src/core/operation.ts';

let platform: Platform;
let market: Market;
before(async () => {
  platform = await startPlatform();
  market = new Market(platform.api);
});
after(() => platform?.stop());

const keyed = (key: string): Call => ({ headers: { 'idempotency-key': key } });
let count = 0;
const fresh = (): string => `key-${(count += 1)}`;

test('the same request with the same key gets the same answer, byte for byte', async () => {
  const key = fresh();
  const first = await market.tryCreate(market.sale(10), keyed(key));
  assert.equal(first.status, 201);
  const again = await market.tryCreate(market.sale(10), keyed(key));
  assert.deepEqual([again.status, again.text], [201, first.text]);
  const { invoice_id } = first.body.payload as { invoice_id: string };
  const pay = fresh();
  const path = `/v2/invoice/${invoice_id}/pay`;
  const paid = await platform.api.send('invoicing', 'POST', path, keyed(pay));
  assert.equal((await market.ended(invoice_id)).state, 'success');
  const paidAgain = await platform.api.send('invoicing', 'POST', path, keyed(pay));
  assert.deepEqual(
    [paidAgain.status, paidAgain.text],
    [200, paid.text],
    'still processing, as then',
  );
  const created = await market.tryCreate(market.sale(10), keyed(key));
  assert.equal(created.text, first.text, 'as it was then, open');
});

test('member order and white space make no other request; a value does', async () => {
  const key = fresh();
  const body = market.sale(10, { description: 'x', metadata: { a: 1, b: { c: 2, d: 3 } } });
  const first = await market.tryCreate(body, keyed(key));
  const turned = Object.fromEntries(Object.entries(body).toReversed());
  const raw = JSON.stringify({ ...turned, metadata: { b: { d: 3, c: 2 }, a: 1 } }, null, 4);
  const again = await platform.api.send('invoicing', 'POST', '/v2/invoice', { raw, ...keyed(key) });
  assert.deepEqual([again.status, again.text], [201, first.text]);
  for (const other of [
    { ...body, description: 'y' },
    { ...body, metadata: { a: 1 } },
    market.sale(11, { description: 'x', metadata: body['metadata'] }),
  ]) {
    const reply = await market.tryCreate(other, keyed(key));
    assert.deepEqual([reply.status, reply.code], [422, 'IDEMPOTENCY_KEY_REUSED']);
  }
});

test('the same key with another path or operation is another request', async () => {
  const key = fresh();
  const one = await market.create(market.sale(10), keyed(key));
  const two = await market.create(market.sale(10));
  const shared = fresh();
  await market.pay(one.invoice_id, keyed(shared));
  const other = await platform.api.send(
    'invoicing',
    'POST',
    `/v2/invoice/${two.invoice_id}/pay`,
    keyed(shared),
  );
  assert.deepEqual([other.status, other.code], [422, 'IDEMPOTENCY_KEY_REUSED']);
  assert.equal((await market.read(two.invoice_id)).state, 'open');
  const body = { username: 'keyed' };
  const wrong = await platform.api.send('accounts', 'POST', '/register', { body, ...keyed(key) });
  assert.equal(wrong.status, 422);
});

test('a refusal leaves the key unused', async () => {
  const key = fresh();
  const refused = await market.tryCreate(market.sale(10, { account_id: 'x' }), keyed(key));
  assert.equal(refused.status, 400);
  const malformed = await market.tryCreate({ nonsense: true }, keyed(key));
  assert.equal(malformed.status, 400);
  assert.equal((await market.tryCreate(market.sale(10), keyed(key))).status, 201);
});

test('a key is 1 to 255 printable ASCII characters', async () => {
  for (const good of ['a', ' a b ', '~'.repeat(255), '"', '0']) {
    assert.equal((await market.tryCreate(market.sale(1), keyed(good))).status, 201, good);
  }
  const before = await platform.rows();
  for (const bad of ['', 'x'.repeat(256), 'caf\u00e9', 'a\tb']) {
    const reply = await market.tryCreate(market.sale(1), keyed(bad));
    assert.deepEqual([reply.status, reply.code], [400, 'IDEMPOTENCY_KEY_INVALID'], bad);
  }
  assert.deepEqual((await platform.rows())['invoice'], before['invoice']);
});

test('thirty concurrent requests with one key make one invoice and get one answer', async () => {
  const key = fresh();
  const before = await platform.db.query<{ n: number }>('select count(*)::int as n from invoice');
  const body = market.sale(10);
  const calls = Array.from({ length: 30 }, () => market.tryCreate(body, keyed(key)));
  const replies = await Promise.all(calls);
  assert.deepEqual([...new Set(replies.map((reply) => reply.status))], [201]);
  assert.equal(new Set(replies.map((reply) => reply.text)).size, 1);
  const after = await platform.db.query<{ n: number }>('select count(*)::int as n from invoice');
  assert.equal(after[0]?.n, (before[0]?.n ?? 0) + 1);
});

/** A call of an operation, and another request for the same place. */
type Change = readonly [HostName, string, string, Body, (Body | undefined)?, (string | undefined)?];

/** People hand in data, are verified again, and the vendor changes its mind. */
async function identityChanges(): Promise<readonly Change[]> {
  const { submitKYC, recheckKYC, sandboxIdentityEvent } = await identityBodies(platform.api);
  const [path, body, token] = submitKYC;
  const other = { ...body, extra_files: [] };
  const [events, event] = sandboxIdentityEvent;
  return [
    ['pii', 'POST', path, body, other, token],
    ['pii', 'POST', recheckKYC[0], recheckKYC[1], { note: 'other' }],
    ['invoicing', 'POST', events, event, { ...event, event: 'review' }],
  ];
}

/** A decision about a charge in manual review, because a cent was missing. */
async function parkedChange(): Promise<Change> {
  const { api } = platform;
  const { account_id } = platform.ready.accounts.buyer;
  const attach = { body: { account_id, test_card: 'visa' } };
  const card = await api.must<{ id: string }>(
    201,
    'invoicing',
    'POST',
    '/sandbox/payment_methods',
    attach,
  );
  const scenario = { scenario: 'one_cent_less', payment_method_id: card.id };
  await api.must(201, 'invoicing', 'POST', '/sandbox/scenarios', { body: scenario });
  const payment_methods = [{ payment_method_id: card.id }];
  const { invoice_id } = await market.create(market.sale(30, { payment_methods }));
  await market.pay(invoice_id);
  type Open = { items: { id: string; kind: string }[] };
  for (;;) {
    const open = await api.must<Open>(200, 'payments', 'GET', '/v1/reconciliation');
    const parked = open.items.find(({ kind }) => kind === 'parked_charge');
    if (parked === undefined) {
      await pause();
      continue;
    }
    const body = { decision: 'give_back' };
    const path = `/v1/reconciliation/${parked.id}/resolve`;
    return ['payments', 'POST', path, body, { ...body, note: 'n' }];
  }
}

/** A call of each operation that changes something. */
async function changes(): Promise<readonly Change[]> {
  const { buyer, seller } = platform.ready.accounts;
  const account_id = buyer.account_id;
  const url = 'http://127.0.0.1:9/hook';
  const hooks = '/v1/webhook_endpoints';
  type Made = { endpoint_id: string };
  const made = (): Promise<Made> =>
    platform.api.must<Made>(201, 'invoicing', 'POST', hooks, { body: { url } });
  const [hook, ended] = [await made(), await made()];
  const own = `${hooks}/${hook.endpoint_id}`;
  const blocked = { account_id: seller.account_id, block_capability: 'login' };
  const block = { ...blocked, block_reason: 'x' };
  const kyc = `/v2/kyc/account/${account_id}/state`;
  const top = { account_id, payment_method_id: buyer.card_payment_method_id, currency: 'USD' };
  const { invoice_id } = await market.create(market.sale(10));
  const charged = await platform.api.must<{ deposit_id: string }>(
    201,
    'invoicing',
    'POST',
    '/v1/deposits',
    { body: { ...top, amount: 7 } },
  );
  await market.lastSequence();
  const event = { event: 'chargeback', id: charged.deposit_id };
  const scripted = { counterparty: 'vendor', exchange: 'honest', on: 'late' };
  const hosted = '/sandbox/receivers';
  type Hosted = { receiver_id: string };
  const { receiver_id } = await platform.api.must<Hosted>(201, 'invoicing', 'POST', hosted, {
    body: {},
  });
  return [
    ['accounts', 'POST', '/register', { username: 'once', full_name: 'Once' }],
    ['accounts', 'PUT', `/user-info/${account_id}`, { city: 'Elsewhere' }],
    ['accounts', 'POST', '/v2/block', block, { ...block, note: 'n' }],
    ['accounts', 'POST', '/v2/unblock', blocked, { ...blocked, note: 'other' }],
    ['invoicing', 'POST', '/v2/invoice', market.sale(10), market.sale(11)],
    ['invoicing', 'POST', `/v2/invoice/${invoice_id}/pay`, {}],
    ['invoicing', 'POST', '/v1/deposits', { ...top, amount: 5 }, { ...top, amount: 6 }],
    ['invoicing', 'POST', '/sandbox/deposits', { account_id, currency: 'USD', amount: 5 }],
    ['invoicing', 'POST', '/sandbox/payment_methods', { account_id, test_card: 'visa' }],
    ['invoicing', 'POST', '/sandbox/scenarios', { scenario: 'all_well' }, { scenario: 'declined' }],
    ['invoicing', 'POST', '/sandbox/outside_events', event, { ...event, event: 'settle' }],
    ['invoicing', 'POST', '/sandbox/scripts', scripted, { ...scripted, times: 2 }],
    ['invoicing', 'DELETE', '/sandbox/scripts', {}],
    ['invoicing', 'POST', '/sandbox/receivers', {}, { events: ['kyb-webhook'] }],
    ['invoicing', 'DELETE', `/sandbox/receivers/${receiver_id}`, {}],
    ['invoicing', 'POST', '/sandbox/clock', { advance_seconds: 1 }, { advance_seconds: 2 }],
    ['invoicing', 'POST', hooks, { url }, { url: `${url}/other` }],
    ['invoicing', 'PATCH', own, { description: 'once' }, { description: 'other' }],
    ['invoicing', 'POST', `${own}/rotate_secret`, { overlap_seconds: 60 }, { overlap_seconds: 0 }],
    ['invoicing', 'POST', `${own}/replay`, { from: 1, to: 2 }, { from: 1, to: 3 }],
    ['invoicing', 'DELETE', `${hooks}/${ended.endpoint_id}`, {}],
    ['pii', 'PUT', kyc, { state: 'DENY' }, { state: 'DENY', pii_level: 'BASIC' }],
    ['auth', 'POST', '/authorize/user', { account_id }, { account_id, flow: 'kyc' }],
  ];
}

/** A person agrees to the terms and takes a consent back; the tenant takes another name. */
async function agreementChanges(): Promise<readonly Change[]> {
  const { account_id } = platform.ready.accounts.seller2;
  const scopes = ['read_payment_method'];
  const { user, consent } = await agree(platform.api, account_id, { scopes });
  const sign = '/v1/user-info/tos/service';
  const email = '/v1/user-info/email';
  const to = { email: 'c@d.example' };
  const code = await emailCode(platform.api, user, 'once@people.example');
  return [
    ['accounts', 'POST', sign, {}, { version: 1 }, user],
    ['accounts', 'POST', `${email}/begin-verify`, { email: 'a@b.example' }, to, user],
    ['accounts', 'POST', `${email}/finish-verify`, code, undefined, user],
    ['accounts', 'DELETE', `/v1/consents/${consent}`, {}, undefined, user],
    ['invoicing', 'PATCH', '/v1/settings', { name: 'Once' }, { name: 'Other' }],
  ];
}

/** Of refunds that wait: the integrator holds nothing here. */
async function refundChanges(): Promise<Change[]> {
  const sold = () => market.sold(market.sale(12));
  const [whole, part, waiting] = [await sold(), await sold(), await sold()];
  const { invoice_id } = whole;
  const [line_item_id] = Object.keys(part.line_items);
  const body = { invoice_id: waiting.invoice_id, reason: 'other' };
  type Made = { refund_id: string };
  const made = await platform.api.must<Made>(200, 'invoicing', 'POST', '/v2/refund', { body });
  const full = { invoice_id, reason: 'billing' };
  const line = { line_item_id, amount: 5, reason: 'fraud' };
  const { account_id } = platform.ready.accounts.buyer;
  const to = { account_id, email_address: 'zoe@people.example' };
  const receipt = `/v1/transaction/${part.invoice_id}/receipt`;
  return [
    ['invoicing', 'POST', receipt, to, { ...to, email_address: 'yan@people.example' }],
    ['invoicing', 'POST', '/v2/refund', full, { ...full, note: 'n' }],
    ['invoicing', 'POST', '/v2/line-item/refund', line, { ...line, amount: 6 }],
    ['invoicing', 'DELETE', `/v2/refund/${made.refund_id}`, {}],
  ];
}

test('every operation that changes something honours the key', async () => {
  const { api } = platform;
  const all = [
    ...(await changes()),
    ...(await escrowChanges(platform.api)),
    ...(await disagreementChanges(platform.api)),
    ...(await refundChanges()),
    ...(await agreementChanges()),
    ...(await workspaceChanges(platform.api)),
    await mergeChange(platform.api),
    ...(await disputeChanges(platform.api)),
    ...(await methodChanges(platform.api)),
    ...(await payoutChanges(platform.api)),
    ...(await scheduleChanges(platform.api)),
    ...(await identityChanges()),
    ...(await businessChanges(platform.api)),
    await parkedChange(),
  ].map((change) => ({ change, key: fresh() }));
  const send = ({ change, key }: (typeof all)[number], body: Body): Promise<Reply> => {
    const [host, method, path, , , token] = change;
    return api.send(host, method, path, {
      body,
      ...keyed(key),
      ...(token === undefined ? {} : { token }),
    });
  };
  const first: Reply[] = [];
  for (const one of all) {
    const [, , path, body] = one.change;
    const reply = await send(one, body);
    assert.ok(reply.status < 300, `${path}: ${reply.text}`);
    first.push(reply);
  }
  const rows = await settledRows();
  for (const [at, one] of all.entries()) {
    const [, , path, body, other] = one.change;
    const again = await send(one, body);
    assert.deepEqual([again.status, again.text], [first[at]?.status, first[at]?.text], path);
    if (other === undefined) continue;
    const reused = await send(one, other);
    assert.deepEqual([reused.status, reused.code], [422, 'IDEMPOTENCY_KEY_REUSED'], path);
  }
  assert.deepEqual(await settledRows(), rows, 'no repetition had a second effect');
  const called = new Set(
    all.map(({ change: [host, method, path] }) => {
      return api.placeOf(host, method, path)?.operation.operationId;
    }),
  );
  // OAuth's own calls, webhooks, which carry an id of their own, and links, which open once.
  const keyless = new Set([
    ...['createToken', 'revokeToken', 'introspectToken'],
    ...['takeProcessorNotice', 'takeIdentityNotice'],
    ...['takeConnectionNotice', 'takeIdentityConnectionNotice'],
    ...['openSession', 'openHostedSession', 'endSession', 'endHostedSession'],
  ]);
  const listed = api.places
    .filter(({ host, method }) => host !== 'processor' && method !== 'GET')
    .map(({ operation }) => operation.operationId)
    .filter((id) => !keyless.has(id));
  assert.deepEqual(listed.filter((id) => !called.has(id)), [], 'each is called above');
});

test('no body, {} and null are the same request where no body is taken', async () => {
  const { invoice_id } = await market.create(market.sale(10));
  const path = `/v2/invoice/${invoice_id}/pay`;
  const key = fresh();
  const texts = new Set<string>();
  for (const call of [{}, { body: {} }, { body: null }, { raw: '' }]) {
    const reply = await platform.api.send('invoicing', 'POST', path, { ...call, ...keyed(key) });
    assert.equal(reply.status, 200, reply.text);
    texts.add(reply.text);
  }
  assert.equal(texts.size, 1);
  const body = { body: { amount: 1 }, ...keyed(key) };
  const refused = await platform.api.send('invoicing', 'POST', path, body);
  assert.deepEqual([refused.status, refused.code], [400, 'BODY_NOT_ALLOWED']);
});

/**
 * Rows once the background has come to rest; without those that deliver, and without the book of
 * the foreign processor, in which a repetition leaves a token or a page that nobody uses.
 */
async function settledRows(): Promise<Record<string, string>> {
  await market.lastSequence();
  const { idempotency: _, webhook_endpoint: _e, ...rows } = await platform.rows();
  const { delivery: _d, delivery_attempt: _a, ...kept } = rows;
  const { processor_card: _c, processor_entry: _p, ...rest } = kept;
  return rest;
}

test('clients, users and tenants do not share keys', async () => {
  const key = fresh();
  const first = await market.create(market.sale(10), keyed(key));
  const { client_id, client_secret } = await platform.client();
  const form = { grant_type: 'client_credentials', client_id, client_secret };
  const token = (
    (await platform.api.send('auth', 'POST', '/token', { form, token: null })).body as unknown as {
      access_token: string;
    }
  ).access_token;
  const second = await market.create(market.sale(10), { ...keyed(key), token });
  assert.notEqual(second.invoice_id, first.invoice_id);
  const twin: Tenant = await platform.tenant();
  const foreign = await platform.api.send('accounts', 'POST', '/register', {
    body: { username: 'keyed' },
    token: twin.token,
    ...keyed(key),
  });
  assert.equal(foreign.status, 200, foreign.text);
});

test('every answer above is declared by its operation', () => {
  assert.deepEqual([...platform.api.undeclared], []);
});
