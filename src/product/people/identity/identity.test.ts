// The identity state: its reads, the staging setter, its event, and its effect on money.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { newUuid, uuidOfWireId, wireId } from '../../../core/ids.ts';
import { openBench, type Bench } from '../../../../test/kit/domain-bench.ts';
import { KYC_STATES, SETTABLE_STATES, kycMachine } from './machine.ts';

let bench: Bench;
before(async () => {
  bench = await openBench();
});
after(() => bench.close());

interface Status {
  readonly kyc_id: string;
  readonly state: string;
  readonly pii_level: string;
  readonly kyc_requirements: string;
}

async function set(account_id: string, body: object): Promise<void> {
  await bench.must('setAccountKYCState', { params: { account_id }, body });
}

async function status(account_id: string): Promise<Status> {
  return bench.must<Status>('getKYCStatus', { params: { account_id } });
}

async function eventsOf(account_id: string): Promise<Record<string, unknown>[]> {
  const all = await bench.events('kyc-webhook');
  return all.filter((message) => message['account_id'] === account_id);
}

test('only staging sets a state, and it sets every one that it may', () => {
  const setter = kycMachine.moves.filter((move) => move.on === 'set');
  assert.equal(setter.length, KYC_STATES.length * SETTABLE_STATES.length);
  assert.ok(setter.every((move) => move.stagingOnly));
  assert.ok(kycMachine.moves.every((move) => move.on === 'set' || !move.stagingOnly));
});

test('the setter gives every state, makes one application, and tells the record', async () => {
  const account = await bench.newAccount();
  let kycId = '';
  for (const [at, state] of SETTABLE_STATES.entries()) {
    await set(account, { state });
    const shown = await status(account);
    assert.equal(shown.state, state);
    assert.equal(shown.pii_level, state === 'ACCEPT' ? 'FULL' : 'NONE');
    assert.match(shown.kyc_id, /^kyc_[0-9a-z]{26}$/);
    if (kycId !== '') assert.equal(shown.kyc_id, kycId);
    kycId = shown.kyc_id;
    const told = await eventsOf(account);
    assert.equal(told.length, at + 1);
    assert.deepEqual(told[at], shown);
  }
  await bench.proved();
});

test('level and requirements: stored as given, recomputed, or left', async () => {
  const account = await bench.newAccount();
  const cases: [object, string, string][] = [
    [{ state: 'NODATA', pii_level: 'BASIC' }, 'BASIC', 'NONE'],
    [{ state: 'NODATA', pii_level: 'FULL', kyc_requirements: 'FULL_KYC' }, 'FULL', 'FULL_KYC'],
    [{ state: 'NODATA', pii_level: 'DEFAULT', kyc_requirements: '' }, 'NONE', 'FULL_KYC'],
    [{ state: 'ACCEPT' }, 'FULL', 'FULL_KYC'],
    [
      { state: 'ACCEPT', pii_level: 'BASIC', kyc_requirements: 'TAX_UPDATE' },
      'BASIC',
      'TAX_UPDATE',
    ],
    [{ state: 'ACCEPT', pii_level: null, kyc_requirements: null }, 'FULL', 'TAX_UPDATE'],
  ];
  for (const [body, level, requirements] of cases) {
    await set(account, body);
    const shown = await status(account);
    assert.equal(shown.pii_level, level, JSON.stringify(body));
    assert.equal(shown.kyc_requirements, requirements, JSON.stringify(body));
  }
});

test('the same values again change and tell nothing', async () => {
  const account = await bench.newAccount();
  await set(account, { state: 'NODATA' });
  assert.equal((await status(account)).kyc_id, '');
  await set(account, { state: 'DENY', pii_level: 'BASIC' });
  await set(account, { state: 'DENY', pii_level: 'BASIC' });
  await set(account, { state: 'DENY', pii_level: 'BASIC', kyc_requirements: 'NONE' });
  const document_expires = '2099-01-01';
  await set(account, { state: 'DENY', pii_level: 'BASIC', document_expires });
  assert.equal((await eventsOf(account)).length, 1, 'only a document that is accepted expires');
});

