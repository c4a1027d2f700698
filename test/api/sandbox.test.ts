// Simulated failures through the interface: accounts that are no cards, scenarios, and outside
// events. [G-64]
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { Reply } from '../kit/api.ts';
import { startPlatform, type Platform } from './kit.ts';
import type { Body } from './market.ts';

interface Method {
  readonly id: string;
  readonly provider: string;
  readonly method_class: string;
}

interface Deposit {
  readonly deposit_id: string;
  readonly state: string;
  readonly failure_code: string;
}

const WITHIN_MS = 20_000;
let platform: Platform;
before(async () => {
  platform = await startPlatform();
});
after(() => platform?.stop());

const post = (path: string, body: Body, headers = {}): Promise<Reply> =>
  platform.api.send('invoicing', 'POST', path, { body, headers });

async function attached(test_card: string): Promise<Method> {
  const { account_id } = platform.ready.accounts.buyer;
  const body = { account_id, test_card };
  return platform.api.must(201, 'invoicing', 'POST', '/sandbox/payment_methods', { body });
}

async function begun(method: Method): Promise<Deposit> {
  const { account_id } = platform.ready.accounts.buyer;
  const body = { account_id, payment_method_id: method.id, currency: 'USD', amount: 900 };
  return platform.api.must(201, 'invoicing', 'POST', '/v1/deposits', { body });
}

function read({ deposit_id }: Deposit): Promise<Deposit> {
  return platform.api.must(200, 'invoicing', 'GET', `/v1/deposits/${deposit_id}`);
}

async function ended(deposit: Deposit): Promise<Deposit> {
  for (const until = Date.now() + WITHIN_MS; Date.now() < until; ) {
    const now = await read(deposit);
    if (now.state !== 'requested') return now;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new assert.AssertionError({ message: 'the deposit has no end' });
}

const happen = (event: string, id: string, headers = {}): Promise<Reply> =>
  post('/sandbox/outside_events', { event, id }, headers);

/** Tries until the processor knows the deposit. */
async function happened(event: string, { deposit_id }: Deposit): Promise<void> {
  for (const until = Date.now() + WITHIN_MS; ; ) {
    const reply = await happen(event, deposit_id);
    if (reply.status === 201) return;
    assert.equal(reply.code, 'OUTSIDE_EVENT_REFUSED');
    assert.ok(Date.now() < until, `${event} cannot happen`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test('twenty scenarios are listed, each with its story and its end', async () => {
  const list = await platform.api.must<{ name: string; story: string; ends: string }[]>(
    200,
    'invoicing',
    'GET',
    '/sandbox/scenarios',
  );
  assert.equal(list.length, 20);
  for (const { name, story, ends } of list) assert.ok(name && story && ends);
});

test('accounts are attached by their name and known by their provider', async () => {
  const providers = ['visa', 'bank', 'paypal'].map(async (name) => (await attached(name)).provider);
  assert.deepEqual(await Promise.all(providers), ['card', 'ach', 'paypal']);
});

test('a scenario is played for one payment method, and for it only', async () => {
  const [marked, other] = [await attached('visa'), await attached('visa')];
  const body = { scenario: 'declined', payment_method_id: marked.id };
  assert.equal((await post('/sandbox/scenarios', body)).status, 201);
  assert.equal((await ended(await begun(other))).state, 'success');
  const failed = await ended(await begun(marked));
  assert.deepEqual([failed.state, failed.failure_code], ['failed', 'card_declined']);
  assert.equal((await ended(await begun(marked))).state, 'success');
});

test('an idempotency key queues a scenario once, also under concurrency', async () => {
  const { id: payment_method_id } = await attached('visa');
  const key = { 'idempotency-key': randomUUID() };
  const body = { scenario: 'lost_after_capture', payment_method_id };
  const replies = await Promise.all(
    Array.from({ length: 12 }, () => post('/sandbox/scenarios', body, key)),
  );
  assert.deepEqual(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size, 1);
  const rows = await platform.db.query({
    text: `select 1 from processor_script s join payment_method m
      on m.workspace = s.workspace and m.processor_token = s.token where m.id = $1`,
    values: [payment_method_id],
  });
  assert.equal(rows.length, 1);
  const other = await post('/sandbox/scenarios', { ...body, scenario: 'all_well' }, key);
  assert.equal(other.code, 'IDEMPOTENCY_KEY_REUSED');
});

test('unknown names and ids are refused', async () => {
  const scenario = await post('/sandbox/scenarios', { scenario: 'no_such' });
  assert.deepEqual([scenario.status, scenario.code], [400, 'SCENARIO_UNKNOWN']);
  const wallet = platform.ready.accounts.buyer.wallet_payment_method_id;
  for (const payment_method_id of [randomUUID(), wallet]) {
    const reply = await post('/sandbox/scenarios', { scenario: 'declined', payment_method_id });
    assert.deepEqual([reply.status, reply.code], [400, 'PAYMENT_METHOD_NOT_FOUND']);
  }
  for (const id of [randomUUID(), 'esc_01h455vb4pex5vsknk084sn02q', 'x', '']) {
    const reply = await happen('settle', id);
    assert.deepEqual([reply.status, reply.code], [400, 'OUTSIDE_EVENT_REFUSED'], id);
  }
});

test('a bank debit is under way until it settles, or fails', async () => {
  const bank = await attached('bank');
  const [good, bad] = [await begun(bank), await begun(bank)];
  await happened('settle', good);
  await happened('fail', bad);
  assert.equal((await ended(good)).state, 'success');
  assert.equal((await ended(bad)).state, 'failed');
  assert.equal((await happen('settle', good.deposit_id)).code, 'OUTSIDE_EVENT_REFUSED');
});

test('an event happens once under a key, and a refused one leaves the key unused', async () => {
  const deposit = await begun(await attached('bank'));
  const key = { 'idempotency-key': randomUUID() };
  await platform.api.must(200, 'invoicing', 'GET', `/v1/deposits/${deposit.deposit_id}`);
  const none = await happen('chargeback', deposit.deposit_id, key);
  assert.equal(none.code, 'OUTSIDE_EVENT_REFUSED');
  await happened('fail', deposit);
  const other = await begun(await attached('visa'));
  assert.equal((await ended(other)).state, 'success');
  const first = await happen('chargeback', other.deposit_id, key);
  assert.equal(first.status, 201, first.text);
  const again = await happen('chargeback', other.deposit_id, key);
  assert.deepEqual([again.status, again.text], [201, first.text]);
  assert.equal((await happen('chargeback', other.deposit_id)).code, 'OUTSIDE_EVENT_REFUSED');
  assert.equal((await read(other)).state, 'success', 'a success stays one');
});

test('every answer above is declared by its operation', () => {
  assert.deepEqual([...platform.api.undeclared], []);
});
