// Escrows: every row of the interface's state table, the record and its times, the three invoices,
// the events, and every call in a wrong state. [seed: Escrow status; G-34 to G-36, G-74]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startPlatform, type Platform } from './kit.ts';
import { Market, ownLine, pause, saleLine, type Body } from './market.ts';
import type { Escrow } from './records.ts';

const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6} \+0000 UTC$/;
const ID = /^esc_[0-9a-hjkmnp-tv-z]{26}$/;
const UPDATE = 'escrow-transaction-update';

let platform: Platform;
let market: Market;
before(async () => {
  platform = await startPlatform();
  market = new Market(platform.api);
});
after(() => platform?.stop());

/** Three lines: two sellers, and the integrator. */
function basket(method?: string): Body {
  const { seller, seller2, buyer } = platform.ready.accounts;
  return market.sale(0, {
    line_items: [
      saleLine(seller.wallet_id, 300),
      saleLine(seller2.wallet_id, 150),
      ownLine(50),
    ],
    payment_methods: [{ payment_method_id: method ?? buyer.wallet_payment_method_id }],
  });
}

const create = (body: unknown): Promise<Escrow> =>
  platform.api.must(201, 'invoicing', 'POST', '/v2/escrow', { body });
const move = (id: string, name: string): Promise<Escrow> =>
  platform.api.must(200, 'invoicing', 'POST', `/v2/escrow/${id}/${name}`);
const read = (id: string): Promise<Escrow> =>
  platform.api.must(200, 'invoicing', 'GET', `/v2/escrow/${id}`);

async function refused(id: string, name: string, code: string): Promise<void> {
  const before = await platform.rows();
  const reply = await platform.api.send('invoicing', 'POST', `/v2/escrow/${id}/${name}`);
  assert.deepEqual([reply.status, reply.body?.codes], [400, [code]], name);
  assert.deepEqual(await platform.rows(), before, `${name} changed something`);
}

async function balances(): Promise<number[]> {
  const { buyer, seller, seller2 } = platform.ready.accounts;
  const ids = [buyer.account_id, seller.account_id, seller2.account_id];
  return Promise.all(ids.map((id) => market.balance(id)));
}

/** The updates of an escrow, once `count` have come. */
async function updates(id: string, count: number): Promise<unknown[]> {
  const events = await market.events(0, count, (event) => {
    return event.event_name === UPDATE && (event.message as { id?: string }).id === id;
  });
  assert.equal(events.length, count);
  return events.map((event) => event.message);
}

test('(new) -> OPEN: 201, escrow_invoice_id assigned, no integrator', async () => {
  const call = { body: basket(), headers: { 'idempotency-key': 'create an escrow' } };
  const made = () => platform.api.must<Escrow>(201, 'invoicing', 'POST', '/v2/escrow', call);
  const escrow = await made();
  assert.deepEqual(await made(), escrow, 'the same key gives the same answer');
  assert.match(escrow.id, ID);
  assert.match(escrow.created, TIME);
  assert.match(escrow.updated, TIME);
  const { buyer } = platform.ready.accounts;
  const { id, created, updated, escrow_invoice_id, ...rest } = escrow;
  const account_id = buyer.account_id;
  const empty = { commit_invoice_id: '', cancel_invoice_id: '' };
  assert.deepEqual(rest, { account_id, ...empty, status: 'OPEN' });
  const invoice = await market.read(escrow_invoice_id);
  assert.equal(invoice.state, 'open');
  assert.equal(invoice.summary.total_amount, 500);
  assert.deepEqual(await read(id), { id, created, updated, escrow_invoice_id, ...rest });
});