test('a repeated key answers the same, without a second step', async () => {
  const account = await bench.newAccount();
  const input = { params: { account_id: account }, body: { state: 'DENY' }, key: newUuid() };
  for (let n = 0; n < 2; n += 1) {
    const reply = await bench.call('setAccountKYCState', input);
    assert.deepEqual([reply.status, reply.payload], [200, undefined]);
  }
  assert.equal((await eventsOf(account)).length, 1);
});

test('bad bodies are refused and change nothing', async () => {
  const account = await bench.newAccount();
  const bodies = [
    {},
    { state: 'PROCESSING' },
    { state: 'accept' },
    { state: 'ACCEPT', pii_level: 'NONE' },
    { state: 'ACCEPT', pii_level: '' },
    { state: 'ACCEPT', kyc_requirements: 'SOME' },
    { state: 'ACCEPT', more: 1 },
    [],
  ];
  for (const body of bodies) {
    const params = { account_id: account };
    const reply = await bench.call('setAccountKYCState', { params, body });
    assert.equal(reply.status, 400, JSON.stringify(body));
  }
  assert.equal((await status(account)).state, 'NODATA');
});

test('an unknown, foreign, malformed or not own account is 400', async () => {
  const foreign = await bench.must<{ account_id: string }>('registerAccount', {
    body: { username: 'foreign' },
    caller: bench.caller(bench.other),
  });
  const unknown = [wireId('acct', newUuid()), foreign.account_id, 'acct_x', 'acct_', ''];
  for (const account_id of unknown) {
    for (const [id, body] of [['getKYCStatus', null], ['setAccountKYCState', { state: 'DENY' }]]) {
      const reply = await bench.call(id as string, { params: { account_id }, body });
      assert.deepEqual([reply.status, reply.code], [400, 'ACCOUNT_NOT_FOUND']);
    }
  }
  const [own, another] = [await bench.newAccount(), await bench.newAccount()];
  const caller = bench.caller(bench.home, 'user', own);
  assert.ok(await bench.must('getKYCStatus', { params: { account_id: own }, caller }));
  const reply = await bench.call('getKYCStatus', { params: { account_id: another }, caller });
  assert.deepEqual([reply.status, reply.code], [400, 'ACCOUNT_NOT_FOUND']);
});

interface Balances {
  readonly balances: Record<
    string,
    { spendable: { balance: number }; kept_back: { balance: number } }
  >;
}

async function money(account_id: string): Promise<Record<string, [number, number]>> {
  const shown = await bench.must<Balances>('getBalances', { params: { account_id } });
  return Object.fromEntries(
    Object.entries(shown.balances).map(([currency, one]) => [
      currency,
      [one.spendable.balance, one.kept_back.balance],
    ]),
  );
}

type Action =
  | { readonly kind: 'credit'; readonly currency: string; readonly amount: number }
  | { readonly kind: 'set'; readonly state: string; readonly requirements: string };

const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({
    kind: fc.constant('credit' as const),
    currency: fc.constantFrom('USD', 'EUR'),
    amount: fc.integer({ min: 1, max: 99_999_999_999 }),
  }),
  fc.record({
    kind: fc.constant('set' as const),
    state: fc.constantFrom('ACCEPT', 'MANUAL_REVIEW', 'DENY', 'CANCEL', 'NODATA'),
    requirements: fc.constantFrom('NONE', 'FULL_KYC', 'TAX_UPDATE', ''),
  }),
);

