// Races over HTTP through two processes on one database: there is always one effect. The processes
// start at the same moment on an empty database, which is the first race. [M3, M5, M17, M19, G-33,
// G-44]
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { Api, InvoiceSeen } from '../kit/api.ts';
import { testDatabase } from '../kit/database.ts';
import { startFleet, type Fleet } from '../kit/platform.ts';
import { proof, race, RACERS, statementOf, refundedAmounts } from '../races/racing.ts';

let fleet: Fleet;
before(async () => {
  fleet = await startFleet(2, {}, [], await testDatabase());
});
after(() => fleet.stop());

function first(): Api {
  return fleet.apis[0] as Api;
}

test('both processes started on the empty database have the same sandbox tenant', async () => {
  const [one, two] = fleet.nodes.map(({ ready }) => ready);
  assert.deepEqual(one?.client, two?.client);
  assert.deepEqual(one?.accounts, two?.accounts);
  const workspaces = await fleet.db.query<{ n: bigint }>('select count(*) as n from workspace');
  assert.equal(workspaces[0]?.n, 1n);
  await proof(fleet);
});

for (const kind of ['card', 'wallet', 'wallet and card'] as const) {
  test(`${RACERS} pays of one invoice by ${kind}: one is taken, others are refused`, async () => {
    const api = first();
    const { account_id, method } = await api.register(`racer-${kind}`);
    await api.fund(account_id, 5_000);
    const card = await api.attach(account_id, 'visa');
    const parts = {
      card: [{ payment_method_id: card }],
      wallet: [{ payment_method_id: method }],
      'wallet and card': [
        { payment_method_id: method, amount: 100 },
        { payment_method_id: card, amount: 0 },
      ],
    };
    const id = await api.created(api.sale(900, parts[kind], { account_id }));
    const replies = await race(fleet, RACERS, (one) => one.pay(id));
    assert.deepEqual(refundedAmounts(replies), { 200: 1, '400 INVOICE_NOT_OPEN': RACERS - 1 });
    assert.equal((await api.finished(id)).state, 'success');
    const taken = { card: ['capture 900'], wallet: [], 'wallet and card': ['capture 800'] };
    assert.deepEqual(await statementOf(fleet, id), taken[kind]);
    const spent = kind === 'card' ? 0 : kind === 'wallet' ? 900 : 100;
    assert.equal((await api.money(account_id)).spendable, 5_000 - spent);
    await proof(fleet);
  });
}

test('debits that race on one wallet take exactly what it holds', async () => {
  const api = first();
  const { account_id, method } = await api.register('debits');
  await api.fund(account_id, 1_050);
  const parts = [{ payment_method_id: method }];
  const body = api.sale(100, parts, { account_id });
  const ids = await Promise.all(
    Array.from({ length: 40 }, (_, at) => (fleet.apis[at % 2] as Api).created(body)),
  );
  const replies = await race(fleet, 40, (one, at) => one.pay(ids[at] ?? ''));
  assert.deepEqual(refundedAmounts(replies), { 200: 40 });
  const seen = await Promise.all(ids.map((id) => api.finished(id)));
  assert.equal(seen.filter((one) => one.state === 'success').length, 10);
  const failed = seen.filter((one) => one.failure_code === 'insufficient_funds');
  assert.equal(failed.length, 30);
  assert.equal((await api.money(account_id)).spendable, 50);
  await proof(fleet);
});

test('100 creations under one key make one invoice and answer the same bytes', async () => {
  const api = first();
  const { buyer } = api.ready.accounts;
  const body = api.sale(10, [{ payment_method_id: buyer.wallet_payment_method_id }], {
    description: 'under one key',
  });
  const key = randomUUID();
  const replies = await race(fleet, 100, (one) => one.create(body, key));
  assert.deepEqual(refundedAmounts(replies), { 201: 100 });
  assert.equal(new Set(replies.map((reply) => reply.text)).size, 1);
  const rows = await fleet.db.query<{ n: bigint }>(
    `select count(*) as n from invoice_document where document like '%under one key%'`,
  );
  assert.equal(rows[0]?.n, 1n);
  const parts = [{ payment_method_id: buyer.wallet_payment_method_id }];
  const other = await race(fleet, 20, (one) => one.create(api.sale(11, parts), key));
  assert.deepEqual(refundedAmounts(other), { '422 IDEMPOTENCY_KEY_REUSED': 20 });
  await proof(fleet);
});

test('100 pays under one key take one payment and answer the same bytes', async () => {
  const api = first();
  const { buyer } = api.ready.accounts;
  for (const payment_method_id of [buyer.wallet_payment_method_id, buyer.card_payment_method_id]) {
    const id = await api.created(api.sale(10, [{ payment_method_id }]));
    const key = randomUUID();
    const replies = await race(fleet, 100, (one) => one.pay(id, key));
    assert.deepEqual(refundedAmounts(replies), { 200: 100 });
    await api.finished(id);
    const [late] = await race(fleet, 1, (one) => one.pay(id, key));
    const answers = new Set([...replies, late].map((reply) => reply?.text));
    assert.equal(answers.size, 1);
    assert.equal((late?.payload as InvoiceSeen).state, 'processing');
    const other = await race(fleet, 1, (one) => one.pay(id, randomUUID()));
    assert.deepEqual(refundedAmounts(other), { '400 INVOICE_NOT_OPEN': 1 });
  }
  await proof(fleet);
});

test('a refusal leaves its key unused', async () => {
  const api = first();
  const { account_id, method } = await api.register('refused-first');
  const key = randomUUID();
  const good = api.sale(10, [{ payment_method_id: method }], { account_id });
  const bad = api.sale(10, [{ payment_method_id: randomUUID() }], { account_id });
  const refused = await race(fleet, 10, (one) => one.create(bad, key));
  assert.deepEqual(refundedAmounts(refused), { '400 PAYMENT_METHOD_NOT_FOUND': 10 });
  const replies = await race(fleet, 10, (one) => one.create(good, key));
  assert.deepEqual(refundedAmounts(replies), { 201: 10 });
  assert.equal(new Set(replies.map((reply) => reply.text)).size, 1);
});

test('what one process has answered, the other one shows', async () => {
  const [one, two] = fleet.apis as [Api, Api];
  const { buyer } = one.ready.accounts;
  const body = one.sale(1, [{ payment_method_id: buyer.wallet_payment_method_id }]);
  const lane = async (writer: Api, reader: Api): Promise<void> => {
    for (let n = 0; n < 25; n += 1) {
      const made = await writer.create(body);
      const id = (made.payload as InvoiceSeen).invoice_id;
      const read = await reader.send('invoicing', 'GET', `/v2/invoice/${id}`);
      assert.equal(read.status, 200);
      assert.deepEqual(read.payload, made.payload);
      assert.equal((await reader.pay(id)).status, 200);
      assert.equal((await writer.read(id)).state, 'success');
    }
  };
  await Promise.all([lane(one, two), lane(two, one), lane(one, two), lane(two, one)]);
  await proof(fleet);
});
