// Refunds: whole invoices and parts of line items, to wallets and cards, paid by the integrator and
// nobody else; the record, the events and the list; every refusal leaves every row unchanged.
// [G-43, G-35, M12]
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { startPlatform } from '../api/kit.ts';
import { RefundScene } from '../api/refund-scene.ts';
import type { Escrow } from '../api/records.ts';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const SUCCESS = 'REFUND-SUCCESS';

let scene: RefundScene;
before(async () => {
  scene = new RefundScene(await startPlatform());
  await scene.fund(1_000_000);
});
after(() => scene?.platform.stop());

test('a wallet invoice is refunded at once, by the integrator, announced once', async () => {
  const wallet = scene.platform.ready.accounts.buyer.wallet_payment_method_id;
  const invoice = await scene.sold([200, 100], undefined, 50);
  const before = await scene.money(invoice);
  const sub_reason = 'never came';
  const refund = await scene.refund(invoice.invoice_id, { sub_reason, note: 'a private note' });
  const { refund_id, refund_invoice_id, created, updated, ...rest } = refund;
  assert.match(created, TIME);
  assert.equal(created, updated);
  assert.deepEqual(rest, {
    invoice_id: invoice.invoice_id,
    line_item_id: '',
    status: SUCCESS,
    amount: 350,
    currency: 'USD',
    display_amount: 'USD 3.50',
    reason: 'other',
    sub_reason,
    payment_methods: { [wallet]: 350 },
    failure_code: '',
  });
  const [buyer, seller, integrator] = before;
  assert.deepEqual(await scene.money(invoice), [buyer + 350, seller, integrator - 350]);
  assert.deepEqual(await scene.read(refund_id), refund);
  assert.deepEqual(await scene.told('refund-completed', refund_id, 1), [refund]);
  const back = await scene.market.read(refund_invoice_id);
  assert.deepEqual([back.state, back.summary.total_amount], ['success', 350]);
  assert.deepEqual(await scene.told('invoice-completed', refund_invoice_id, 1), [back]);
  assert.equal((await scene.market.read(invoice.invoice_id)).updated, invoice.updated);
  const list = await scene.refundsOf(invoice.invoice_id);
  const shown = { amount: 350, currency: 'USD', display_amount: 'USD 3.50' };
  const { line_item_refunds, ...listed } = list;
  assert.deepEqual(listed, {
    invoice_id: invoice.invoice_id,
    is_fully_refunded: true,
    refund_invoice_ids: [refund_invoice_id],
    payments: { [wallet]: shown },
    refunds: { [refund_id]: refund },
    reversals: {},
  });
  const lines = Object.values(invoice.line_items).map((one) => [one.line_item_id, one.amount]);
  const given = Object.entries(line_item_refunds).map(([id, { amount }]) => [id, amount]);
  assert.deepEqual(given.toSorted(), lines.toSorted());
  await scene.refused('INVOICE_ALREADY_REFUNDED', () => scene.tryRefund(invoice.invoice_id));
  await scene.refused('INVOICE_NOT_REFUNDABLE', () => scene.tryRefund(refund_invoice_id));
});

test('an invoice paid by card: pending until the processor says it has left', async () => {
  const card = await scene.card();
  const invoice = await scene.sold([300], [{ payment_method_id: card }]);
  const before = await scene.money(invoice);
  const refund = await scene.refund(invoice.invoice_id);
  assert.deepEqual([refund.status, refund.payment_methods], ['REFUND-PENDING', { [card]: 300 }]);
  assert.notEqual(refund.refund_invoice_id, '');
  const done = await scene.until(refund.refund_id, SUCCESS);
  const { updated } = done;
  assert.deepEqual(done, { ...refund, status: SUCCESS, updated });
  const [buyer, seller, integrator] = before;
  assert.deepEqual(await scene.money(invoice), [buyer, seller, integrator - 300]);
  assert.deepEqual(await scene.told('refund-completed', refund.refund_id, 1), [done]);
  assert.equal((await scene.market.read(refund.refund_invoice_id)).state, 'success');
});