test('OPEN -> ESCROWED -> COMMITTED, from a wallet', async () => {
  const before = await balances();
  const { id } = await create(basket());
  const paid = await move(id, 'pay');
  assert.equal(paid.status, 'ESCROWED');
  assert.equal(paid.integrator, platform.ready.integrator);
  assert.deepEqual(await balances(), [(before[0] ?? 0) - 500, before[1], before[2]]);
  assert.equal((await market.read(paid.escrow_invoice_id)).state, 'success');
  const done = await move(id, 'commit');
  assert.equal(done.status, 'COMMITTED');
  assert.notEqual(done.commit_invoice_id, '');
  assert.equal(done.cancel_invoice_id, '');
  const after = [(before[0] ?? 0) - 500, (before[1] ?? 0) + 300, (before[2] ?? 0) + 150];
  assert.deepEqual(await balances(), after);
  const commit = await market.read(done.commit_invoice_id);
  assert.deepEqual([commit.state, commit.summary.total_amount], ['success', 500]);
  assert.deepEqual(await updates(id, 2), [paid, done]);
});

test('ESCROWED -> CANCELLED, to the wallet: at once, in full', async () => {
  const before = await balances();
  const { id } = await create(basket());
  const paid = await move(id, 'pay');
  const done = await move(id, 'cancel');
  assert.equal(done.status, 'CANCELLED');
  assert.deepEqual([done.commit_invoice_id, done.cancel_invoice_id === ''], ['', false]);
  assert.deepEqual(await balances(), before);
  const cancel = await market.read(done.cancel_invoice_id);
  assert.deepEqual([cancel.state, cancel.summary.total_amount], ['success', 500]);
  assert.deepEqual(await updates(id, 2), [paid, done]);
  assert.deepEqual(await read(id), done);
});

test('ESCROWED -> CANCELLED, to a card: the buyer sees a charge and a refund', async () => {
  const { buyer } = platform.ready.accounts;
  const { id } = await create(basket(buyer.card_payment_method_id));
  assert.equal((await move(id, 'pay')).status, 'ESCROWED');
  const done = await move(id, 'cancel');
  assert.equal(done.status, 'CANCELLED');
  const cancel = await market.ended(done.cancel_invoice_id);
  assert.equal(cancel.state, 'success');
  const [subitem] = Object.values(cancel.subitems);
  assert.equal(subitem?.['subitem_type'], 'refund');
  assert.equal(subitem?.['destination_payment_method_id'], buyer.card_payment_method_id);
});

test('OPEN -> ESCROW-FAILED: the reason is on the escrow invoice; it is final', async () => {
  const { buyer } = platform.ready.accounts;
  const { id, escrow_invoice_id } = await create(basket(buyer.declined_card_payment_method_id));
  const failed = await move(id, 'pay');
  assert.equal(failed.status, 'ESCROW-FAILED');
  const invoice = await market.read(escrow_invoice_id);
  assert.deepEqual([invoice.state, invoice.failure_code], ['failed', 'card_declined']);
  assert.deepEqual(await updates(id, 1), [failed]);
  await refused(id, 'pay', 'ESCROW_NOT_OPEN');
  await refused(id, 'commit', 'ESCROW_NOT_ESCROWED');
  await refused(id, 'cancel', 'ESCROW_NOT_ESCROWED');
});

test('every move from every other state is refused and changes nothing', async () => {
  const { id } = await create(basket());
  await refused(id, 'commit', 'ESCROW_NOT_ESCROWED');
  await refused(id, 'cancel', 'ESCROW_NOT_ESCROWED');
  await move(id, 'pay');
  await refused(id, 'pay', 'ESCROW_NOT_OPEN');
  await move(id, 'commit');
  for (const name of ['commit', 'cancel']) await refused(id, name, 'ESCROW_NOT_ESCROWED');
  await refused(id, 'pay', 'ESCROW_NOT_OPEN');
  const other = await create(basket());
  await move(other.id, 'pay');
  await move(other.id, 'cancel');
  for (const name of ['commit', 'cancel']) await refused(other.id, name, 'ESCROW_NOT_ESCROWED');
});

