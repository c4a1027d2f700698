// Accounts, identity, payment methods, wallets and deposits, record by record. [seed: KYC status
// record, Payment method record, Errors; G-20, G-47, G-49, G-50, G-51, G-74]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startPlatform, type Platform } from './kit.ts';
import { Market, type Body } from './market.ts';
import type { Event, KycStatus, PaymentMethod } from './records.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const METHOD_TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const METHOD = [
  ...['id', 'account_id', 'method_class', 'display_string', 'provider', 'psp_reference'],
  ...['psp_hash_code', 'processing_currency', 'pm_state', 'integrator', 'created', 'updated'],
  ...['wallet_balance', 'payment_method_id', 'provider_data'],
].toSorted();

let platform: Platform;
let market: Market;
before(async () => {
  platform = await startPlatform();
  market = new Market(platform.api);
});
after(() => platform?.stop());

interface Registered {
  readonly account_id: string;
  readonly username: string;
  readonly email: { readonly address: string; readonly is_verified: boolean } | null;
}

function register(body: Body): Promise<Registered> {
  return platform.api.must(200, 'accounts', 'POST', '/register', { body });
}

const kycOf = (account: string): Promise<KycStatus> =>
  platform.api.must(200, 'pii', 'GET', `/v1/kyc/${account}`);
const methodsOf = (account: string): Promise<PaymentMethod[]> =>
  platform.api.must(200, 'payments', 'GET', `/v1/${account}/payment_methods`);

test('payment methods: a wallet for each currency, and cards, field by field', async () => {
  const { buyer } = platform.ready.accounts;
  const methods = await methodsOf(buyer.account_id);
  for (const method of methods) {
    assert.deepEqual(Object.keys(method).toSorted(), METHOD);
    assert.match(method.created, METHOD_TIME);
    assert.match(method.updated, METHOD_TIME);
    assert.equal(method.account_id, buyer.account_id);
    assert.equal(method.integrator, platform.ready.integrator);
    assert.equal(method.payment_method_id, method.id);
    assert.equal(method.pm_state, 'ACTIVE');
    assert.equal(method.psp_hash_code, '');
    assert.match(method.wallet_balance, /^\d+$/);
  }
  const wallets = methods.filter((one) => one.provider === 'wallet');
  const [first, ...others] = wallets.map((one) => one.processing_currency);
  assert.deepEqual([first, ...others.toSorted()], ['USD', 'EUR', 'GBP', 'JPY']);
  for (const wallet of wallets) {
    assert.equal(wallet.method_class, 'registration');
    assert.equal(wallet.psp_reference, wallet.provider_data.wallet_id);
    assert.equal(wallet.provider_data.wallet_balance, wallet.wallet_balance);
    assert.match(wallet.provider_data.wallet_id ?? '', UUID);
  }
  const card = methods.find((one) => one.id === buyer.card_payment_method_id);
  assert.equal(card?.provider, 'card');
  assert.equal(card?.method_class, 'visa');
  assert.equal(card?.display_string, 'Visa ending in 1111');
  assert.equal(card?.wallet_balance, '0');
  assert.deepEqual(card?.provider_data, {});
});

test('payment methods: wallets first, then the rest, newest first', async () => {
  const { account_id } = await register({ username: 'in order' });
  const ids: string[] = [];
  for (const test_card of ['visa', 'mastercard', 'amex']) {
    const body = { body: { account_id, test_card } };
    const path = '/sandbox/payment_methods';
    const { id } = await platform.api.must<PaymentMethod>(201, 'invoicing', 'POST', path, body);
    ids.unshift(id);
  }
  const methods = await methodsOf(account_id);
  assert.deepEqual(methods.slice(4).map(({ id }) => id), ids);
  const wallets = methods.slice(0, 4);
  assert.ok(wallets.every(({ provider }) => provider === 'wallet'));
  assert.equal(wallets[0]?.processing_currency, 'USD');
  const others = wallets.slice(1).map(({ id }) => id);
  assert.deepEqual(others, others.toSorted(), 'made in one moment: by id');
  const together = "update payment_method set created = '2026-01-01' where provider = 'card'";
  await platform.db.execute(together);
  const tied = (await methodsOf(account_id)).slice(4).map(({ id }) => id);
  assert.deepEqual(tied, ids.toSorted());
});

test("a seller's wallet is found by account and currency", async () => {
  for (const seller of [platform.ready.accounts.seller, platform.ready.accounts.seller2]) {
    const found = (await methodsOf(seller.account_id)).find(
      (one) => one.provider === 'wallet' && one.processing_currency === 'USD',
    );
    assert.equal(found?.provider_data.wallet_id, seller.wallet_id);
  }
});

