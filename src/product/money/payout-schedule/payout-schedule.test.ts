// Payout schedules: the tenant's default and an account's own, one payout for each period, only
// where the account is eligible, and only to the destination that it chose. [G-38, G-91]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Refusal } from '../../../core/refusal.ts';
import { engineRefusals } from '../../../engine/index.ts';
import { openBench, type Bench } from '../../../../test/kit/domain-bench.ts';
import { Payouts, type PayoutSeen, type Person } from '../../../../test/kit/payouts.ts';
import { runSchedules } from './index.ts';
import { nextDue } from './store.ts';

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

interface Shown {
  readonly interval: string;
  readonly weekday: string;
  readonly minimum_amount: number;
  readonly inherited: boolean;
  readonly next_payout: string;
  readonly last_outcome: string;
}

const DAY = 86_400;

function set({ account_id, bank }: Person, more: object = {}) {
  const body = { currency: 'USD', destination_payment_method_id: bank, ...more };
  return bench.call('setPayoutSchedule', { params: { account_id }, body });
}

async function shown({ account_id }: Person): Promise<Shown> {
  const all = await bench.must<Shown[]>('listPayoutSchedules', { params: { account_id } });
  const [one] = all;
  assert.ok(one);
  return one;
}

async function list({ account_id }: Person): Promise<PayoutSeen[]> {
  return bench.must<PayoutSeen[]>('listPayouts', { params: { account_id } });
}

/** Lets days pass, one at a time as the clock does, and runs what is due. */
async function days(n: number): Promise<void> {
  const { db, engine } = bench.services;
  for (let day = 0; day < n; day += 1) {
    await payouts.pass(DAY);
    while ((await runSchedules({ db, engine, holdSeconds: 3_600 })) > 0);
  }
}

test('the midnight after a moment, by rhythm', () => {
  const thursday = '2026-11-19T23:59:59.999999Z';
  const at = (interval: 'manual' | 'daily' | 'weekly', weekday: number | null = null) =>
    nextDue(thursday, { interval, weekday, minimum: 0n });
  assert.equal(at('manual'), null);
  assert.equal(at('daily'), '2026-11-20T00:00:00.000000Z');
  assert.equal(at('weekly', 5), '2026-11-20T00:00:00.000000Z');
  assert.equal(at('weekly', 4), '2026-11-26T00:00:00.000000Z', 'a week later on its own day');
  assert.equal(at('weekly', 7), '2026-11-22T00:00:00.000000Z');
});

test('an account without a rhythm follows the default of its tenant', async () => {
  const who = await payouts.person();
  assert.equal((await set(who)).status, 200);
  const by = (body: object) =>
    bench.must<Shown>('setPayoutScheduleDefault', { body: { currency: 'USD', ...body } });
  const before = await shown(who);
  assert.deepEqual([before.interval, before.inherited, before.next_payout], ['manual', true, '']);
  await by({ interval: 'daily', minimum_amount: 20_000 });
  const after = await shown(who);
  assert.deepEqual([after.interval, after.minimum_amount], ['daily', 20_000]);
  assert.match(after.next_payout, /T00:00:00.000000Z$/);
  await days(1);
  assert.equal((await shown(who)).last_outcome, 'too_little');
  assert.deepEqual(await list(who), []);
  await by({ interval: 'daily', minimum_amount: 10_000 });
  await days(1);
  assert.equal((await shown(who)).last_outcome, 'requested');
  const [payout] = await list(who);
  assert.deepEqual([payout?.amount, payout?.status], [10_000, 'FUNDS-IN-ESCROW']);
  assert.equal(await payouts.spendable(who), 0);
  await by({ interval: 'manual' });
  assert.equal((await shown(who)).next_payout, '');
  const all = await bench.must<Shown[]>('listPayoutScheduleDefaults');
  assert.deepEqual(all.map(({ interval }) => interval), ['manual', 'manual']);
});

test('one payout a period, also after a crash and with several processes', async () => {
  const who = await payouts.person();
  await set(who, { interval: 'daily' });
  await payouts.pass(DAY);
  const { db, engine } = bench.services;
  const forgetful = { ...bench.services.db, query: db.query.bind(db) };
  const failing = {
    ...forgetful,
    query: async <R>(statement: Parameters<typeof db.query>[0]): Promise<R[]> => {
      const text = typeof statement === 'string' ? statement : statement.text;
      if (text.startsWith('update payout_schedule')) throw new Error('killed');
      return db.query<R>(statement);
    },
  } as unknown as typeof db;
  await assert.rejects(runSchedules({ db: failing, engine, holdSeconds: null }), /killed/);
  assert.equal((await list(who)).length, 1);
  const body = { account_id: who.account_id, currency: 'USD', amount: 777 };
  await bench.must('sandboxDeposit', { body });
  const run = () => runSchedules({ db, engine, holdSeconds: null });
  await Promise.all([run(), run(), run()]);
  assert.deepEqual((await list(who)).map(({ amount }) => amount), [10_000]);
  assert.equal((await shown(who)).last_outcome, 'requested');
  await days(1);
  assert.deepEqual((await list(who)).map(({ amount }) => amount), [777, 10_000]);
  await set(who, { interval: 'manual' });
});