/** The model: what G-38 says about the money of one account. */
function expected(actions: readonly Action[]): Record<string, [number, number]> {
  const wallets: Record<string, [number, number]> = { EUR: [0, 0], USD: [0, 0] };
  let [state, required] = ['NODATA', 'NONE'];
  for (const one of actions) {
    if (one.kind === 'set') {
      state = one.state;
      // A required tax update is added to what is required.
      if (one.requirements !== 'TAX_UPDATE') required = one.requirements || required;
    }
    const accrues = required !== 'FULL_KYC' || state === 'ACCEPT';
    for (const wallet of Object.values(wallets)) {
      if (accrues) wallet.splice(0, 2, wallet[0] + wallet[1], 0);
    }
    if (one.kind !== 'credit') continue;
    (wallets[one.currency] as [number, number])[accrues ? 0 : 1] += one.amount;
  }
  return wallets;
}

test('money is where the identity state says, after any history', async () => {
  const seed = Number(process.env['HOLDFAST_TEST_SEED'] ?? 20_261_120);
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 12 }), async (actions) => {
      const account = await bench.newAccount();
      for (const one of actions) {
        if (one.kind === 'credit') {
          const { currency, amount } = one;
          const body = { account_id: account, currency, amount };
          await bench.must('sandboxDeposit', { body });
        } else {
          await set(account, { state: one.state, kyc_requirements: one.requirements });
        }
      }
      assert.deepEqual(await money(account), expected(actions));
    }),
    { seed, numRuns: 40 },
  );
  await bench.proved();
});

test('credits that race with flips end where the last state says, and none is lost', async () => {
  const account = await bench.newAccount();
  const body = { account_id: account, currency: 'USD', amount: 7 };
  const work: Promise<unknown>[] = [];
  for (let n = 0; n < 30; n += 1) {
    work.push(bench.must('sandboxDeposit', { body }));
    const state = n % 2 === 0 ? 'DENY' : 'ACCEPT';
    if (n % 3 === 0) work.push(set(account, { state, kyc_requirements: 'FULL_KYC' }));
  }
  await Promise.all(work);
  const [free, kept] = (await money(account))['USD'] ?? [0, 0];
  assert.equal(free + kept, 210);
  await set(account, { state: 'ACCEPT' });
  assert.deepEqual((await money(account))['USD'], [210, 0]);
  await bench.proved();
});

test('an update of tax data releases nothing that waits for ACCEPT', async () => {
  const account = await bench.newAccount();
  await set(account, { state: 'DENY', kyc_requirements: 'FULL_KYC' });
  const body = { account_id: account, currency: 'USD', amount: 500 };
  await bench.must('sandboxDeposit', { body });
  await set(account, { state: 'DENY', kyc_requirements: 'TAX_UPDATE' });
  await bench.must('sandboxDeposit', { body });
  assert.deepEqual((await money(account))['USD'], [0, 1_000]);
  await set(account, { state: 'ACCEPT' });
  assert.deepEqual((await money(account))['USD'], [1_000, 0]);
  await bench.proved();
});

test('kept money shows nowhere to spend; its release is an entry of the step', async () => {
  const account = await bench.newAccount();
  await set(account, { state: 'DENY', kyc_requirements: 'FULL_KYC' });
  const body = { account_id: account, currency: 'EUR', amount: 500 };
  await bench.must('sandboxDeposit', { body });
  const params = { account_id: account };
  const before = await bench.must<{ wallet_balance: string }[]>('listPaymentMethods', { params });
  assert.ok(before.every((method) => method.wallet_balance === '0'));
  await set(account, { state: 'ACCEPT' });
  const uuid = uuidOfWireId('acct', account);
  const lines = await bench.db.query<{ kind: string; amount: bigint; to_state: string }>({
    text: `select a.kind, p.amount, s.to_state from posting p
      join ledger_account a on a.workspace = p.workspace and a.id = p.account_id
      join history s on s.workspace = p.workspace and s.resource_id = p.resource_id
      and s.version = p.version
      where p.resource_id = $1 order by p.line`,
    values: [uuid],
  });
  assert.deepEqual(lines, [
    { kind: 'kept_back', amount: -500n, to_state: 'ACCEPT' },
    { kind: 'wallet', amount: 500n, to_state: 'ACCEPT' },
  ]);
  await bench.proved();
});
