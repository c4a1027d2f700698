// The life of payouts against made-up answers of a processor: at each moment the money is in one
// place. [G-43]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newUuid } from '../../../core/ids.ts';
import { Refusal } from '../../../core/refusal.ts';
import { openBench, type Bench } from '../../../../test/kit/domain-bench.ts';
import { Payouts, type PayoutSeen } from '../../../../test/kit/payouts.ts';

let bench: Bench;
let payouts: Payouts;
before(async () => {
  bench = await openBench();
  payouts = new Payouts(bench);
});
after(async () => {
  await bench.proved();
  await bench.close();
});

test('a payout is requested, sent and paid; the quote said what it costs', async () => {
  const who = await payouts.person();
  for (const [method, fee] of [
    ['bank', 10],
    ['paypal', 50],
  ] as const) {
    const before = await payouts.spendable(who);
    const earned = await payouts.systemAccount('payout_fees');
    const destination_payment_method_id = who[method];
    const query = { destination_payment_method_id, amount: '1000', currency: 'USD' };
    const params = { account_id: who.account_id };
    const quote = await bench.must<Record<string, unknown>>('quotePayout', { params, query });
    const reply = await payouts.ask(who, { destination_payment_method_id });
    const born = reply.payload as PayoutSeen;
    assert.equal(born.status, 'ESCROW-TRANSFER-INITIATED');
    assert.equal(born.payout_flow, 'STANDARD');
    for (const [name, value] of Object.entries(quote)) {
      if (name in born) assert.equal(born[name as keyof PayoutSeen], value, name);
    }
    assert.deepEqual([born.fee_amount, born.net_amount], [fee, 1_000 - fee]);
    const { payout_status_id: id } = born;
    const held = await payouts.seen(who, id);
    assert.deepEqual([held.status, held.credit.status], ['FUNDS-IN-ESCROW', 'CREATED']);
    assert.deepEqual([held.credit.amount, held.credit.display_amount], [
      1_000 - fee,
      `USD ${((1_000 - fee) / 100).toFixed(2)}`,
    ]);
    assert.equal(await payouts.spendable(who), before - 1_000);
    await payouts.said(await payouts.execute(who, id), 'paid', { amount: BigInt(1_000 - fee) });
    const paid = await payouts.seen(who, id);
    assert.deepEqual([paid.status, paid.credit.status], ['SUCCESS', 'EXECUTED']);
    assert.equal((await payouts.systemAccount('payout_fees')) - earned, BigInt(fee));
    assert.equal(await payouts.events(id), 1);
    assert.equal((await payouts.on('cancelPayout', who, id)).code, 'PAYOUT_NOT_CANCELABLE');
    assert.equal((await payouts.on('executePayout', who, id)).code, 'PAYOUT_NOT_EXECUTABLE');
  }
  const params = { account_id: who.account_id };
  const list = await bench.must<PayoutSeen[]>('listPayouts', { params });
  assert.deepEqual(list.map(({ fee_amount }) => fee_amount), [50, 10], 'newest first');
  const query = { limit: '1', offset: '1' };
  assert.deepEqual(await bench.must('listPayouts', { params, query }), [list[1]]);
  await bench.proved();
});

test('without a processor a payout is refused at once, and nothing leaves the wallet', async () => {
  const who = await payouts.person();
  const before = await payouts.spendable(who);
  const { providers } = bench.services;
  Object.assign(bench.services, { providers: { ...providers, configured: async () => false } });
  const reply = await payouts.ask(who, {});
  Object.assign(bench.services, { providers });
  assert.equal(reply.code, 'PROVIDER_NOT_CONFIGURED');
  assert.equal(await payouts.spendable(who), before);
});

test('a slow bank is waited for; late and repeated answers change nothing', async () => {
  const who = await payouts.person();
  const id = await payouts.asked(who);
  const sent = await payouts.execute(who, id);
  await payouts.said(sent, 'pending');
  assert.equal((await payouts.seen(who, id)).status, 'CREDIT-TRANSFER-INITIATED');
  assert.equal((await payouts.on('cancelPayout', who, id)).code, 'PAYOUT_NOT_CANCELABLE');
  for (const state of ['paid', 'paid', 'pending', 'declined'] as const) {
    await payouts.said(sent, state);
  }
  assert.equal((await payouts.seen(who, id)).status, 'SUCCESS');
  assert.equal(await payouts.events(id), 1);
  await bench.proved();
});