test('weekly, on its day only; a refusal is shown and tried again the next period', async () => {
  const who = await payouts.person();
  const made = await set(who, { interval: 'weekly', weekday: 'wednesday' });
  const { next_payout: next, weekday } = made.payload as Shown;
  assert.deepEqual([new Date(next).getUTCDay(), weekday], [3, 'wednesday']);
  await payouts.setKyc(who.account_id, { state: 'DENY' });
  await days(7);
  assert.equal((await shown(who)).last_outcome, 'PAYOUT_KYC_REQUIRED');
  assert.deepEqual(await list(who), []);
  await payouts.setKyc(who.account_id, { state: 'ACCEPT' });
  await days(7);
  assert.equal((await list(who)).length, 1);
  const again = (await shown(who)).next_payout;
  assert.equal((Date.parse(again) - Date.parse(next)) % (7 * DAY * 1_000), 0);
});

test('what makes no schedule is refused', async () => {
  const [who, other] = [await payouts.person(0), await payouts.person(0)];
  const code = async (more: object): Promise<string | null> => (await set(who, more)).code;
  assert.equal(await code({ interval: 'weekly' }), 'MISSING_FIELD');
  assert.equal(await code({ interval: 'daily', weekday: 'monday' }), 'INVALID_FIELD');
  assert.equal(await code({ weekday: 'monday' }), 'INVALID_FIELD');
  assert.equal(await code({ currency: 'JPY' }), 'CURRENCY_NOT_ENABLED');
  const to = (destination_payment_method_id: string) => code({ destination_payment_method_id });
  assert.equal(await to(other.bank), 'PAYMENT_METHOD_NOT_FOUND');
  assert.equal(await to(who.card), 'PAYOUT_DESTINATION_NOT_ALLOWED');
  await bench.must('removePaymentMethod', { params: { payment_method_id: who.paypal } });
  assert.equal(await to(who.paypal), 'PAYMENT_METHOD_NOT_ACTIVE');
  const params = { account_id: who.account_id };
  const caller = bench.caller(bench.other);
  const foreign = await bench.call('listPayoutSchedules', { params, caller });
  assert.equal(foreign.code, 'ACCOUNT_NOT_FOUND');
  const yen = { body: { currency: 'JPY', interval: 'daily' } };
  assert.equal((await bench.call('setPayoutScheduleDefault', yen)).code, 'CURRENCY_NOT_ENABLED');
});

test('a schedule that fails does not stop those after it', async () => {
  const [first, other] = [await payouts.person(), await payouts.person()];
  for (const who of [first, other]) await set(who, { interval: 'daily' });
  await payouts.pass(DAY);
  const { db, engine } = bench.services;
  let asked = 0;
  const failing = {
    run: (...call: Parameters<typeof engine.run>) => {
      asked += 1;
      return asked === 1 ? Promise.reject(new Error('a fault')) : engine.run(...call);
    },
  } as unknown as typeof engine;
  await assert.rejects(runSchedules({ db, engine: failing, holdSeconds: null }), /a fault/);
  const made = await Promise.all([first, other].map(list));
  assert.equal(made.flat().length, 1);
  await runSchedules({ db, engine, holdSeconds: null });
  assert.deepEqual((await Promise.all([first, other].map(list))).map((one) => one.length), [1, 1]);
});

test('a database that is away for a moment costs nobody a period', async () => {
  const who = await payouts.person();
  await set(who, { interval: 'weekly', weekday: 'monday' });
  await payouts.pass(7 * DAY);
  const { db, engine } = bench.services;
  const away = {
    run: () => Promise.reject(new Refusal(engineRefusals.DATABASE_UNAVAILABLE, {}, 1)),
  } as unknown as typeof engine;
  const isAway = ({ spec }: Refusal): boolean => spec.code === 'DATABASE_UNAVAILABLE';
  await assert.rejects(runSchedules({ db, engine: away, holdSeconds: null }), isAway);
  await runSchedules({ db, engine, holdSeconds: null });
  assert.equal((await list(who)).length, 1);
  assert.equal((await shown(who)).last_outcome, 'requested');
});
