// Concurrent refunds through two processes on one database: never more goes back than was charged.
// [M12, M3, G-44]
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { Api, Reply } from '../kit/api.ts';
import { reconciled, sealed, settled } from '../kit/books.ts';
import { startFleet, type Fleet } from '../kit/platform.ts';

let fleet: Fleet;
before(async () => {
  fleet = await startFleet(2);
});
after(() => fleet?.stop());

/** `count` calls at once, in turn through the processes. */
function race(count: number, call: (api: Api, at: number) => Promise<Reply>): Promise<Reply[]> {
  const calls = Array.from({ length: count }, (_, at) => call(fleet.apis[at % 2] as Api, at));
  return Promise.all(calls);
}

/** How often each status and code was answered. */
function refundedAmounts(replies: readonly Reply[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, codes } of replies) {
    const name = [status, ...codes].join(' ');
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

async function fund(amount: number): Promise<void> {
  const body = { integrator: true, currency: 'USD', amount };
  await first().must(201, 'invoicing', 'POST', '/sandbox/deposits', { body });
}

function first(): Api {
  return fleet.apis[0] as Api;
}

function refund(api: Api, invoice_id: string, key?: string): Promise<Reply> {
  const body = { invoice_id, reason: 'other' };
  const keyed = key === undefined ? {} : { key };
  return api.send('invoicing', 'POST', '/v2/refund', { body, ...keyed });
}

/** A paid invoice, by the wallet or a card of an account of its own. */
async function sold(kind: 'wallet' | 'card', amount: number): Promise<[string, string]> {
  const api = first();
  const { account_id, method } = await api.register(randomUUID());
  await api.fund(account_id, amount);
  const payment_method_id = kind === 'wallet' ? method : await api.attach(account_id, 'visa');
  const id = await api.created(api.sale(amount, [{ payment_method_id }], { account_id }));
  await api.pay(id);
  assert.equal((await api.finished(id)).state, 'success');
  return [id, account_id];
}

async function proof(): Promise<void> {
  await settled(fleet.db, 30_000);
  await sealed(fleet.db);
  await reconciled(fleet.db);
  assert.deepEqual(fleet.faults(), []);
}

for (const kind of ['wallet', 'card'] as const) {
  test(`50 full refunds of one invoice by ${kind}: one is taken`, async () => {
    await fund(500);
    const [id, account] = await sold(kind, 500);
    const replies = await race(50, (api) => refund(api, id));
    assert.deepEqual(refundedAmounts(replies), { 200: 1, '400 INVOICE_ALREADY_REFUNDED': 49 });
    await proof();
    // The card's holder paid 500 and still has the 500 of their wallet.
    assert.equal((await first().money(account)).spendable, 500);
  });
}

test('50 parts of a line that sum above it: exactly what fits is taken', async () => {
  await fund(1_000);
  const [id, account] = await sold('wallet', 1_000);
  const { line_items } = (await first().read(id)) as unknown as { line_items: object };
  const [line_item_id] = Object.keys(line_items);
  const body = { line_item_id, amount: 30, reason: 'billing' };
  const replies = await race(50, (api) =>
    api.send('invoicing', 'POST', '/v2/line-item/refund', { body }),
  );
  assert.deepEqual(refundedAmounts(replies), { 200: 33, '400 REFUND_TOO_LARGE': 17 });
  await proof();
  assert.equal((await first().money(account)).spendable, 990);
});

test('50 refunds under one key: one refund, the same bytes', async () => {
  await fund(70);
  const [id] = await sold('wallet', 70);
  const key = randomUUID();
  const replies = await race(50, (api) => refund(api, id, key));
  assert.deepEqual(refundedAmounts(replies), { 200: 50 });
  assert.equal(new Set(replies.map((reply) => reply.text)).size, 1);
  await proof();
});

test('refunds of many invoices, and the integrator holds half: each ends once', async () => {
  const all = await Promise.all(Array.from({ length: 20 }, () => sold('wallet', 40)));
  await fund(400);
  const replies = await race(20, (api, at) => refund(api, all[at]?.[0] ?? ''));
  const states = replies.map((reply) => (reply.payload as { status: string }).status);
  assert.equal(states.filter((one) => one === 'REFUND-SUCCESS').length, 10);
  const ids = replies.map((reply) => (reply.payload as { refund_id: string }).refund_id);
  const withdrawn = race(20, (api, at) =>
    api.send('invoicing', 'DELETE', `/v2/refund/${ids[at] ?? ''}`),
  );
  const [replied] = await Promise.all([withdrawn, fund(200)]);
  assert.equal(replied.filter((one) => one.status === 200).length <= 10, true);
  await proof();
});
