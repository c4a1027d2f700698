// Payouts over HTTP against the sandbox's processor: to a bank and to a PayPal-like account, slow,
// closed, returned and cancelled. What the processor moved equals our ledger. [G-43]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newUuid } from '../../src/core/ids.ts';
import { proved, sealed } from '../kit/books.ts';
import type { PayoutSeen } from '../kit/payouts.ts';
import { startPlatform, type Platform } from './kit.ts';
import type { Reply } from '../kit/api.ts';
import { BusinessScene } from './business-scene.ts';

const WITHIN_MS = 20_000;

let platform: Platform;
before(async () => {
  platform = await startPlatform();
});
after(async () => {
  await sealed(platform.db);
  await proved(platform.db);
  await platform.stop();
});

interface Person {
  readonly account_id: string;
  readonly wallet: string;
  readonly destination: string;
}

/** An accepted person with 100 USD and an account of the sandbox to be paid out to. */
async function person(testAccount: string): Promise<Person> {
  const { api } = platform;
  const { account_id, method: wallet } = await api.register(newUuid());
  await api.setKyc(account_id, { state: 'ACCEPT' });
  await api.fund(account_id, 10_000);
  return { account_id, wallet, destination: await api.attach(account_id, testAccount) };
}

function request(who: Person, more: object = {}): Promise<Reply> {
  const body = {
    source_payment_method_id: who.wallet,
    destination_payment_method_id: who.destination,
    amount: 2_000,
    currency: 'USD',
    ...more,
  };
  return platform.api.send('invoicing', 'POST', `/v2/${who.account_id}/payout`, { body });
}

async function requested(who: Person): Promise<PayoutSeen> {
  const reply = await request(who);
  assert.equal(reply.status, 201, reply.text);
  return reply.payload as PayoutSeen;
}

function on(method: string, who: Person, id: string, account = who.account_id): Promise<Reply> {
  return platform.api.send('invoicing', method, `/v2/${account}/payout/${id}`);
}