test('parts of lines, to methods in the order given, up to the last unit', async () => {
  const wallet = scene.platform.ready.accounts.buyer.wallet_payment_method_id;
  const card = await scene.card();
  const methods = [
    { payment_method_id: wallet, amount: 300 },
    { payment_method_id: card, amount: 0 },
  ];
  const invoice = await scene.sold([400, 300], methods, 200);
  const lines = scene.lines(invoice);
  const [big = '', middle = '', own = ''] = [400, 300, 200].map((n) => lines.get(n));
  const first = await scene.refundLine(big, 250, { payment_methods: [card, wallet] });
  assert.deepEqual([first.line_item_id, first.amount], [big, 250]);
  assert.deepEqual(first.payment_methods, { [card]: 250 });
  await scene.refused('REFUND_TOO_LARGE', () => scene.tryLine(big, 151));
  const over = { payment_methods: [wallet] };
  await scene.refused('PAYMENT_METHOD_REPEATED', () =>
    scene.tryLine(big, 1, { payment_methods: [wallet, wallet] }),
  );
  await scene.refused('PAYMENT_METHOD_NOT_USED', () =>
    scene.tryLine(big, 1, { payment_methods: [wallet, randomUUID()] }),
  );
  const second = await scene.refundLine(middle, 280, over);
  assert.deepEqual([second.status, second.payment_methods], [SUCCESS, { [wallet]: 280 }]);
  await scene.refused('REFUND_METHOD_EXCEEDED', () => scene.tryLine(big, 21, over));
  // The wallet stands first in the invoice and has 20 left.
  const third = await scene.refundLine(own, 50);
  assert.deepEqual(third.payment_methods, { [wallet]: 20, [card]: 30 });
  await Promise.all([first, third].map((one) => scene.until(one.refund_id, SUCCESS)));
  assert.equal((await scene.refundsOf(invoice.invoice_id)).is_fully_refunded, false);
  const rest = await scene.refund(invoice.invoice_id, { reason: 'fraud' });
  assert.deepEqual([rest.amount, rest.payment_methods], [320, { [card]: 320 }]);
  await scene.until(rest.refund_id, SUCCESS);
  const list = await scene.refundsOf(invoice.invoice_id);
  assert.equal(list.is_fully_refunded, true);
  assert.equal(list.refund_invoice_ids.length, 4);
  const amounts = (record: Readonly<Record<string, { amount: number }>>) =>
    Object.fromEntries(Object.entries(record).map(([id, { amount }]) => [id, amount]));
  assert.deepEqual(amounts(list.payments), { [wallet]: 300, [card]: 600 });
  assert.deepEqual(amounts(list.line_item_refunds), { [big]: 400, [middle]: 300, [own]: 200 });
  await scene.refused('REFUND_TOO_LARGE', () => scene.tryLine(big, 1));
});

test('a part that the processor refuses fails and returns to the integrator', async () => {
  const wallet = scene.platform.ready.accounts.buyer.wallet_payment_method_id;
  const card = await scene.card('refund_declined');
  const methods = [
    { payment_method_id: wallet, amount: 100 },
    { payment_method_id: card, amount: 0 },
  ];
  const invoice = await scene.sold([250, 150], methods);
  const [buyer, seller, integrator] = await scene.money(invoice);
  const refund = await scene.refund(invoice.invoice_id);
  assert.deepEqual(refund.payment_methods, { [wallet]: 100, [card]: 300 });
  const failed = await scene.until(refund.refund_id, 'REFUND-FAILED');
  assert.notEqual(failed.failure_code, '');
  assert.deepEqual(failed.payment_methods, { [wallet]: 100, [card]: 0 });
  assert.deepEqual(await scene.told('refund-completed', refund.refund_id, 1), [failed]);
  assert.deepEqual(await scene.money(invoice), [buyer + 100, seller, integrator - 100]);
  assert.equal((await scene.market.read(refund.refund_invoice_id)).state, 'failed');
  const list = await scene.refundsOf(invoice.invoice_id, 'REFUND-FAILED');
  assert.equal(list.is_fully_refunded, false);
  assert.deepEqual(Object.keys(list.refunds), [refund.refund_id]);
  assert.deepEqual(Object.keys((await scene.refundsOf(invoice.invoice_id)).refunds), []);
  const again = await scene.refund(invoice.invoice_id);
  assert.deepEqual(again.payment_methods, { [card]: 300 });
  await scene.until(again.refund_id, 'REFUND-FAILED');
  assert.deepEqual(await scene.money(invoice), [buyer + 100, seller, integrator - 100]);
});

test('a refund whose first answer is lost goes back once', async () => {
  const card = await scene.card('refund_timeout_after_effect');
  const invoice = await scene.sold([120], [{ payment_method_id: card }]);
  const refund = await scene.refund(invoice.invoice_id);
  await scene.until(refund.refund_id, SUCCESS);
});