test('an unknown account in a body is 400 with an error for its field', async () => {
  const { api, ready } = platform;
  const line = { amount: 5, currency: 'USD', transaction_type: 'user_to_integrator' };
  const funds = { currency: 'USD', amount: 5 };
  const block = { block_capability: 'login', block_reason: 'account_close' };
  const payer = { ...funds, payment_method_id: ready.accounts.buyer.card_payment_method_id };
  const sale = { invoice_mechanism: 'widget', line_items: [line] };
  for (const account_id of ['acct_00000000000000000000000000', 'x', '']) {
    for (const [host, path, more] of [
      ['auth', '/authorize/user', {}],
      ['auth', '/authorize/user', { return_token: true }],
      ['accounts', '/v2/block', block],
      ['accounts', '/v2/unblock', { block_capability: 'login' }],
      ['invoicing', '/v2/authorize/invoice', sale],
      ['invoicing', '/v1/deposits', payer],
      ['invoicing', '/sandbox/deposits', funds],
      ['invoicing', '/sandbox/payment_methods', { test_card: 'visa' }],
    ] as const) {
      const { status, code, errors } = await api.send(host, 'POST', path, {
        body: { account_id, ...more },
      });
      assert.deepEqual([status, code], [400, 'ACCOUNT_NOT_FOUND'], path);
      assert.deepEqual(errors, { account_id: 'does not exist' }, path);
    }
  }
});

test('unknown accounts: 404, and 400 where the interface lists the statuses', async () => {
  const { api } = platform;
  const NOBODY = 'acct_00000000000000000000000000';
  for (const id of [NOBODY, 'x', 'a'.repeat(300), platform.ready.accounts.buyer.wallet_id]) {
    const methods = await api.send('payments', 'GET', `/v1/${id}/payment_methods`);
    assert.deepEqual([methods.status, methods.code], [404, 'ACCOUNT_NOT_FOUND']);
    const kyc = await api.send('pii', 'GET', `/v1/kyc/${id}`);
    assert.deepEqual([kyc.status, kyc.code], [400, 'ACCOUNT_NOT_FOUND']);
    const body = { state: 'ACCEPT' };
    const set = await api.send('pii', 'PUT', `/v2/kyc/account/${id}/state`, { body });
    assert.deepEqual([set.status, set.code], [400, 'ACCOUNT_NOT_FOUND']);
  }
});

test('register returns all fields, and user-info shows the account', async () => {
  const body = {
    username: 'ann.example',
    email: { address: 'ann@example.test', requires_verification: false },
    full_name: 'Ann Example',
    first_name: 'Ann',
    last_name: 'Example',
    street_address_1: '1 Example Street',
    street_address_2: 'Flat 2',
    street_address_3: 'Rear',
    city: 'Exampletown',
    state_province: 'EX',
    country_iso: 'US',
    zip_postal_code: '00001',
    external_platforms: { game: { id: 'g-1' } },
  };
  const made = await register(body);
  const { account_id, email, ...rest } = made as Registered & Body;
  assert.match(account_id, /^acct_[0-9a-z]{26}$/);
  const { email: _, ...fields } = body;
  assert.deepEqual(rest, fields);
  assert.equal(email?.address, 'ann@example.test');
  assert.equal(email?.is_verified, true);
  const info = await platform.api.must<Body>(200, 'accounts', 'GET', `/v1/user-info/${account_id}`);
  assert.equal(info['username'], 'ann.example');
  assert.equal(info['integrator'], platform.ready.integrator);
  assert.equal(info['is_blocked'], false);
  assert.deepEqual(info['blocked_capabilities'], {});
  assert.deepEqual(info['tags'], []);
  assert.match(String(info['created']), TIME);
  const put = { body: { city: 'Elsewhere' } };
  const changed = await platform.api.must(200, 'accounts', 'PUT', `/user-info/${account_id}`, put);
  assert.deepEqual(changed, info, 'an update answers what a read answers');
  const search = '/v1/user-info/search?username=ann.example';
  assert.deepEqual(await platform.api.must(200, 'accounts', 'GET', search), info);
  assert.deepEqual(
    (await methodsOf(account_id)).map((one) => [one.provider, one.wallet_balance]),
    Array.from({ length: 4 }, () => ['wallet', '0']),
  );
  const { kyc_id, state, pii_level, kyc_requirements, match_checks } = await kycOf(account_id);
  assert.deepEqual([kyc_id, state, pii_level, kyc_requirements], ['', 'NODATA', 'NONE', 'NONE']);
  assert.deepEqual(match_checks, []);
});

