// Merging accounts: all of the money moves, the source is closed for good, and anything in progress
// prevents it. [G-22]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newUuid, wireId } from '../../../core/ids.ts';
import {
  openBench,
  type Bench,
  type Input,
  type Reply,
} from '../../../../test/kit/domain-bench.ts';
import { Payouts } from '../../../../test/kit/payouts.ts';

let bench: Bench;
before(async () => {
  bench = await openBench();
});
after(async () => {
  await bench.proved();
  await bench.close();
});

interface Info {
  readonly is_blocked: boolean;
  readonly blocked_capabilities: Readonly<Record<string, { readonly reason: string }>>;
  readonly tags: readonly Readonly<Record<string, string>>[];
}

const info = (account_id: string) => bench.must<Info>('getUserInfo', { params: { account_id } });

function merge(source: string, destination: string, more: Input = {}): Promise<Reply> {
  const body = { source_account_id: source, destination_account_id: destination };
  return bench.call('mergeAccounts', { body, ...more });
}

async function give(account_id: string, amount: number, currency = 'USD'): Promise<void> {
  await bench.must('sandboxDeposit', { body: { account_id, currency, amount } });
}

async function person(amount = 0): Promise<string> {
  const account_id = await bench.newAccount();
  if (amount > 0) await give(account_id, amount);
  return account_id;
}

/** What an account holds in each currency. */
async function held(account_id: string): Promise<Record<string, number>> {
  type Seen = { balances: Record<string, { spendable: { balance: number } }> };
  const { balances } = await bench.must<Seen>('getBalances', { params: { account_id } });
  return Object.fromEntries(
    Object.entries(balances).map(([currency, { spendable }]) => [currency, spendable.balance]),
  );
}

const EMPTY = { EUR: 0, USD: 0 };

/** Sells something; gives the open invoice. */
async function sale(buyer: string, seller: string, amount: number, card = ''): Promise<string> {
  const methods = await bench.must<{ id: string; processing_currency: string }[]>(
    'listPaymentMethods',
    { params: { account_id: buyer } },
  );
  const wallet = methods.find(({ processing_currency }) => processing_currency === 'USD');
  const recipients = [{ amount, destination_account_id: seller }];
  const line = { amount, currency: 'USD', transaction_type: 'user_to_user', recipients };
  const payment_methods = [{ payment_method_id: card === '' ? wallet?.id : card }];
  const body = { account_id: buyer, payment_methods, line_items: [line] };
  return (await bench.must<{ invoice_id: string }>('createInvoice', { body })).invoice_id;
}

const pay = (invoice_id: string) => bench.must('payInvoice', { params: { invoice_id } });

test('a merge moves all money, closes the source and tags both accounts', async () => {
  const [source, destination] = [await person(700), await person(5)];
  await give(source, 30, 'EUR');
  const first = await merge(source, destination, { key: 'm1' });
  const ids = { source_account_id: source, destination_account_id: destination };
  const balances = [
    { currency: 'EUR', amount: 30 },
    { currency: 'USD', amount: 700 },
  ];
  assert.deepEqual([first.status, first.payload], [200, { ...ids, balances }]);
  assert.deepEqual(await held(source), EMPTY);
  assert.deepEqual(await held(destination), { EUR: 30, USD: 705 });
  const [left, stays] = [await info(source), await info(destination)];
  assert.deepEqual([left.is_blocked, stays.is_blocked], [true, false]);
  assert.equal(left.blocked_capabilities['merged']?.reason, 'account_close');
  const tag = { resource_type: 'account', namespace: 'account_merge', status: 'ACTIVE' };
  const to = { ...tag, account_id: source, tag: 'merged_to', resource_id: destination };
  const from = { ...tag, account_id: destination, tag: 'merged_from', resource_id: source };
  const tagIds = [...left.tags, ...stays.tags].map((one) => one['tag_id'] ?? '');
  assert.equal(new Set(tagIds).size, 2);
  for (const id of tagIds) assert.match(id, /^acttag_/);
  assert.deepEqual(left.tags, [{ ...left.tags[0], ...to }]);
  assert.deepEqual(stays.tags, [{ ...stays.tags[0], ...from }]);
  const told = (await bench.events('account-block-unblock-webhook')).at(-1);
  assert.deepEqual([told?.['account_id'], told?.['is_blocked']], [source, true]);
  assert.deepEqual(await merge(source, destination, { key: 'm1' }), first, 'as it was answered');
  assert.equal((await merge(source, destination)).code, 'ACCOUNT_MERGED');
  const lift = { account_id: source, block_capability: 'login' };
  assert.equal((await bench.call('unblockAccount', { body: lift })).code, 'ACCOUNT_MERGED');
  await bench.must('blockAccount', { body: { ...lift, block_reason: 'x' } });
  assert.equal((await bench.call('unblockAccount', { body: lift })).code, 'ACCOUNT_MERGED');
  await bench.proved();
});

