// Reserves of sellers: a share of each sale is restricted, released by the clock, shown, and covers
// a lost dispute and its fee before a debt is made or the integrator bears the rest. [G-93]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { until } from '../kit/until.ts';
import { laws } from '../../src/product/money/reserve/laws.ts';
import { proved } from '../kit/books.ts';
import { clockOf, DAY, type Clocks } from '../api/clocks.ts';
import { startPlatform } from '../api/kit.ts';
import { RefundScene } from '../api/refund-scene.ts';

const POLICY = { bearer: 'seller', fee_bearer: 'seller', reserve_percent: 10, reserve_days: 30 };
const TERMS = {
  ...{ fee_basis_points: 0, fee_fixed: 0, dispute_fee: 15, monthly_fee: 0, delay_days: 0 },
  returns_dispute_fee: true,
};

let scene: RefundScene;
let clock: Clocks;
before(async () => {
  scene = new RefundScene(await startPlatform());
  clock = clockOf(scene.platform.api);
  await scene.fund(100_000);
});
after(() => scene?.platform.stop());

const seller = () => scene.platform.ready.accounts.seller;
const get = <T>(path: string): Promise<T> =>
  scene.platform.api.must(200, 'invoicing', 'GET', path);
const policy = (body: object): Promise<unknown> =>
  scene.platform.api.must(200, 'invoicing', 'PUT', '/v1/settings/disputes', { body });
const outside = (event: string, id: string): Promise<unknown> => {
  const body = { event, id };
  return scene.platform.api.must(201, 'invoicing', 'POST', '/sandbox/outside_events', { body });
};

interface Reserves {
  readonly total: number;
  readonly reserves: readonly {
    readonly account_id: string;
    readonly wallet_id: string;
    readonly amount: number;
    readonly display_amount: string;
    readonly releases: readonly { readonly due: string; readonly amount: number }[];
  }[];
}
const reserves = (): Promise<Reserves> =>
  get(`/v1/seller_reserves?account_id=${seller().account_id}`);
const reserved = async (): Promise<number> => (await reserves()).reserves[0]?.amount ?? 0;

interface Money {
  readonly balance: number;
}

interface Balances {
  readonly balances: Readonly<
    Record<string, { readonly spendable: Money; kept_back: Money; reserve?: Money }>
  >;
}

/** Spendable, restricted and reserved minor units of the seller. */
async function balances(): Promise<(number | undefined)[]> {
  const path = `/balances/${seller().account_id}?currency=USD`;
  const { api } = scene.platform;
  const { balances: all } = await api.must<Balances>(200, 'wallets', 'GET', path);
  const { spendable, kept_back, reserve } = all['USD'] ?? assert.fail('no wallet');
  return [spendable.balance, kept_back.balance, reserve?.balance];
}

/** Has the charge of an invoice disputed, and the dispute ended; gives its id. */
async function ended(invoice: string, end: 'won' | 'lost'): Promise<string> {
  await outside('chargeback', invoice);
  type Page = { disputes: readonly { dispute_id: string; status: string }[] };
  const read = async () =>
    (await get<Page>(`/v1/disputes?invoice_id=${invoice}`)).disputes[0] ?? null;
  await until('a dispute', async () => (await read()) !== null);
  const id = (await read())?.dispute_id ?? '';
  await outside(`dispute_${end}`, id);
  await until(`a dispute that is ${end}`, async () => (await read())?.status === end);
  return id;
}

const card = async () => [{ payment_method_id: await scene.card() }];

test('a policy is bounded, and is both a share and days', async () => {
  const { api } = scene.platform;
  for (const [wrong, field] of [
    [{ reserve_percent: 101 }, 'reserve_percent'],
    [{ reserve_days: 181 }, 'reserve_days'],
    [{ reserve_days: 0 }, 'reserve_days'],
    [{ reserve_percent: 0 }, 'reserve_percent'],
    [{ fee_bearer: 'nobody' }, 'fee_bearer'],
  ] as const) {
    const body = { ...POLICY, ...wrong };
    const refused = await api.send('invoicing', 'PUT', '/v1/settings/disputes', { body });
    assert.equal(refused.code, 'INVALID_FIELD');
    assert.deepEqual(Object.keys(refused.errors), [field]);
  }
  await policy(POLICY);
  assert.deepEqual(await get('/v1/settings/disputes'), POLICY);
});