test('register reports taken or wrong values by field, in payload.errors', async () => {
  const { api } = platform;
  await register({ username: 'taken' });
  const taken = await api.send('accounts', 'POST', '/register', { body: { username: 'taken' } });
  assert.deepEqual([taken.status, taken.code], [400, 'USERNAME_ALREADY_TAKEN']);
  assert.deepEqual(taken.errors, { username: 'USERNAME_ALREADY_TAKEN' });
  for (const address of ['x', 'a@b', '@b.test', 'a b@c.test', 'a@b.test,c@d.test', '']) {
    const body = { username: 'fresh one', email: { address } };
    const reply = await api.send('accounts', 'POST', '/register', { body });
    assert.equal(reply.status, 400, address);
    assert.ok('email' in reply.errors || 'email.address' in reply.errors, reply.text);
  }
  for (const username of ['', ' ', 'u'.repeat(65), 7, null, ['a'], { a: 1 }]) {
    const reply = await api.send('accounts', 'POST', '/register', { body: { username } });
    assert.equal(reply.status, 400, JSON.stringify(username));
    assert.ok('username' in reply.errors, reply.text);
  }
  const search = await api.send('accounts', 'GET', '/v1/user-info/search?username=fresh+one');
  assert.equal(search.status, 404, 'nothing was made');
});

test('a username is one name however its letters are composed', async () => {
  const { api } = platform;
  await register({ username: 'am\u00e9lie' });
  const body = { username: 'ame\u0301lie' };
  const twin = await api.send('accounts', 'POST', '/register', { body });
  assert.equal(twin.code, 'USERNAME_ALREADY_TAKEN', 'the same letters, composed otherwise');
});

test('two registrations of one name at once make one account', async () => {
  const calls = Array.from({ length: 8 }, () =>
    platform.api.send('accounts', 'POST', '/register', { body: { username: 'raced' } }),
  );
  const statuses = (await Promise.all(calls)).map((reply) => reply.status).toSorted();
  assert.deepEqual(statuses, [200, 400, 400, 400, 400, 400, 400, 400]);
});

test('the KYC setter sets any of its states, with its level rules and its event', async () => {
  const { account_id } = await register({ username: 'set me' });
  const start = await market.lastSequence();
  const set = async (body: Body): Promise<KycStatus> => {
    const path = `/v2/kyc/account/${account_id}/state`;
    const reply = await platform.api.send('pii', 'PUT', path, { body });
    assert.deepEqual([reply.status, reply.text], [200, ''], 'no body');
    return kycOf(account_id);
  };
  const shown = (kyc: KycStatus): string[] => [kyc.state, kyc.pii_level, kyc.kyc_requirements];
  assert.deepEqual(shown(await set({ state: 'ACCEPT' })), ['ACCEPT', 'FULL', 'NONE']);
  const { kyc_id } = await kycOf(account_id);
  assert.match(kyc_id, /^kyc_[0-9a-z]{26}$/);
  await set({ state: 'ACCEPT' });
  await set({ state: 'ACCEPT', pii_level: 'DEFAULT', kyc_requirements: '' });
  assert.deepEqual(shown(await set({ state: 'DENY', pii_level: 'FULL' })), [
    'DENY',
    'FULL',
    'NONE',
  ]);
  assert.deepEqual(
    shown(await set({ state: 'MANUAL_REVIEW', pii_level: 'BASIC', kyc_requirements: 'FULL_KYC' })),
    ['MANUAL_REVIEW', 'BASIC', 'FULL_KYC'],
  );
  assert.deepEqual(shown(await set({ state: 'CANCEL', kyc_requirements: 'TAX_UPDATE' })), [
    'CANCEL',
    'NONE',
    'TAX_UPDATE',
  ]);
  assert.deepEqual(shown(await set({ state: 'NODATA', kyc_requirements: '' })), [
    'NODATA',
    'NONE',
    'TAX_UPDATE',
  ]);
  const last = await kycOf(account_id);
  assert.equal(last.kyc_id, kyc_id, 'one application');
  const isKyc = (event: Event): boolean =>
    event.event_name === 'kyc-webhook' && event.message['account_id'] === account_id;
  const events = await market.events(start, 5, isKyc);
  await market.lastSequence();
  assert.equal((await market.events(start, 5, isKyc)).length, 5, 'a repetition tells nothing');
  assert.deepEqual(
    events.map((event) => event.message['state']),
    ['ACCEPT', 'DENY', 'MANUAL_REVIEW', 'CANCEL', 'NODATA'],
  );
  assert.deepEqual(events.at(-1)?.message, last, 'the message is the KYC status');
});

test('the KYC setter refuses any other state', async () => {
  const { account_id } = platform.ready.accounts.seller2;
  const path = `/v2/kyc/account/${account_id}/state`;
  const bad: readonly Body[] = [
    ...['NONE', 'PROCESSING', 'REVERIFY', 'SYSTEM-CANCELLED', 'accept', '', null, 1].map(
      (state) => ({ state }),
    ),
    {},
    { state: 'ACCEPT', pii_level: 'NONE' },
    { state: 'ACCEPT', pii_level: '' },
    { state: 'ACCEPT', kyc_requirements: 'FULL' },
    { state: 'ACCEPT', note: 'x' },
  ];
  for (const body of bad) {
    const reply = await platform.api.send('pii', 'PUT', path, { body });
    assert.equal(reply.status, 400, `${JSON.stringify(body)}: ${reply.text}`);
  }
  assert.equal((await kycOf(account_id)).state, 'NODATA');
});