test('an empty account can be merged, and merges can be chained', async () => {
  const [a, b, c] = [await person(), await person(40), await person()];
  assert.deepEqual((await merge(a, b)).payload, {
    source_account_id: a,
    destination_account_id: b,
    balances: [],
  });
  assert.equal((await merge(b, c)).status, 200);
  assert.deepEqual(
    (await info(b)).tags.map(({ tag }) => tag),
    ['merged_from', 'merged_to'],
  );
  assert.deepEqual(await held(c), { EUR: 0, USD: 40 });
  assert.equal((await merge(c, a)).code, 'ACCOUNT_MERGED', 'there is no way round');
});

test('a refused merge reports the account at fault and changes nothing', async () => {
  const [a, b, blocked, gone] = [await person(9), await person(), await person(), await person()];
  const body = { account_id: blocked, block_capability: 'login', block_reason: 'x' };
  await bench.must('blockAccount', { body });
  await merge(gone, b);
  const nobody = wireId('acct', newUuid());
  const [from, to] = ['source_account_id', 'destination_account_id'];
  for (const [source, destination, status, code, field] of [
    [a, a, 400, 'MERGE_SAME_ACCOUNT', to],
    [nobody, b, 400, 'ACCOUNT_NOT_FOUND', from],
    ['x', b, 400, 'ACCOUNT_NOT_FOUND', from],
    [a, nobody, 400, 'ACCOUNT_NOT_FOUND', to],
    [a, gone, 400, 'ACCOUNT_MERGED', to],
    [gone, a, 400, 'ACCOUNT_MERGED', from],
    [blocked, b, 403, 'ACCOUNT_BLOCKED', from],
    [a, blocked, 403, 'ACCOUNT_BLOCKED', to],
  ] as const) {
    const reply = await merge(source, destination);
    const said = [reply.status, reply.code, Object.keys(reply.errors)];
    assert.deepEqual(said, [status, code, [field]], code);
  }
  const foreign = await merge(a, b, { caller: bench.caller(bench.other) });
  assert.deepEqual(foreign, await merge(nobody, b));
  assert.deepEqual([await held(a), (await info(a)).is_blocked], [{ EUR: 0, USD: 9 }, false]);
});

test('a source with payments in progress is refused, and the error lists them', async () => {
  const payouts = new Payouts(bench);
  const who = await payouts.person();
  const { account_id: source } = who;
  const [other, into] = [await person(500), await person()];
  const kept = async (what: string): Promise<void> => {
    const { status, code, errors } = await merge(source, into);
    const source_account_id = `has in progress: ${what}`;
    const expected = [400, 'MERGE_SOURCE_NOT_AT_REST', { source_account_id }];
    assert.deepEqual([status, code, errors], expected);
  };
  const payout = await payouts.asked(who);
  await kept('payout');
  const json = { account_id: source, payment_method_id: who.card, currency: 'USD', amount: 5 };
  await bench.must('createDeposit', { body: json });
  await kept('payout, deposit');
  await payouts.on('cancelPayout', who, payout);
  await pay(await sale(source, other, 60, who.card));
  await kept('payment, deposit');
  const card = { account_id: other, test_card: 'visa' };
  const attached = await bench.must<{ id: string }>('sandboxAttachCard', { body: card });
  const seller = await person();
  await pay(await sale(other, seller, 7, attached.id));
  const waits = await merge(seller, into);
  assert.equal(waits.errors['source_account_id'], 'has in progress: payment', 'as a seller');
  assert.equal((await info(source)).is_blocked, false);
});

