// Bank accounts by IBAN: which are taken, who may add one, and that an IBAN and its holder are
// stored sealed, shown by their last four, and gone with an erasure. [G-91, PD3]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openBench, type Bench, type Reply } from '../../../../test/kit/domain-bench.ts';
import { erasePerson } from '../../people/retention/index.ts';
import { uuidOfWireId } from '../../../core/ids.ts';

const IBAN = 'NL91ABNA0417164300';
const HOLDER = 'Zoë Ångström';
let bench: Bench;
let account_id: string;
before(async () => {
  bench = await openBench();
  account_id = await bench.newAccount();
});
after(async () => {
  await bench.proved();
  await bench.close();
});

function add(more: object = {}, key?: string): Promise<Reply> {
  const body = { account_id, iban: IBAN, holder_name: HOLDER, ...more };
  return bench.call('createBankAccount', { body, ...(key === undefined ? {} : { key }) });
}

test('an account is added once under a key, and shows its last four only', async () => {
  const key = 'a key of this test';
  const [one, two] = [await add({ iban: 'nl91 abna 0417 1643 00' }, key), await add({}, 'other')];
  assert.equal(one.status, 201);
  type Method = Record<string, unknown>;
  const method = one.payload as Method;
  assert.deepEqual(
    [method['provider'], method['method_class'], method['display_string'], method['pm_state']],
    ['bank', 'iban', 'Bank account ending in 4300', 'ACTIVE'],
  );
  assert.equal(method['psp_reference'], '');
  const again = await add({ iban: 'nl91 abna 0417 1643 00' }, key);
  assert.deepEqual(again.payload, one.payload);
  assert.notEqual((two.payload as Method)['id'], method['id']);
  const listed = await bench.must<Method[]>('listPaymentMethods', { params: { account_id } });
  const bank = listed.filter(({ provider }) => provider === 'bank');
  assert.equal(bank.length, 2);
  assert.doesNotMatch(JSON.stringify([listed, one]), /NL91|0417|ngstr/);
});

test('nothing in the database holds an IBAN or its holder in clear', async () => {
  const tables = await bench.db.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r'
      and relnamespace = 'public'::regnamespace`,
  );
  for (const { name } of tables) {
    const rows = await bench.db.query(
      `select 1 from ${name} t where t::text ~ '(NL91ABNA|0417164300|ngstr)'`,
    );
    assert.equal(rows.length, 0, name);
  }
});

test('what is no IBAN, no BIC and no name is refused', async () => {
  const [digits, start, chars] = [/mistyped/, /begins with/, /has 18 characters in NL/];
  const wrong: readonly [string, RegExp][] = [
    ['', start],
    ['4300', start],
    ['XX91ABNA0417164300', start],
    ['NL91ABNA0417164301', digits],
    ['NL91ABNA041716430', chars],
  ];
  for (const [iban, sentence] of wrong) {
    const { code, errors } = await add({ iban });
    assert.equal(code, 'INVALID_FIELD');
    assert.match((errors as Record<string, string>)['iban'] ?? '', sentence);
  }
  assert.equal((await add({ iban: 'DE89370400440532013000' })).status, 201);
  assert.equal((await add({ bic: 'NOPE' })).code, 'INVALID_FIELD');
  assert.equal((await add({ holder_name: ' ' })).code, 'INVALID_FIELD');
  assert.equal((await add({ bic: 'ABNANL2A' })).status, 201);
});

test("nobody adds one to an account of another tenant, nor a session to another's", async () => {
  const other = await bench.newAccount();
  const body = { account_id, iban: IBAN, holder_name: HOLDER };
  const foreign = bench.caller(bench.other);
  const session = bench.caller(bench.home, 'session', other);
  for (const caller of [foreign, session]) {
    const reply = await bench.call('createBankAccount', { body, caller });
    assert.deepEqual([reply.status, reply.code], [400, 'ACCOUNT_NOT_FOUND']);
  }
  const unknown = { ...body, account_id: 'acct_00000000000000000000000000' };
  const nobody = await bench.call('createBankAccount', { body: unknown });
  assert.equal(nobody.code, 'ACCOUNT_NOT_FOUND');
});

test('an account by IBAN pays nothing, and may be renamed and removed', async () => {
  const { id } = (await add()).payload as { id: string };
  const body = { account_id, payment_method_id: id, currency: 'USD', amount: 100 };
  const reply = await bench.call('createDeposit', { body });
  assert.deepEqual([reply.code, reply.errors], [
    'PAYMENT_METHOD_NOT_ACTIVE',
    { payment_method_id: 'only receives payouts' },
  ]);
  const params = { payment_method_id: id };
  const renamed = { params, body: { display_string: 'Mine' } };
  assert.equal((await bench.call('renamePaymentMethod', renamed)).status, 200);
  assert.equal((await bench.call('removePaymentMethod', { params })).status, 200);
});

test('an erasure empties what was sealed', async () => {
  const { db, engine, keys, random } = bench.services;
  const account = uuidOfWireId('acct', account_id) ?? '';
  const { workspace } = bench.home;
  const request = { workspace, account, reason: 'subject_request', actor: 'test' };
  await erasePerson({ db, engine, keys, random }, request);
  const left = await db.query(`select 1 from payout_destination where sealed <> ''`);
  assert.equal(left.length, 0);
});