/** Waits until a payout has that status; gives it. */
async function until(status: string, who: Person, id: string): Promise<PayoutSeen> {
  const deadline = Date.now() + WITHIN_MS;
  for (;;) {
    const seen = (await on('GET', who, id)).payload as PayoutSeen;
    if (seen.status === status) return seen;
    assert.ok(Date.now() < deadline, `${seen.status} after ${WITHIN_MS} ms, not ${status}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function sent(who: Person): Promise<string> {
  const { payout_status_id: id } = await requested(who);
  const reply = await on('PATCH', who, id);
  assert.equal(reply.status, 200, reply.text);
  assert.equal((reply.payload as PayoutSeen).status, 'CREDIT-TRANSFER-INITIATED');
  return id;
}

async function happens(event: string, id: string): Promise<void> {
  const body = { event, id };
  await platform.api.must(201, 'invoicing', 'POST', '/sandbox/outside_events', { body });
}

async function spendable({ account_id }: Person): Promise<number> {
  return (await platform.api.money(account_id)).spendable;
}

/** What the processor's statement says about a payout, in its order. */
async function statement(id: string): Promise<string[]> {
  const rows = await platform.db.query<{ line: string }>({
    text: `select s.kind || ' ' || s.amount as line from processor_statement s
      join transfer r on r.workspace = s.workspace and r.id::text = s.key
      where r.resource_id = $1 order by s.line`,
    values: [id],
  });
  return rows.map(({ line }) => line);
}

/** Statuses in payout-completed events about a payout, in order. */
async function told(id: string): Promise<string[]> {
  await sealed(platform.db);
  type Page = { events: { event_name: string; message: PayoutSeen }[] };
  const path = '/v1/events?limit=1000';
  const { events } = await platform.api.must<Page>(200, 'invoicing', 'GET', path);
  return events
    .filter(({ event_name }) => event_name === 'payout-completed')
    .map(({ message }) => message)
    .filter(({ payout_status_id }) => payout_status_id === id)
    .map(({ status }) => status);
}

for (const [name, net, fee] of [
  ['bank', 1_980, 20],
  ['paypal', 1_900, 100],
] as const) {
  test(`a payout to ${name} is quoted, requested, sent, paid and announced`, async () => {
    const who = await person(name);
    const query = `amount=2000&currency=USD&destination_payment_method_id=${who.destination}`;
    const path = `/v2/${who.account_id}/payout_quote?${query}`;
    const quote = await platform.api.must<PayoutSeen>(200, 'invoicing', 'GET', path);
    assert.deepEqual([quote.fee_amount, quote.net_amount], [fee, net]);
    const born = await requested(who);
    assert.equal(born.status, 'ESCROW-TRANSFER-INITIATED');
    assert.deepEqual([born.fee_amount, born.credit.amount], [fee, net]);
    assert.equal(born.credit.status, 'CREATED');
    const { payout_status_id: id } = born;
    await until('FUNDS-IN-ESCROW', who, id);
    assert.equal((await on('PATCH', who, id)).status, 200);
    const paid = await until('SUCCESS', who, id);
    assert.equal(paid.credit.status, 'EXECUTED');
    assert.deepEqual(await statement(id), [`payout ${net}`]);
    assert.equal(await spendable(who), 8_000);
    assert.deepEqual(await told(id), ['SUCCESS']);
    const list = await platform.api.must<PayoutSeen[]>(
      200,
      'invoicing',
      'GET',
      `/v2/${who.account_id}/payouts`,
    );
    assert.deepEqual(list, [paid]);
  });
}

test('a slow bank leaves it being sent until the bank confirms', async () => {
  const who = await person('bank_slow');
  const id = await sent(who);
  const deadline = Date.now() + WITHIN_MS;
  const state = `select 1 from transfer where resource_id = $1 and state = 'pending'`;
  while ((await platform.db.query({ text: state, values: [id] })).length === 0) {
    assert.ok(Date.now() < deadline);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.deepEqual((await on('DELETE', who, id)).codes, ['PAYOUT_NOT_CANCELABLE']);
  await until('CREDIT-TRANSFER-INITIATED', who, id);
  await happens('settle', id);
  await until('SUCCESS', who, id);
  assert.deepEqual(await statement(id), ['payout 1980']);
});

for (const name of ['bank_closed', 'paypal_refused']) {
  test(`${name} fails the payout, and the money goes back when it is cancelled`, async () => {
    const who = await person(name);
    const id = await sent(who);
    const failed = await until('FAILED', who, id);
    assert.equal(failed.failure_code, 'generic_error');
    assert.equal(failed.credit.status, 'EXECUTE-FAILED');
    assert.equal(await spendable(who), 8_000);
    const cancelled = await on('DELETE', who, id);
    assert.equal(cancelled.status, 200);
    const shown = cancelled.payload as PayoutSeen;
    assert.equal(shown.status, 'SUPPORT-REJECT-TRANSFER-INITIATED');
    assert.equal(shown.credit.status, 'CANCELED');
    await until('SUPPORT-REJECTED', who, id);
    assert.equal(await spendable(who), 10_000);
    assert.deepEqual(await statement(id), []);
    assert.deepEqual(await told(id), ['FAILED', 'SUPPORT-REJECTED']);
  });
}

test('what the bank returns waits again, and is sent anew', async () => {
  const who = await person('bank_returned');
  const id = await sent(who);
  await until('SUCCESS', who, id);
  await happens('return', id);
  await until('FAILED', who, id);
  assert.equal((await on('PATCH', who, id)).status, 200);
  await until('SUCCESS', who, id);
  assert.deepEqual(await statement(id), ['payout 1980', 'payout_return 1980', 'payout 1980']);
  assert.deepEqual(await told(id), ['SUCCESS', 'FAILED', 'SUCCESS']);
});

test("a payout is found under its own account only, another tenant's nowhere", async () => {
  const who = await person('bank');
  const other = await person('bank');
  const { payout_status_id: id } = await requested(who);
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    const foreign = await on(method, who, id, other.account_id);
    assert.deepEqual([foreign.status, ...foreign.codes], [404, 'PAYOUT_NOT_FOUND'], method);
    const unknown = await on(method, who, newUuid());
    assert.equal(foreign.text, unknown.text);
  }
  for (const more of [
    { source_payment_method_id: other.wallet },
    { destination_payment_method_id: other.destination },
  ]) {
    const reply = await request(who, more);
    assert.deepEqual([reply.status, ...reply.codes], [400, 'PAYMENT_METHOD_NOT_FOUND']);
    const [field = ''] = Object.keys(more);
    assert.equal((await request(who, { [field]: newUuid() })).text, reply.text);
  }
});

test('without an accepted identity the payout is refused and nothing moves', async () => {
  const who = await person('bank');
  const { payout_status_id: id } = await requested(who);
  await platform.api.setKyc(who.account_id, { state: 'DENY' });
  for (const reply of [await request(who), await on('PATCH', who, id)]) {
    assert.deepEqual([reply.status, ...reply.codes], [400, 'PAYOUT_KYC_REQUIRED']);
  }
  assert.equal(await spendable(who), 8_000);
  assert.equal((await on('DELETE', who, id)).status, 200);
  assert.equal(await spendable(who), 10_000);
});

test('what a seller can add follows their country, and that of their business', async () => {
  const { api } = platform;
  const registered = async (country_iso: string): Promise<string> => {
    const body = { username: newUuid(), country_iso };
    type Made = { account_id: string };
    return (await api.must<Made>(200, 'accounts', 'POST', '/register', { body })).account_id;
  };
  const ways = (account: string, query = '?currency=EUR'): Promise<Reply> =>
    api.send('invoicing', 'GET', `/v2/${account}/payout_ways${query}`);
  const [french, american] = [await registered('FR'), await registered('US')];
  assert.deepEqual((await ways(french)).payload, {
    country: 'FR',
    currency: 'EUR',
    ways: ['iban', 'paypal'],
  });
  const offered = (reply: Reply): unknown => (reply.payload as { ways: unknown }).ways;
  assert.deepEqual(offered(await ways(american)), ['bank', 'paypal']);
  const token = await new BusinessScene(platform).session(american);
  const form = { entity_name: 'Beispiel GmbH', country: 'DE' };
  await api.must(200, 'pii', 'PUT', '/v1/entity/form', { body: form, token });
  assert.deepEqual(offered(await ways(american)), ['iban', 'paypal']);
  assert.equal((await ways(french, '?currency=XAU')).codes[0], 'CURRENCY_NOT_ENABLED');
  assert.equal((await ways(french, '')).status, 400);
  const nobody = 'acct_00000000000000000000000000';
  assert.equal((await ways(nobody)).codes[0], 'ACCOUNT_NOT_FOUND');
});