test('a source with an undecided identity or restricted funds is refused', async () => {
  const payouts = new Payouts(bench);
  const [source, into] = [await person(50), await person()];
  for (const state of ['DENY', 'MANUAL_REVIEW']) {
    await payouts.setKyc(source, { state, kyc_requirements: 'NONE' });
    assert.equal((await merge(source, into)).code, 'MERGE_SOURCE_IDENTITY', state);
  }
  await payouts.setKyc(source, { state: 'NODATA', kyc_requirements: 'FULL_KYC' });
  await give(source, 20);
  const { code, errors } = await merge(source, into);
  assert.equal(code, 'MERGE_SOURCE_NOT_AT_REST');
  assert.equal(errors['source_account_id'], 'has in progress: restricted funds');
  await payouts.setKyc(source, { state: 'ACCEPT' });
  await payouts.setKyc(into, { state: 'NODATA', kyc_requirements: 'FULL_KYC' });
  assert.equal((await merge(source, into)).status, 200);
  assert.deepEqual(await held(into), EMPTY, 'kept back until the destination is verified');
  await payouts.setKyc(into, { state: 'ACCEPT' });
  assert.deepEqual(await held(into), { EUR: 0, USD: 70 });
});

test('a merged account cannot be paid; later returns follow a repeated merge', async () => {
  const [source, into, other] = [await person(100), await person(), await person(100)];
  const bought = await sale(source, other, 30);
  await pay(bought);
  const [unpaid, unsold] = [await sale(source, other, 1), await sale(other, source, 1)];
  await merge(source, into);
  for (const invoice_id of [unpaid, unsold, await sale(other, source, 1)]) {
    await pay(invoice_id);
    type Seen = { state: string; failure_code: string };
    const seen = await bench.must<Seen>('getInvoice', { params: { invoice_id } });
    assert.deepEqual([seen.state, seen.failure_code], ['failed', 'account_blocked']);
  }
  await assert.rejects(sale(source, other, 1), /ACCOUNT_BLOCKED/);
  const lent = { integrator: true, currency: 'USD', amount: 1_000 };
  await bench.must('sandboxDeposit', { body: lent });
  await bench.must('refundInvoice', { body: { invoice_id: bought, reason: 'other' } });
  assert.deepEqual(await held(source), { EUR: 0, USD: 30 });
  const elsewhere = await merge(source, other);
  assert.equal(elsewhere.code, 'ACCOUNT_MERGED', 'it follows to where the account went only');
  const last = await person();
  await merge(into, last);
  const again = (await merge(source, into)).payload as { balances: object[] };
  assert.deepEqual(again.balances, [{ currency: 'USD', amount: 30 }]);
  assert.deepEqual([await held(source), await held(into)], [EMPTY, { EUR: 0, USD: 30 }]);
  assert.equal((await merge(into, last)).status, 200);
  assert.deepEqual(await held(last), { EUR: 0, USD: 100 });
  assert.equal((await merge(source, into)).code, 'ACCOUNT_MERGED');
  await bench.proved();
});

test('the database enforces that an account is merged once, into another, and closed', async () => {
  const [a, b] = [await person(), await person()];
  await merge(a, b);
  const broken = (set: string, username: string) =>
    assert.rejects(
      bench.db.execute(`update account set ${set} where id = ${username}`),
      /append-only|violates check/,
    );
  const one = `(select id from account where merged_to is not null limit 1)`;
  await broken('merged_to = null', one);
  await broken('blocked = false', one);
  await broken(
    'merged_to = id, blocked = true',
    '(select id from account where merged_to is null and not blocked limit 1)',
  );
});
