// Every refusal of payouts leaves the books unchanged; and the price of a payout. [G-43, ID5]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newUuid } from '../../../core/ids.ts';
import { Refusal } from '../../../core/refusal.ts';
import { openBench, type Bench, type Reply } from '../../../../test/kit/domain-bench.ts';
import { Payouts, type PayoutSeen } from '../../../../test/kit/payouts.ts';
import { priceAt, priceOf } from './fees.ts';

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

test('every refusal has its code and changes nothing', async () => {
  const who = await payouts.person(100);
  const other = await payouts.person(0);
  const params = { account_id: 'acct_00000000000000000000000000' };
  const nobody = { ...who, ...params };
  const held = await payouts.asked(who, { amount: 10 });
  const state = await payouts.books();
  const from = (source_payment_method_id: string, more: object = {}): Promise<Reply> =>
    payouts.ask(who, { source_payment_method_id, ...more });
  const to = (destination_payment_method_id: string): Promise<Reply> =>
    payouts.ask(who, { destination_payment_method_id });
  const cases: readonly (readonly [string, Promise<Reply>])[] = [
    ['ACCOUNT_NOT_FOUND', payouts.ask(nobody)],
    ['ACCOUNT_NOT_FOUND', payouts.on('cancelPayout', nobody, held)],
    ['ACCOUNT_NOT_FOUND', payouts.on('executePayout', nobody, held)],
    ['ACCOUNT_NOT_FOUND', payouts.on('getPayout', nobody, held)],
    ['ACCOUNT_NOT_FOUND', bench.call('listPayouts', { params })],
    ['PAYOUT_NOT_FOUND', payouts.on('cancelPayout', other, held)],
    ['PAYOUT_NOT_FOUND', payouts.on('executePayout', other, held)],
    ['PAYOUT_NOT_FOUND', payouts.on('getPayout', other, held)],
    ['PAYOUT_NOT_FOUND', payouts.on('cancelPayout', who, newUuid())],
    ['PAYOUT_NOT_FOUND', payouts.on('cancelPayout', who, 'x')],
    ['PAYMENT_METHOD_NOT_FOUND', from(other.wallet)],
    ['PAYMENT_METHOD_NOT_FOUND', from('x')],
    ['PAYMENT_METHOD_NOT_FOUND', to(other.bank)],
    ['PAYOUT_SOURCE_NOT_WALLET', from(who.bank)],
    ['PAYOUT_DESTINATION_NOT_ALLOWED', to(who.card)],
    ['PAYOUT_DESTINATION_NOT_ALLOWED', to(who.wallet)],
    ['PAYOUT_CURRENCY_MISMATCH', payouts.ask(who, { currency: 'EUR' })],
    ['PAYOUT_CURRENCY_MISMATCH', from(who.euros)],
    ['PAYOUT_INSUFFICIENT_FUNDS', payouts.ask(who, { amount: 91 })],
    ['PAYOUT_INSUFFICIENT_FUNDS', from(who.euros, { currency: 'EUR' })],
  ];
  for (const [at, [code, reply]] of cases.entries()) {
    assert.equal((await reply).code, code, `case ${at}`);
  }
  assert.deepEqual(await payouts.books(), state);
  assert.equal(await payouts.spendable(who), 90);
});

test('without a processor, only what goes by bank file is paid out', async (t) => {
  const who = await payouts.person(100);
  const state = await payouts.books();
  t.mock.method(bench.services.providers, 'configured', async () => false);
  assert.equal((await payouts.ask(who, { amount: 10 })).code, 'PROVIDER_NOT_CONFIGURED');
  assert.deepEqual(await payouts.books(), state);
});

test('a quote refuses what the request would', async () => {
  const { account_id, bank, card } = await payouts.person(0);
  const quote = async (more: object): Promise<string | null> => {
    const query = { destination_payment_method_id: bank, amount: '100', currency: 'USD', ...more };
    return (await bench.call('quotePayout', { params: { account_id }, query })).code;
  };
  assert.equal(await quote({}), null);
  assert.equal(await quote({ currency: 'JPY' }), 'CURRENCY_NOT_ENABLED');
  const to = (destination_payment_method_id: string) => quote({ destination_payment_method_id });
  assert.equal(await to(card), 'PAYOUT_DESTINATION_NOT_ALLOWED');
  assert.equal(await to('x'), 'PAYMENT_METHOD_NOT_FOUND');
  for (const amount of ['0', '-1', '1.5', '1e3', '01', ' 1', '', '100000000000']) {
    assert.equal(await quote({ amount }), 'INVALID_FIELD', amount);
  }
});