test('money of an unverified account is restricted, and released by ACCEPT', async () => {
  const made = await register({ username: 'must verify' });
  const { account_id } = made;
  const path = `/v2/kyc/account/${account_id}/state`;
  const set = (body: Body) => platform.api.must(200, 'pii', 'PUT', path, { body });
  await set({ state: 'NODATA', kyc_requirements: 'FULL_KYC' });
  const wallet = (await methodsOf(account_id)).find((one) => one.processing_currency === 'USD');
  const destination_wallet_id = wallet?.provider_data.wallet_id;
  const sell = async (): Promise<void> => {
    const recipients = [{ amount: 40, destination_wallet_id }];
    const line = { amount: 40, currency: 'USD', transaction_type: 'user_to_user', recipients };
    assert.equal((await market.sold(market.sale(0, { line_items: [line] }))).state, 'success');
  };
  await sell();
  type Shown = { balances: { USD: { kept_back: { balance: number; display: string } } } };
  const kept = async (): Promise<number> => {
    const answer = await platform.api.must<Shown>(200, 'wallets', 'GET', `/balances/${account_id}`);
    return answer.balances.USD.kept_back.balance;
  };
  assert.deepEqual([await market.balance(account_id), await kept()], [0, 40]);
  assert.equal((await methodsOf(account_id))[0]?.wallet_balance, '0');
  await set({ state: 'ACCEPT' });
  assert.deepEqual([await market.balance(account_id), await kept()], [40, 0]);
  await sell();
  assert.deepEqual([await market.balance(account_id), await kept()], [80, 0]);
});

test('deposits from a card and from the sandbox, with their event', async () => {
  const { api, ready } = platform;
  const { buyer } = ready.accounts;
  const before = await market.balance(buyer.account_id);
  const start = await market.lastSequence();
  const body = {
    account_id: buyer.account_id,
    payment_method_id: buyer.card_payment_method_id,
    currency: 'USD',
    amount: 300,
  };
  const deposit = await api.must<Body>(201, 'invoicing', 'POST', '/v1/deposits', { body });
  assert.equal(deposit['state'], 'requested');
  const fits = (event: Event): boolean =>
    event.event_name === 'deposit-completed' &&
    event.message['deposit_id'] === deposit['deposit_id'];
  const [event] = await market.events(start, 1, fits);
  assert.equal(event?.message['state'], 'success');
  assert.equal(event?.message['received_amount'], 300);
  assert.equal(await market.balance(buyer.account_id), before + 300);
  const failing = { ...body, payment_method_id: buyer.declined_card_payment_method_id };
  const failed = await api.must<Body>(201, 'invoicing', 'POST', '/v1/deposits', { body: failing });
  const [end] = await market.events(
    start,
    1,
    ({ message }) => message['deposit_id'] === failed['deposit_id'],
  );
  assert.deepEqual(
    [end?.message['state'], end?.message['failure_code']],
    ['failed', 'card_declined'],
  );
  assert.equal(await market.balance(buyer.account_id), before + 300);
  const own = { integrator: true, currency: 'USD', amount: 50 };
  const sandbox = await api.must<Body>(201, 'invoicing', 'POST', '/sandbox/deposits', {
    body: own,
  });
  assert.deepEqual([sandbox['state'], sandbox['account_id']], ['success', '']);
  const refused: readonly (readonly [Body, string])[] = [
    [{ ...body, payment_method_id: buyer.wallet_payment_method_id }, 'PAYMENT_METHOD_NOT_FOUND'],
    [{ ...body, payment_method_id: 'x' }, 'PAYMENT_METHOD_NOT_FOUND'],
    [{ ...body, account_id: ready.accounts.seller.account_id }, 'PAYMENT_METHOD_NOT_FOUND'],
    [{ ...body, account_id: 'x' }, 'ACCOUNT_NOT_FOUND'],
    [{ ...body, currency: 'CHF' }, 'CURRENCY_NOT_ENABLED'],
    [{ ...body, amount: 0 }, 'INVALID_FIELD'],
  ];
  for (const [body, code] of refused) {
    const reply = await api.send('invoicing', 'POST', '/v1/deposits', { body });
    assert.equal(reply.code, code, `${JSON.stringify(body)}: ${reply.text}`);
  }
});

test('every answer above is declared by its operation', () => {
  assert.deepEqual([...platform.api.undeclared], []);
});