test('an escrow is refunded by its escrow invoice, once it is committed', async () => {
  const { api } = scene.platform;
  const move = (path: string, body?: unknown): Promise<Escrow> =>
    api.must(body === undefined ? 200 : 201, 'invoicing', 'POST', path, { body });
  const { id, escrow_invoice_id } = await move('/v2/escrow', scene.market.sale(210));
  const belongs = (invoice: string): Promise<void> =>
    scene.refused('INVOICE_BELONGS_TO_ESCROW', () => scene.tryRefund(invoice));
  const [line = ''] = scene.lines(await scene.market.read(escrow_invoice_id)).values();
  await belongs(escrow_invoice_id);
  await move(`/v2/escrow/${id}/pay`);
  await belongs(escrow_invoice_id);
  await scene.refused('INVOICE_BELONGS_TO_ESCROW', () => scene.tryLine(line, 1));
  const { commit_invoice_id } = await move(`/v2/escrow/${id}/commit`);
  await belongs(commit_invoice_id);
  const commit = await scene.market.read(commit_invoice_id);
  const [theirs = ''] = scene.lines(commit).values();
  await scene.refused('LINE_ITEM_NOT_FOUND', () => scene.tryLine(theirs, 1));
  const before = await scene.money(commit);
  assert.equal((await scene.refundLine(line, 10)).status, SUCCESS);
  assert.deepEqual([(await scene.refund(escrow_invoice_id)).amount], [200]);
  const [buyer, seller, integrator] = before;
  assert.deepEqual(await scene.money(commit), [buyer + 210, seller, integrator - 210]);
  const other = await move('/v2/escrow', scene.market.sale(30));
  await move(`/v2/escrow/${other.id}/pay`);
  const { cancel_invoice_id } = await move(`/v2/escrow/${other.id}/cancel`);
  await belongs(other.escrow_invoice_id);
  await belongs(cancel_invoice_id);
});

test('a dispute is shown beside the refunds and borne, not refunded too', async () => {
  const card = await scene.card();
  const invoice = await scene.sold([90], [{ payment_method_id: card }]);
  const [buyer, seller, integrator] = await scene.money(invoice);
  const body = { event: 'chargeback', id: invoice.invoice_id };
  const path = '/sandbox/outside_events';
  await scene.platform.api.must(201, 'invoicing', 'POST', path, { body });
  const { reversals } = await scene.covered(invoice.invoice_id);
  const [reversal] = Object.values(reversals);
  assert.deepEqual([reversal?.amount, reversal?.payment_method_id], [90, card]);
  assert.deepEqual(await scene.market.read(invoice.invoice_id), invoice);
  assert.deepEqual(await scene.money(invoice), [buyer, seller, integrator - 90]);
  await scene.refused('INVOICE_ALREADY_REFUNDED', () => scene.tryRefund(invoice.invoice_id));
});

test('under one key there is one refund, and one answer', async () => {
  const invoice = await scene.sold([80]);
  const headers = { 'idempotency-key': randomUUID() };
  const first = await scene.tryRefund(invoice.invoice_id, {}, { headers });
  assert.equal(first.status, 200);
  const again = await scene.tryRefund(invoice.invoice_id, {}, { headers });
  assert.deepEqual([again.status, again.text], [200, first.text]);
  const other = await scene.tryRefund(invoice.invoice_id, { reason: 'fraud' }, { headers });
  assert.deepEqual([other.status, other.code], [422, 'IDEMPOTENCY_KEY_REUSED']);
});

test('every refusal has its code and changes nothing', async () => {
  const { market } = scene;
  const open = await market.create(market.sale(50));
  const free = await scene.sold([0]);
  const [line = ''] = scene.lines(open).values();
  const [zero = ''] = scene.lines(free).values();
  const unpaid = scene.platform.ready.accounts.buyer.declined_card_payment_method_id;
  const failed = await market.sold(
    market.sale(60, { payment_methods: [{ payment_method_id: unpaid }] }),
  );
  assert.equal(failed.state, 'failed');
  for (const id of [open.invoice_id, failed.invoice_id]) {
    await scene.refused('INVOICE_NOT_REFUNDABLE', () => scene.tryRefund(id));
  }
  await scene.refused('INVOICE_NOT_REFUNDABLE', () => scene.tryLine(line, 1));
  await scene.refused('INVOICE_NOTHING_TO_REFUND', () => scene.tryRefund(free.invoice_id));
  await scene.refused('INVOICE_NOTHING_TO_REFUND', () => scene.tryLine(zero, 1));
  for (const id of [randomUUID(), 'x', line]) {
    await scene.refused('INVOICE_NOT_FOUND', () => scene.tryRefund(id));
  }
  for (const id of [randomUUID(), 'x', open.invoice_id]) {
    await scene.refused('LINE_ITEM_NOT_FOUND', () => scene.tryLine(id, 1));
  }
  const card = 'card 4111 1111 1111 1111';
  const paid = await scene.sold([70]);
  await scene.refused('CARD_NUMBER_REFUSED', () =>
    scene.tryRefund(paid.invoice_id, { note: card }),
  );
  const refund = await scene.refund(paid.invoice_id, { sub_reason: card });
  await scene.refused('REFUND_NOT_WAITING', () => scene.tryWithdraw(refund.refund_id));
  for (const id of [randomUUID(), 'x', paid.invoice_id]) {
    await scene.refused('REFUND_NOT_FOUND', () => scene.tryWithdraw(id), 404);
  }
});