test('while the processor is being called, pay and cancel are refused', async () => {
  const { buyer } = platform.ready.accounts;
  const account = { account_id: buyer.account_id, test_card: 'slow' };
  const card = await platform.api.must<{ id: string }>(
    201, 'invoicing', 'POST', '/sandbox/payment_methods', { body: account },
  );
  const { id, escrow_invoice_id } = await create(basket(card.id));
  const paying = move(id, 'pay');
  while ((await market.read(escrow_invoice_id)).state === 'open') await pause();
  await assertCode(id, 'pay', 'ESCROW_PAYMENT_IN_PROGRESS');
  await assertCode(id, 'cancel', 'ESCROW_NOT_ESCROWED');
  assert.equal((await paying).status, 'ESCROWED');
});

test("pay returns the payment's result, also if the escrow is committed at once", async () => {
  const { account_id } = platform.ready.accounts.buyer;
  const { api } = platform;
  const attach = { body: { account_id, test_card: 'bank' } };
  const card = await api.must<{ id: string }>(
    201, 'invoicing', 'POST', '/sandbox/payment_methods', attach,
  );
  const { id } = await create(basket(card.id));
  const paying = move(id, 'pay');
  // Pay looks ever less often: by now four times in a second.
  await pause(1_500);
  const settle = { body: { event: 'settle', id } };
  await api.must(201, 'invoicing', 'POST', '/sandbox/outside_events', settle);
  const commit = () => api.send('invoicing', 'POST', `/v2/escrow/${id}/commit`);
  while ((await commit()).status !== 200);
  assert.equal((await paying).status, 'ESCROWED');
});

async function assertCode(id: string, name: string, code: string): Promise<void> {
  const reply = await platform.api.send('invoicing', 'POST', `/v2/escrow/${id}/${name}`);
  assert.deepEqual([reply.status, reply.body?.codes], [400, [code]]);
}

test("an escrow's invoices can be read and found by id, but not paid", async () => {
  const { id } = await create(basket());
  await move(id, 'pay');
  const done = await move(id, 'commit');
  const missing = '01890000-0000-7000-8000-000000000000';
  for (const invoiceId of [done.escrow_invoice_id, done.commit_invoice_id]) {
    const path = `/v2/escrow/by_invoice/${invoiceId}`;
    assert.deepEqual(await platform.api.must(200, 'invoicing', 'GET', path), done);
    const reply = await platform.api.send('invoicing', 'POST', `/v2/invoice/${invoiceId}/pay`);
    assert.deepEqual([reply.status, reply.body?.codes], [400, ['INVOICE_BELONGS_TO_ESCROW']]);
  }
  const unknown = `/v2/escrow/by_invoice/${missing}`;
  assert.equal((await platform.api.send('invoicing', 'GET', unknown)).status, 404);
});

test('the same key gives the same answer, also during the processor call', async () => {
  const { buyer } = platform.ready.accounts;
  const { id } = await create(basket(buyer.card_payment_method_id));
  const call = { headers: { 'idempotency-key': `pay ${id}` } };
  const path = `/v2/escrow/${id}/pay`;
  const replies = await Promise.all(
    [1, 2, 3].map(() => platform.api.must<Escrow>(200, 'invoicing', 'POST', path, call)),
  );
  for (const reply of replies) assert.deepEqual(reply, replies[0]);
  assert.equal(replies[0]?.status, 'ESCROWED');
  await move(id, 'cancel');
  assert.deepEqual(await platform.api.must(200, 'invoicing', 'POST', path, call), replies[0]);
});

test('too little in the wallet fails the escrow', async () => {
  const { seller } = platform.ready.accounts;
  const { id } = await create(market.sale(0, { line_items: [saleLine(seller.wallet_id, 9e8)] }));
  const failed = await move(id, 'pay');
  assert.equal(failed.status, 'ESCROW-FAILED');
  assert.equal((await market.read(failed.escrow_invoice_id)).failure_code, 'insufficient_funds');
});
