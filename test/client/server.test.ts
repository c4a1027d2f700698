// The server's client against the real platform: tokens, retries, typed failures, and money that
// moves through it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createClient, HoldfastError, isRefusal, type Operations } from '../../client/index.ts';
import { startPlatform, type Platform } from '../kit/platform.ts';
import { credentialsOf, failure, watchedFetch, within, type Fault } from './kit.ts';

let platform: Platform;
before(async () => {
  platform = await startPlatform();
});
after(() => platform.stop());

const client = (more: Partial<Parameters<typeof createClient>[0]> = {}) =>
  createClient({ ...credentialsOf(platform.ready), ...more });

/** A sale of 25.00 from the buyer's wallet to the seller. */
function sale(): Parameters<Operations['createInvoice']>[0] {
  const { buyer, seller } = platform.ready.accounts;
  const recipient = { amount: 2500, destination_wallet_id: seller.wallet_id };
  return {
    account_id: buyer.account_id,
    payment_methods: [{ payment_method_id: buyer.wallet_payment_method_id }],
    line_items: [
      { amount: 2500, currency: 'USD', transaction_type: 'user_to_user', recipients: [recipient] },
    ],
  };
}

test('one token serves calls that come together, and is renewed when it is refused', async () => {
  const { fetch, seen } = watchedFetch(/payment_methods$/, [failure(401, 'TOKEN_INVALID')]);
  const holdfast = client({ fetch });
  const { account_id } = platform.ready.accounts.buyer;
  const asked = () => seen.filter(({ url }) => url.endsWith('/token')).length;
  const [first] = await Promise.all([
    holdfast.wallets.getBalances({ account_id }),
    holdfast.wallets.getBalances({ account_id }),
    holdfast.accounts.getUserInfo({ account_id }),
  ]);
  assert.equal(first.account_id, account_id);
  assert.equal(asked(), 1);
  const methods = await holdfast.payments.listPaymentMethods({ account_id });
  assert.ok(methods.some(({ provider }) => provider === 'wallet'));
  assert.equal(asked(), 2, 'renewed once after a refusal');
});

test('a refused fresh token is not retried for ever', async () => {
  const refusals: Fault[] = [401, 401, 401].map((status) => failure(status, 'TOKEN_INVALID'));
  const { fetch, seen } = watchedFetch(/search/, refusals);
  const asked = client({ fetch }).accounts.searchUserInfo({ username: 'x' });
  await assert.rejects(asked, (error) => error instanceof HoldfastError && error.status === 401);
  assert.equal(seen.filter(({ url }) => url.includes('search')).length, 2);
});

test('a wrong secret is a typed failure', async () => {
  const asked = client({ clientSecret: 'wrong' }).auth.authorizeUser({});
  await assert.rejects(asked, (error) => {
    assert.ok(error instanceof HoldfastError);
    assert.deepEqual([error.status, error.codes], [401, ['INVALID_CLIENT']]);
    assert.equal(error.retryable, false);
    return true;
  });
});

const MISFORTUNES: readonly (readonly [string, readonly Fault[]])[] = [
  ['the connection fails twice', ['down', 'down']],
  ['the answer is lost after the effect', ['lost']],
  ['the platform is overloaded', [failure(503, 'OVERLOADED', '0')]],
  ['a proxy limits the rate', [failure(429, 'RATE_LIMITED', '0')]],
];

for (const [name, faults] of MISFORTUNES) {
  test(`a write is repeated under its key when ${name}, with one effect`, async () => {
    const { fetch, seen } = watchedFetch(/v2\/invoice$/, faults);
    const invoice = await client({ fetch }).invoicing.createInvoice(sale());
    assert.equal(invoice.state, 'open');
    const writes = seen.filter(({ url }) => url.endsWith('/v2/invoice'));
    assert.equal(writes.length, faults.length + 1);
    assert.equal(new Set(writes.map(({ key }) => key)).size, 1);
    assert.match(writes[0]?.key ?? '', /^[0-9a-f]{32}$/);
    const [row] = await platform.db.query<{ n: number }>({
      text: 'select count(*)::integer as n from invoice where id = $1',
      values: [invoice.invoice_id],
    });
    assert.equal(row?.n, 1);
  });
}

