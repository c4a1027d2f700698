// Registration: what an account starts with, what is refused, and the answer to a repeated request.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { uuidOfWireId } from '../../../core/ids.ts';
import { openBench, type Bench } from '../../../../test/kit/domain-bench.ts';

let bench: Bench;
before(async () => {
  bench = await openBench();
});
after(() => bench.close());

const FULL = {
  username: 'Zoë Marker',
  email: { address: 'zoe@marker.example', requires_verification: true },
  full_name: 'Zoë Marker-Fullname',
  first_name: 'Zoë-Firstname',
  last_name: 'Marker-Lastname',
  street_address_1: '1 Marker-Street',
  street_address_2: 'Marker-Floor',
  street_address_3: 'Marker-Door',
  city: 'Marker-City',
  state_province: 'Marker-State',
  country_iso: 'DE',
  zip_postal_code: 'MARK-1234',
  external_platforms: { steam: { user_id: 'marker-steam' } },
};

interface Made {
  readonly account_id: string;
  readonly email: { readonly email_id: string } | null;
}

test('an account starts with one wallet for each currency, NODATA, and one event', async () => {
  const made = await bench.must<Made>('registerAccount', { body: FULL });
  const { account_id, email, ...rest } = made;
  const { email: given, ...fields } = FULL;
  assert.deepEqual(rest, fields);
  assert.deepEqual(email, {
    email_id: email?.email_id,
    address: given.address,
    email_types: ['primary_contact'],
    is_verified: false,
  });
  const methods = await bench.must<Record<string, unknown>[]>('listPaymentMethods', {
    params: { account_id },
  });
  assert.deepEqual(methods.map((method) => method['processing_currency']).sort(), ['EUR', 'USD']);
  for (const method of methods) {
    assert.equal(method['provider'], 'wallet');
    assert.equal(method['method_class'], 'registration');
    assert.equal(method['wallet_balance'], '0');
    assert.equal(method['payment_method_id'], method['id']);
    const data = method['provider_data'] as { wallet_id: string };
    assert.equal(method['psp_reference'], data.wallet_id);
    assert.deepEqual(data, { wallet_id: data.wallet_id, wallet_balance: '0', balance: 0 });
    assert.match(String(method['created']), /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/);
  }
  const kyc = await bench.must('getKYCStatus', { params: { account_id } });
  assert.deepEqual(kyc, {
    account_id,
    kyc_id: '',
    kyc_requirements: 'NONE',
    pii_level: 'NONE',
    state: 'NODATA',
    match_checks: [],
  });
  const messages = await bench.events('register-account-completed');
  const mine = messages.filter((message) => message['account_id'] === account_id);
  assert.equal(mine.length, 1);
  assert.equal(mine[0]?.['integrator'], bench.home.integrator);
  await bench.proved();
});

test('a taken username is refused by its own name, also in another normal form', async () => {
  await bench.must('registerAccount', { body: { username: 'caf\u00e9' } });
  for (const username of ['caf\u00e9', 'cafe\u0301']) {
    const reply = await bench.call('registerAccount', { body: { username } });
    assert.equal(reply.status, 400);
    assert.equal(reply.code, 'USERNAME_ALREADY_TAKEN');
    assert.deepEqual(reply.errors, { username: 'USERNAME_ALREADY_TAKEN' });
  }
});

test('the same username is free in another tenant', async () => {
  const caller = bench.caller(bench.other);
  await bench.must('registerAccount', { body: { username: 'both' } });
  await bench.must('registerAccount', { body: { username: 'both' }, caller });
});

test('twenty that race for one username make one account', async () => {
  const body = { username: 'racer' };
  const race = Array.from({ length: 20 }, () => bench.call('registerAccount', { body }));
  const codes = (await Promise.all(race)).map((reply) => reply.code);
  assert.equal(codes.filter((code) => code === null).length, 1);
  assert.equal(codes.filter((code) => code === 'USERNAME_ALREADY_TAKEN').length, 19);
  await bench.proved();
});

test('bad input is named by its field', async () => {
  const cases: [object, string, string][] = [
    [{}, 'MISSING_FIELD', 'username'],
    [{ username: '' }, 'INVALID_FIELD', 'username'],
    [{ username: ' ' }, 'INVALID_FIELD', 'username'],
    [{ username: 'x'.repeat(65) }, 'INVALID_FIELD', 'username'],
    [{ username: 'n1', city: '4111111111111111' }, 'CARD_NUMBER_REFUSED', 'city'],
    [{ username: 'n2', country_iso: 'de' }, 'INVALID_FIELD', 'country_iso'],
    [{ username: 'n3', password: 'secret' }, 'UNKNOWN_FIELD', 'password'],
    [{ username: 'n4', email: { address: 'nobody' } }, 'EMAIL_INVALID', 'email'],
    [{ username: 'n5', email: { address: 'a b@c.example' } }, 'EMAIL_INVALID', 'email'],
    [{ username: 'n6', email: 'a@b.example' }, 'INVALID_FIELD', 'email'],
  ];
  for (const [body, code, field] of cases) {
    const reply = await bench.call('registerAccount', { body });
    assert.equal(reply.status, 400);
    assert.equal(reply.code, code, JSON.stringify(body));
    assert.deepEqual(Object.keys(reply.errors), [field]);
  }
});

test('a repeated request gets the same answer and no second account', async () => {
  const body = { ...FULL, username: 'again' };
  const first = await bench.must<Made>('registerAccount', { body, key: 'k1' });
  const second = await bench.must<Made>('registerAccount', { body, key: 'k1' });
  assert.deepEqual(second, first);
  const changed = { ...body, city: 'Elsewhere' };
  const reply = await bench.call('registerAccount', { body: changed, key: 'k1' });
  assert.equal(reply.code, 'IDEMPOTENCY_KEY_REUSED');
});

test('no personal field lies anywhere in clear', async () => {
  const body = { ...FULL, username: 'Marker-Username' };
  const { account_id } = await bench.must<Made>('registerAccount', { body, key: 'k2' });
  const update = { city: 'Marker-Moved', email: { address: 'new@marker.example' } };
  await bench.must('updateUserInfo', { params: { account_id }, body: update, key: 'k3' });
  const block = { account_id, block_capability: 'login', block_reason: 'account_close' };
  await bench.must('blockAccount', { body: { ...block, note: 'Marker-Note' }, key: 'k4' });
  const uuid = uuidOfWireId('acct', account_id) ?? '';
  const tables = await bench.db.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  );
  let seen = 0;
  for (const { name } of tables) {
    const rows = await bench.db.query<{ row: string }>(`select t::text as row from ${name} t`);
    for (const { row } of rows) {
      if (row.includes(uuid)) seen += 1;
      assert.doesNotMatch(row, /marker/i, name);
    }
  }
  assert.ok(seen > 10, 'the look went past the rows of the account');
});