test('a share of what a sale pays is restricted, shown, and released by the clock', async () => {
  const { api } = scene.platform;
  const [spendable = 0] = await balances();
  await scene.sold([1_009], undefined, 50);
  assert.deepEqual(await balances(), [spendable + 909, 100, 100]);
  const { total, reserves: all } = await reserves();
  const [one] = all;
  assert.deepEqual([total, all.length, one?.amount, one?.display_amount], [1, 1, 100, 'USD 1.00']);
  assert.deepEqual([one?.account_id, one?.wallet_id], [seller().account_id, seller().wallet_id]);
  assert.deepEqual(one?.releases.map(({ amount }) => amount), [100]);
  assert.deepEqual(await get('/v1/seller_reserves?account_id=x'), { total: 0, reserves: [] });

  const body = {
    source_payment_method_id: (await api.walletOf(seller().account_id)).method,
    destination_payment_method_id: await api.attach(seller().account_id, 'bank'),
    amount: spendable + 910,
    currency: 'USD',
  };
  const path = `/v2/${seller().account_id}/payout`;
  const ask = (amount: number) =>
    api.send('invoicing', 'POST', path, { body: { ...body, amount } });
  assert.equal((await ask(spendable + 910)).code, 'PAYOUT_RESERVED');
  assert.equal((await ask(spendable + 1_010)).code, 'PAYOUT_INSUFFICIENT_FUNDS');

  await clock.move({ advance_seconds: 10 * DAY });
  await scene.sold([9], undefined, 50);
  await scene.sold([200, 300]);
  assert.deepEqual(await balances(), [spendable + 909 + 9 + 450, 150, 150]);
  assert.deepEqual((await reserves()).reserves[0]?.releases.map(({ amount }) => amount), [100, 50]);
  await clock.move({ advance_seconds: 20 * DAY + 60 });
  await until('a release', async () => (await reserved()) === 50);
  assert.deepEqual(await balances(), [spendable + 909 + 9 + 550, 50, 50]);
  await clock.move({ advance_seconds: 10 * DAY });
  await until('all released', async () => (await reserved()) === 0);
  assert.deepEqual(await balances(), [spendable + 909 + 9 + 600, 0, undefined]);
  assert.deepEqual(await reserves(), { total: 0, reserves: [] });
  await proved(scene.platform.db);
});

test('a reserve covers a lost dispute and its fee, then the seller owes the rest', async () => {
  const { api, db } = scene.platform;
  await api.must(201, 'invoicing', 'POST', '/sandbox/settlement_terms', { body: TERMS });
  const [spendable = 0] = await balances();
  const big = await scene.sold([1_000], await card());
  await scene.sold([2_000]);
  assert.equal(await reserved(), 300);
  const small = await scene.sold([100], await card());
  // The charge and its fee: 100 and 15, all of it the seller's.
  await ended(small.invoice_id, 'lost');
  assert.equal(await reserved(), 310 - 115);
  type Debts = { debts: readonly { amount: number }[] };
  const debts = async () => (await get<Debts>('/v1/seller_debts')).debts.map((one) => one.amount);
  assert.deepEqual(await debts(), []);
  await ended(big.invoice_id, 'lost');
  assert.deepEqual(await debts(), [1_015 - 195]);
  assert.deepEqual(await balances(), [spendable + 900 + 1_800 + 90, 0, undefined]);
  // The next sale repays first; its share is of the rest.
  await scene.sold([900]);
  assert.deepEqual(await balances(), [spendable + 2_790 + 72, 8, 8]);
  const won = await scene.sold([100], await card());
  await ended(won.invoice_id, 'won');
  assert.equal(await reserved(), 18);
  const fees = `select d.state, d.fee from dispute d order by d.created`;
  const rows = await db.query<{ state: string; fee: bigint }>({ text: fees });
  assert.deepEqual(rows.map(({ state, fee }) => [state, fee]), [
    ...[['lost', 15n], ['lost', 15n], ['won', 0n]],
  ]);
  await proved(db);
});

test('where the integrator bears losses, a reserve still comes first', async () => {
  await policy({ ...POLICY, bearer: 'integrator', fee_bearer: 'integrator' });
  const invoice = await scene.sold([1_000], await card());
  assert.equal(await reserved(), 118);
  await ended(invoice.invoice_id, 'lost');
  assert.equal(await reserved(), 0);
  const { total } = await get<{ total: number }>('/v1/seller_debts');
  assert.equal(total, 1, 'the one from before');
  await policy({ bearer: 'integrator' });
  await scene.sold([500]);
  assert.deepEqual(await reserves(), { total: 0, reserves: [] });
  await proved(scene.platform.db);
});

test('each planted breach of a reserve is found by its law', async () => {
  const { db } = scene.platform;
  const broken = async (text: string): Promise<string[]> => {
    const names: string[] = [];
    const undone = new Error('undone');
    const work = db.transaction(async (tx) => {
      await tx.execute('set local session_replication_role = replica');
      await tx.execute(text);
      for (const law of laws) if ((await tx.query(law.text)).length > 0) names.push(law.name);
      throw undone;
    });
    await assert.rejects(work, undone);
    return names;
  };
  assert.deepEqual(await broken('select 1'), []);
  const due = 'reserves_hold_what_is_due';
  const some = 'due = now()';
  assert.deepEqual(await broken(`update reserve set held = held + 1, total = total + 1, ${some}`), [
    ...[due, 'reserves_are_restricted'],
  ]);
  const more = 'update reserve_hold set amount = amount + 1 where through > amount';
  assert.deepEqual(await broken(more), [due, 'reserves_are_shares_of_sales']);
  assert.deepEqual(await broken(`update dispute set state = 'won'`), ['reserves_cover_losses']);
});