test('a closed bank fails it; it is sent anew, or the money goes back', async () => {
  const who = await payouts.person();
  const id = await payouts.asked(who);
  const sent = await payouts.execute(who, id);
  await payouts.said(sent, 'declined');
  const clocks = (): Promise<unknown> =>
    bench.db.query('select id, due::text from payout where due is not null order by id');
  const before = await clocks();
  await payouts.said(sent, 'declined');
  assert.deepEqual(await clocks(), before, 'a repeated answer stops no clock');
  const failed = await payouts.seen(who, id);
  assert.deepEqual([failed.status, failed.credit.status], ['FAILED', 'EXECUTE-FAILED']);
  assert.equal(failed.failure_code, 'generic_error');
  assert.notEqual(failed.failure_reason, '');
  assert.equal(await payouts.spendable(who), 9_000, 'still out of the wallet');
  await payouts.said(await payouts.execute(who, id), 'declined');
  const key = newUuid();
  const cancelled = await payouts.on('cancelPayout', who, id, key);
  const shown = cancelled.payload as PayoutSeen;
  assert.equal(shown.status, 'SUPPORT-REJECT-TRANSFER-INITIATED');
  assert.deepEqual([shown.credit.status, shown.failure_code], ['CANCELED', '']);
  assert.deepEqual((await payouts.on('cancelPayout', who, id, key)).payload, shown, 'replayed');
  assert.equal((await payouts.seen(who, id)).status, 'SUPPORT-REJECTED');
  assert.equal(await payouts.spendable(who), 10_000);
  assert.equal(await payouts.events(id), 3);
  assert.equal((await payouts.on('cancelPayout', who, id)).code, 'PAYOUT_NOT_CANCELABLE');
  await bench.proved();
});

test('what the bank sends back waits again, fee and all, and can be sent anew', async () => {
  const who = await payouts.person();
  const pending = await payouts.systemAccount('payout_pending');
  const earned = await payouts.systemAccount('payout_fees');
  const id = await payouts.asked(who);
  const first = await payouts.execute(who, id);
  await payouts.said(first, 'paid');
  await payouts.said(first, 'returned');
  const back = await payouts.seen(who, id);
  assert.deepEqual([back.status, back.failure_code], ['FAILED', 'generic_error']);
  assert.equal((await payouts.systemAccount('payout_pending')) - pending, 1_000n);
  assert.equal(await payouts.systemAccount('payout_fees'), earned);
  await bench.proved();
  const second = await payouts.execute(who, id);
  assert.notEqual(second, first);
  await payouts.said(second, 'returned');
  assert.equal((await payouts.seen(who, id)).status, 'FAILED', 'came back before we heard of it');
  await payouts.said(await payouts.execute(who, id), 'paid');
  assert.equal((await payouts.seen(who, id)).status, 'SUCCESS');
  assert.equal((await payouts.systemAccount('payout_fees')) - earned, 10n);
  await bench.proved();
});

test('what is parked leaves the payout as it is until a person decides', async () => {
  const who = await payouts.person();
  const id = await payouts.asked(who);
  const sent = await payouts.execute(who, id);
  await payouts.said(sent, 'paid', { amount: 1n });
  assert.equal((await payouts.seen(who, id)).status, 'CREDIT-TRANSFER-INITIATED');
  await bench.proved();
  const newId = newUuid();
  await payouts.said(sent, 'retry_decided', { newId });
  await assert.rejects(payouts.said(sent, 'accept_decided'), Refusal, 'the new one is on its way');
  await payouts.said(newId, 'paid');
  assert.equal((await payouts.seen(who, id)).status, 'SUCCESS');
  await assert.rejects(payouts.said(sent, 'accept_decided'), Refusal);
  await bench.proved();
});

test('money under a declined key: parked, and a person counts it once at most', async () => {
  const who = await payouts.person();
  const one = await payouts.asked(who);
  const declined = await payouts.execute(who, one);
  await payouts.said(declined, 'declined');
  const before = await payouts.spendable(who);
  await payouts.said(declined, 'paid');
  assert.equal((await payouts.on('cancelPayout', who, one)).code, 'PAYOUT_NOT_CANCELABLE');
  assert.equal((await payouts.on('executePayout', who, one)).code, 'PAYOUT_NOT_EXECUTABLE');
  await payouts.pass(8 * 86_400);
  assert.equal((await payouts.seen(who, one)).status, 'FAILED', 'the receiver may have it');
  assert.equal(await payouts.spendable(who), before);
  const again = payouts.said(declined, 'retry_decided', { newId: newUuid() });
  await assert.rejects(again, Refusal);
  await payouts.said(declined, 'accept_decided');
  assert.equal((await payouts.seen(who, one)).status, 'SUCCESS');
  const two = await payouts.asked(who);
  const old = await payouts.execute(who, two);
  await payouts.said(old, 'declined');
  await payouts.said(await payouts.execute(who, two), 'paid');
  await payouts.said(old, 'paid');
  await assert.rejects(payouts.said(old, 'accept_decided'), Refusal);
  await bench.proved();
});

