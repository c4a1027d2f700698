// Refunds while the integrator holds too little: accepted, reserved, funded oldest first as money
// comes in, withdrawn on request. [G-43, M3]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { startPlatform } from '../api/kit.ts';
import { RefundScene, type Refund } from '../api/refund-scene.ts';

const WAITING = 'REFUND-WAITING-FUNDS';
const SUCCESS = 'REFUND-SUCCESS';

let scene: RefundScene;
before(async () => {
  scene = new RefundScene(await startPlatform());
});
after(() => scene?.platform.stop());

test('without money a refund waits, reserved and unmoved, and can be taken back', async () => {
  const invoice = await scene.sold([200, 100]);
  const line = scene.lines(invoice).get(200) ?? '';
  const before = await scene.money(invoice);
  assert.equal(before[2], 0);
  const part = await scene.refundLine(line, 150);
  assert.deepEqual([part.status, part.refund_invoice_id], [WAITING, '']);
  await scene.refused('REFUND_TOO_LARGE', () => scene.tryLine(line, 51));
  const rest = await scene.refund(invoice.invoice_id);
  assert.deepEqual([rest.status, rest.amount], [WAITING, 150]);
  await scene.refused('INVOICE_ALREADY_REFUNDED', () => scene.tryRefund(invoice.invoice_id));
  const listed = await scene.refundsOf(invoice.invoice_id, WAITING);
  assert.deepEqual(Object.keys(listed.refunds).toSorted(), [part.refund_id, rest.refund_id].sort());
  assert.deepEqual([listed.refund_invoice_ids, listed.is_fully_refunded], [[], false]);
  type Open = { items: readonly { id: string; kind: string; amount: number }[] };
  const open = async (): Promise<unknown[]> =>
    (await scene.platform.api.must<Open>(200, 'payments', 'GET', '/v1/reconciliation')).items.map(
      ({ id, kind, amount }) => [id, kind, amount],
    );
  const waits = ({ refund_id, amount }: Refund) => [refund_id, 'waiting_refund', amount];
  assert.deepEqual(await open(), [part, rest].map(waits), 'all that waits is shown');
  for (const { refund_id } of [part, rest]) {
    const reply = await scene.tryWithdraw(refund_id);
    const gone = reply.body.payload as Refund;
    assert.deepEqual([reply.status, gone.status, gone.failure_code], [200, 'REFUND-REJECTED', '']);
    assert.deepEqual(await scene.read(refund_id), gone);
    assert.deepEqual(await scene.told('refund-completed', refund_id, 1), [gone]);
    await scene.refused('REFUND_NOT_WAITING', () => scene.tryWithdraw(refund_id));
  }
  assert.deepEqual(await open(), []);
  assert.deepEqual(await scene.money(invoice), before);
  await scene.fund(300);
  const again = await scene.refund(invoice.invoice_id);
  assert.deepEqual([again.status, again.amount], [SUCCESS, 300]);
  const [buyer, seller] = before;
  assert.deepEqual(await scene.money(invoice), [buyer + 300, seller, 0]);
});

test('as money comes in, the oldest is funded first, and those behind it wait', async () => {
  const invoices = [await scene.sold([100]), await scene.sold([60]), await scene.sold([30])];
  const refunds: Refund[] = [];
  for (const { invoice_id } of invoices) refunds.push(await scene.refund(invoice_id));
  const states = async (): Promise<string[]> =>
    (await Promise.all(refunds.map((one) => scene.read(one.refund_id)))).map((one) => one.status);
  assert.deepEqual(await states(), [WAITING, WAITING, WAITING]);
  // Enough for each of the later two, not for the first.
  await scene.fund(90);
  await delay(2_500);
  assert.deepEqual(await states(), [WAITING, WAITING, WAITING]);
  // The integrator's share of a sale counts as well.
  await scene.sold([10], undefined, 80);
  await scene.until(refunds[1]?.refund_id ?? '', SUCCESS);
  assert.deepEqual(await states(), [SUCCESS, SUCCESS, WAITING]);
  await scene.fund(20);
  const last = await scene.until(refunds[2]?.refund_id ?? '', SUCCESS);
  assert.deepEqual(await scene.told('refund-completed', last.refund_id, 1), [last]);
  assert.equal((await scene.money(invoices[0] as (typeof invoices)[0]))[2], 0);
});

test('a card refund that waited is sent once it is funded', async () => {
  const card = await scene.card();
  const invoice = await scene.sold([40], [{ payment_method_id: card }]);
  const refund = await scene.refund(invoice.invoice_id);
  assert.equal(refund.status, WAITING);
  await scene.fund(40);
  const done = await scene.until(refund.refund_id, SUCCESS);
  assert.notEqual(done.refund_invoice_id, '');
});

test('a race for the integrator\'s last money pays what it holds, no more', async () => {
  await scene.fund(250);
  const invoices = await Promise.all(Array.from({ length: 10 }, () => scene.sold([50])));
  const [invoice] = invoices;
  assert.ok(invoice);
  assert.equal((await scene.money(invoice))[2], 250);
  const refunds = await Promise.all(invoices.map((one) => scene.refund(one.invoice_id)));
  const paid = refunds.filter((one) => one.status === SUCCESS);
  assert.equal(paid.length, 5);
  assert.equal((await scene.money(invoice))[2], 0);
  const waiting = refunds.filter((one) => one.status === WAITING);
  // Withdrawn while money comes in: each is either paid or rejected, never both.
  await Promise.all([scene.fund(100), ...waiting.map((one) => scene.tryWithdraw(one.refund_id))]);
  const ends = await Promise.all(
    waiting.map((one) => scene.until(one.refund_id, SUCCESS, 'REFUND-REJECTED')),
  );
  const late = ends.filter((one) => one.status === SUCCESS).length;
  assert.equal((await scene.money(invoice))[2], 100 - 50 * late);
});