test('patience ends after three repetitions, and a longer pause is the caller\'s', async () => {
  const down = watchedFetch(/user-info/, ['down', 'down', 'down', 'down', 'down']);
  const { account_id } = platform.ready.accounts.buyer;
  await assert.rejects(client({ fetch: down.fetch }).accounts.getUserInfo({ account_id }), {
    codes: ['NETWORK_FAILED'],
    status: 0,
    retryable: true,
  });
  assert.equal(down.seen.filter(({ url }) => url.includes('user-info')).length, 4);
  const busy = watchedFetch(/user-info/, [failure(503, 'OVERLOADED', '3600')]);
  await assert.rejects(client({ fetch: busy.fetch }).accounts.getUserInfo({ account_id }), {
    codes: ['OVERLOADED'],
    retryable: true,
  });
});

test("the caller's key makes two calls one", async () => {
  const holdfast = client();
  const once = { idempotencyKey: 'order-1001' };
  const first = await holdfast.invoicing.createInvoice(sale(), once);
  const second = await holdfast.invoicing.createInvoice(sale(), once);
  assert.equal(second.invoice_id, first.invoice_id);
  const other = { ...sale(), description: 'another' };
  await assert.rejects(holdfast.invoicing.createInvoice(other, once), {
    status: 422,
    codes: ['IDEMPOTENCY_KEY_REUSED'],
  });
});

test('a refusal names its codes and its fields, by operation', async () => {
  const bad = { ...sale(), line_items: [] };
  await assert.rejects(client().invoicing.createInvoice(bad), (error) => {
    assert.ok(isRefusal(error, 'createInvoice') && error.has('INVALID_FIELD'));
    assert.ok(Object.keys(error.errors).includes('line_items'));
    assert.equal(isRefusal(error, 'payInvoice'), false);
    return true;
  });
});

test('a call ends when its time is over, or when the caller stops it', async () => {
  const never = client({ fetch: (_, { signal }) => new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')));
  }) });
  const { account_id } = platform.ready.accounts.buyer;
  await assert.rejects(never.auth.getKeys({}, { timeoutMs: 20 }), { codes: ['TIMED_OUT'] });
  const stop = new AbortController();
  const asked = client().accounts.getUserInfo({ account_id }, { signal: stop.signal });
  stop.abort(new RangeError('enough'));
  await assert.rejects(asked, RangeError);
});

test('missing input is reported before anything is sent', async () => {
  const { fetch, seen } = watchedFetch();
  const holdfast = createClient({ ...credentialsOf(platform.ready), fetch, urls: {} });
  await assert.rejects(holdfast.invoicing.getInvoice({ invoice_id: '' }), {
    codes: ['INPUT_MISSING'],
  });
  await assert.rejects(holdfast.invoicing.getInvoice({ invoice_id: 'x' }), {
    codes: ['URL_UNKNOWN'],
  });
  assert.equal(seen.length, 0);
});

test('an invoice is paid, an escrow committed, and a seller paid out', async () => {
  const holdfast = client();
  const { invoicing } = holdfast;
  const { invoice_id } = await invoicing.createInvoice(sale());
  assert.equal((await invoicing.payInvoice({ invoice_id })).state, 'processing');
  const state = async () => (await invoicing.getInvoice({ invoice_id })).state;
  await within(10_000, async () => (await state()) === 'success');

  const { id: escrow_id } = await invoicing.createEscrow(sale());
  assert.equal((await invoicing.payEscrow({ escrow_id })).status, 'ESCROWED');
  assert.equal((await invoicing.commitEscrow({ escrow_id })).status, 'COMMITTED');

  const { account_id } = platform.ready.accounts.seller;
  const bank = await invoicing.sandboxAttachCard({ account_id, test_card: 'bank' });
  const methods = await holdfast.payments.listPaymentMethods({ account_id });
  const inUsd = methods.filter((one) => one.processing_currency === 'USD');
  const wallet = inUsd.find(({ provider }) => provider === 'wallet');
  assert.ok(wallet);
  const payout = await invoicing.createPayout({
    account_id,
    source_payment_method_id: wallet.id,
    destination_payment_method_id: bank.id,
    amount: 1000,
    currency: 'USD',
  });
  assert.equal(payout.amount, 1000);
  assert.deepEqual(
    (await invoicing.listPayouts({ account_id })).map((one) => one.payout_status_id),
    [payout.payout_status_id],
  );
});