test('the gate: identity, tax and blocks, at the request and again when it is sent', async () => {
  const who = await payouts.person();
  const id = await payouts.asked(who);
  const block = { account_id: who.account_id, block_capability: 'login' };
  const closed = async (code: string): Promise<void> => {
    const state = await payouts.books();
    assert.equal((await payouts.ask(who)).code, code);
    assert.equal((await payouts.on('executePayout', who, id)).code, code);
    assert.deepEqual(await payouts.books(), state, code);
  };
  for (const state of ['DENY', 'NODATA', 'MANUAL_REVIEW', 'CANCEL']) {
    await payouts.setKyc(who.account_id, { state });
    await closed('PAYOUT_KYC_REQUIRED');
  }
  await payouts.setKyc(who.account_id, { state: 'ACCEPT', kyc_requirements: 'TAX_UPDATE' });
  await closed('PAYOUT_TAX_UPDATE_REQUIRED');
  await payouts.setKyc(who.account_id, { state: 'ACCEPT', kyc_requirements: 'NONE' });
  await bench.must('blockAccount', { body: { ...block, block_reason: 'account_close' } });
  await closed('ACCOUNT_BLOCKED');
  await bench.must('unblockAccount', { body: block });
  await bench.db.execute({
    text: `update payment_method set pm_state = 'INACTIVE' where id = $1`,
    values: [who.bank],
  });
  await closed('PAYMENT_METHOD_NOT_ACTIVE');
  await payouts.pass(3_700);
  assert.equal((await payouts.seen(who, id)).status, 'FUNDS-IN-ESCROW-ON-HOLD');
});

test('money that is kept back cannot be paid out', async () => {
  const who = await payouts.person(0);
  await payouts.setKyc(who.account_id, { state: 'DENY', kyc_requirements: 'FULL_KYC' });
  const body = { account_id: who.account_id, currency: 'USD', amount: 500 };
  await bench.must('sandboxDeposit', { body });
  assert.equal((await payouts.ask(who, { amount: 500 })).code, 'PAYOUT_KYC_REQUIRED');
  assert.equal(await payouts.spendable(who), 0);
});

test('one key, one payout; the answer is as it was', async () => {
  const who = await payouts.person();
  const key = newUuid();
  const [one, two] = [await payouts.ask(who, {}, key), await payouts.ask(who, {}, key)];
  assert.deepEqual(two.payload, one.payload);
  await payouts.execute(who, (one.payload as PayoutSeen).payout_status_id);
  assert.deepEqual((await payouts.ask(who, {}, key)).payload, one.payload);
  assert.equal((await payouts.ask(who, { amount: 5 }, key)).code, 'IDEMPOTENCY_KEY_REUSED');
  assert.equal(await payouts.spendable(who), 9_000);
});

test('fees are rounded half up, and something must remain', () => {
  for (const [amount, fee] of [
    [1n, 0n],
    [49n, 0n],
    [50n, 1n],
    [149n, 1n],
    [150n, 2n],
    [99_999_999_999n, 1_000_000_000n],
  ] as const) {
    assert.deepEqual(priceOf('ach', amount), { fee, net: amount - fee });
  }
  assert.deepEqual(priceOf('paypal', 10n), { fee: 1n, net: 9n });
  assert.throws(() => priceAt('1', 10n), Refusal);
  assert.throws(() => priceOf('card', 10n), Refusal);
});

test("another tenant's payout is nobody's", async () => {
  const who = await payouts.person();
  const params = { account_id: who.account_id, payout_status_id: await payouts.asked(who) };
  const caller = bench.caller(bench.other);
  for (const id of ['getPayout', 'cancelPayout', 'executePayout']) {
    assert.equal((await bench.call(id, { params, caller })).code, 'ACCOUNT_NOT_FOUND', id);
  }
});