test('a key that turns out paid holds back what failed under a later one too', async () => {
  const who = await payouts.person();
  const id = await payouts.asked(who);
  const old = await payouts.execute(who, id);
  await payouts.said(old, 'declined');
  const later = await payouts.execute(who, id);
  await payouts.said(old, 'paid');
  await payouts.said(later, 'declined');
  assert.equal((await payouts.on('cancelPayout', who, id)).code, 'PAYOUT_NOT_CANCELABLE');
  await payouts.said(old, 'accept_decided');
  assert.equal((await payouts.seen(who, id)).status, 'SUCCESS');
  await payouts.said(old, 'returned');
  assert.equal((await payouts.on('cancelPayout', who, id)).status, 200, 'it is back for certain');
  await bench.proved();
});

test('the clock sends after the review, holds back while it may not, then gives up', async () => {
  const who = await payouts.person();
  const id = await payouts.asked(who);
  await payouts.pass(3_500);
  assert.equal((await payouts.seen(who, id)).status, 'FUNDS-IN-ESCROW');
  await payouts.setKyc(who.account_id, { state: 'MANUAL_REVIEW' });
  await payouts.pass(200);
  assert.equal((await payouts.seen(who, id)).status, 'FUNDS-IN-ESCROW-ON-HOLD');
  await payouts.pass(3_700);
  const held = await payouts.seen(who, id);
  assert.equal(held.status, 'FUNDS-IN-ESCROW-ON-HOLD');
  await payouts.setKyc(who.account_id, { state: 'ACCEPT' });
  await payouts.pass(3_700);
  assert.equal((await payouts.seen(who, id)).status, 'CREDIT-TRANSFER-INITIATED');
  await payouts.said(await payouts.sentWith(id), 'declined');
  await payouts.pass(6 * 86_400);
  assert.equal((await payouts.seen(who, id)).status, 'FAILED');
  await payouts.pass(86_401);
  const ended = await payouts.seen(who, id);
  assert.deepEqual([ended.status, ended.credit.status], ['SYSTEM-REJECTED', 'CANCELED']);
  assert.equal(ended.failure_code, 'generic_error');
  assert.equal(await payouts.spendable(who), 10_000);
  await bench.proved();
});

test('a payout on hold can be cancelled; own money is never kept back', async () => {
  const who = await payouts.person();
  const [held, waiting] = [await payouts.asked(who), await payouts.asked(who)];
  await payouts.setKyc(who.account_id, { state: 'DENY', kyc_requirements: 'FULL_KYC' });
  await payouts.pass(3_700);
  for (const id of [held, waiting]) {
    assert.equal((await payouts.on('executePayout', who, id)).code, 'PAYOUT_KYC_REQUIRED');
    assert.equal((await payouts.on('cancelPayout', who, id)).status, 200);
  }
  assert.equal(await payouts.spendable(who), 10_000);
  await bench.proved();
});

test('a payout that somebody holds stays until it is let go', async () => {
  const who = await payouts.person();
  const id = await payouts.asked(who);
  assert.equal((await payouts.on('letPayoutGo', who, id)).code, 'PAYOUT_NOT_HELD');
  const held = (await payouts.on('holdPayout', who, id)).payload as PayoutSeen;
  assert.equal(held.status, 'FUNDS-IN-ESCROW-ON-HOLD');
  assert.equal((await payouts.on('holdPayout', who, id)).code, 'PAYOUT_NOT_HOLDABLE');
  assert.equal((await payouts.on('executePayout', who, id)).code, 'PAYOUT_HELD');
  await payouts.pass(30 * 86_400);
  assert.equal((await payouts.seen(who, id)).status, 'FUNDS-IN-ESCROW-ON-HOLD');
  assert.equal((await payouts.on('letPayoutGo', who, id)).status, 200);
  assert.equal((await payouts.seen(who, id)).status, 'FUNDS-IN-ESCROW');
  await payouts.pass(1);
  assert.equal((await payouts.seen(who, id)).status, 'CREDIT-TRANSFER-INITIATED');
  const early = await payouts.asked(who);
  for (const act of ['holdPayout', 'letPayoutGo']) await payouts.on(act, who, early);
  await payouts.pass(3_500);
  assert.equal((await payouts.seen(who, early)).status, 'FUNDS-IN-ESCROW', 'its review goes on');
  await payouts.on('holdPayout', who, early);
  assert.equal((await payouts.on('cancelPayout', who, early)).status, 200);
  await bench.proved();
});
