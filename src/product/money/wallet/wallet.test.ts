// Wallets: records of payment methods, balances, and deposits by card and in the sandbox.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newUuid, wireId } from '../../../core/ids.ts';
import { systemAccountId } from '../../../ledger/index.ts';
import type { ChargeOutcome } from '../../../providers/processor/port.ts';
import { openBench, type Bench } from '../../../../test/kit/domain-bench.ts';
import { settleDeposit } from './index.ts';

let bench: Bench;
before(async () => {
  bench = await openBench(['USD', 'JPY']);
});
after(() => bench.close());

interface Method {
  readonly id: string;
  readonly provider: string;
  readonly processing_currency: string;
  readonly wallet_balance: string;
  readonly provider_data: { readonly wallet_id?: string; readonly balance?: number };
}

async function methods(account_id: string): Promise<Method[]> {
  return bench.must<Method[]>('listPaymentMethods', { params: { account_id } });
}

async function attach(account_id: string, test_card = 'visa'): Promise<Method> {
  return bench.must<Method>('sandboxAttachCard', { body: { account_id, test_card } });
}

test('a sandbox deposit credits the wallet, tells, and adds up', async () => {
  const account_id = await bench.newAccount();
  const body = { account_id, currency: 'USD', amount: 100_000 };
  const made = await bench.must<Record<string, unknown>>('sandboxDeposit', { body });
  const wallet = (await methods(account_id)).find((one) => one.processing_currency === 'USD');
  assert.equal(made['state'], 'success');
  assert.equal(made['destination_wallet_id'], wallet?.provider_data.wallet_id);
  assert.equal(made['received_amount'], 100_000);
  assert.equal(wallet?.wallet_balance, '100000');
  assert.equal(wallet?.provider_data.balance, 100_000);
  const told = await bench.events('deposit-completed');
  assert.deepEqual(told.at(-1), made);
  const params = { deposit_id: made['deposit_id'] };
  assert.deepEqual(await bench.must('getDeposit', { params }), made);
  const caller = bench.caller(bench.other);
  assert.equal((await bench.call('getDeposit', { params, caller })).code, 'DEPOSIT_NOT_FOUND');
  const asked = { params: { account_id }, query: { currency: 'USD' } };
  const balances = await bench.must('getBalances', asked);
  const shown = { balance: 100_000, display: 'USD 1000.00' };
  const none = { balance: 0, display: 'USD 0.00' };
  assert.deepEqual(balances, {
    account_id,
    balances: { USD: { spendable: shown, spendable_balance: shown, kept_back: none } },
  });
  await bench.proved();
});

test('balances in a currency that is not enabled are refused, not empty', async () => {
  const account_id = await bench.newAccount();
  const ask = (currency: string, id = account_id) =>
    bench.call('getBalances', { params: { account_id: id }, query: { currency } });
  for (const enabled of ['USD', 'JPY']) assert.equal((await ask(enabled)).status, 200);
  const refused = await ask('CHF');
  assert.deepEqual([refused.status, refused.code], [400, 'CURRENCY_NOT_ENABLED']);
  assert.equal((await ask('CHF', wireId('acct', newUuid()))).code, 'ACCOUNT_NOT_FOUND');
});

test('the integrator\'s share is funded, and read as a wallet of its own', async () => {
  const body = { integrator: true, currency: 'JPY', amount: 155 };
  const made = await bench.must<Record<string, unknown>>('sandboxDeposit', { body });
  assert.equal(made['account_id'], '');
  const wallet_id = systemAccountId(bench.home.workspace, 'integrator_share', 'JPY');
  assert.equal(made['destination_wallet_id'], wallet_id);
  const wallet = await bench.must<Record<string, unknown>>('getWallet', { params: { wallet_id } });
  assert.equal(wallet['current_balance'], 155);
  assert.equal(wallet['account_id'], '');
  const caller = bench.caller(bench.other);
  const foreign = await bench.call('getWallet', { params: { wallet_id }, caller });
  assert.deepEqual([foreign.status, foreign.code], [404, 'WALLET_NOT_FOUND']);
  await bench.proved();
});

test('a repeated key pays once', async () => {
  const account_id = await bench.newAccount();
  const body = { account_id, currency: 'USD', amount: 5 };
  const named = { body, key: 'once' };
  const race = Array.from({ length: 10 }, () => bench.must('sandboxDeposit', named));
  const answers = await Promise.all(race);
  for (const answer of answers) assert.deepEqual(answer, answers[0]);
  const [wallet] = (await methods(account_id)).filter((one) => one.processing_currency === 'USD');
  assert.equal(wallet?.wallet_balance, '5');
});

test('deposits that make no sense are refused', async () => {
  const account_id = await bench.newAccount();
  const cases: [object, string][] = [
    [{ currency: 'USD', amount: 1 }, 'DEPOSIT_TARGET_UNCLEAR'],
    [{ account_id, integrator: true, currency: 'USD', amount: 1 }, 'DEPOSIT_TARGET_UNCLEAR'],
    [{ account_id, currency: 'EUR', amount: 1 }, 'CURRENCY_NOT_ENABLED'],
    [{ integrator: true, currency: 'EUR', amount: 1 }, 'CURRENCY_NOT_ENABLED'],
    [{ account_id: wireId('acct', newUuid()), currency: 'USD', amount: 1 }, 'ACCOUNT_NOT_FOUND'],
    [{ account_id: 'nobody', currency: 'USD', amount: 1 }, 'ACCOUNT_NOT_FOUND'],
    [{ account_id, currency: 'USD', amount: 0 }, 'INVALID_FIELD'],
    [{ account_id, currency: 'USD', amount: 1.5 }, 'INVALID_FIELD'],
  ];
  for (const [body, code] of cases) {
    const reply = await bench.call('sandboxDeposit', { body });
    assert.deepEqual([reply.status, reply.code], [400, code], JSON.stringify(body));
  }
});

test('a test card is a payment method with no number and no balance', async () => {
  const account_id = await bench.newAccount();
  const card = await attach(account_id);
  const { id, created, updated, psp_reference, ...rest } = card as Method & Record<string, unknown>;
  assert.deepEqual(rest, {
    account_id,
    method_class: 'visa',
    display_string: 'Visa ending in 1111',
    provider: 'card',
    psp_hash_code: '',
    processing_currency: 'USD',
    pm_state: 'ACTIVE',
    integrator: bench.home.integrator,
    wallet_balance: '0',
    payment_method_id: id,
    provider_data: {},
  });
  assert.equal(created, updated);
  assert.notEqual(psp_reference, '');
  const listed = (await methods(account_id)).filter((one) => one.provider === 'card');
  assert.deepEqual(listed, [card]);
  const told = (await bench.events('payment-method-updated')).at(-1);
  assert.deepEqual(told, { account_id, payment_method_id: id, state: 'ACTIVE' });
  const body = { account_id, test_card: 'no such card' };
  assert.equal((await bench.call('sandboxAttachCard', { body })).code, 'TEST_CARD_UNKNOWN');
  assert.equal((await bench.must<unknown[]>('sandboxTestCards')).length, 4);
});

test('a way to pay once is made once for each kind, and is not listed', async () => {
  const account_id = await bench.newAccount();
  const make = (kind: string) => {
    return bench.call('createOneTimePaymentMethod', { body: { account_id, kind } });
  };
  const card = await make('card');
  assert.equal(card.status, 201);
  assert.deepEqual(await make('card'), card);
  const shown = (reply: Awaited<ReturnType<typeof make>>) => {
    const { display_string, processing_currency } = reply.payload as Record<string, unknown>;
    return [display_string, processing_currency];
  };
  assert.deepEqual(shown(card), ['Card, not saved', 'USD']);
  assert.deepEqual(shown(await make('ideal')), ['iDEAL', 'EUR']);
  assert.ok((await methods(account_id)).every(({ provider }) => provider === 'wallet'));
  const unknown = { account_id: wireId('acct', newUuid()), kind: 'card' };
  const nobody = await bench.call('createOneTimePaymentMethod', { body: unknown });
  assert.deepEqual([nobody.status, nobody.code], [400, 'ACCOUNT_NOT_FOUND']);
});

test('unknown and foreign accounts answer the same; a session sees its own only', async () => {
  const own = await bench.newAccount();
  const caller = bench.caller(bench.other);
  const foreign = await bench.must<{ account_id: string }>('registerAccount', {
    body: { username: 'wallet-foreign' },
    caller,
  });
  const replies = [];
  for (const account_id of [wireId('acct', newUuid()), foreign.account_id, 'acct_no']) {
    replies.push(await bench.call('listPaymentMethods', { params: { account_id } }));
    replies.push(await bench.call('listPaymentMethodsUnversioned', { params: { account_id } }));
    replies.push(await bench.call('getBalances', { params: { account_id } }));
  }
  for (const reply of replies) assert.deepEqual(reply, replies[0]);
  assert.deepEqual([replies[0]?.status, replies[0]?.code], [404, 'ACCOUNT_NOT_FOUND']);
  const session = bench.caller(bench.home, 'session', own);
  const mine = { params: { account_id: own }, caller: session };
  assert.equal((await bench.must<unknown[]>('listPaymentMethods', mine)).length, 2);
  const other = { params: { account_id: await bench.newAccount() }, caller: session };
  assert.equal((await bench.call('listPaymentMethods', other)).code, 'ACCOUNT_NOT_FOUND');
});

interface TopUp {
  readonly deposit_id: string;
  readonly state: string;
  readonly failure_code: string;
}

/** Begins a top-up and gives each outcome to its attempt, in order. */
async function topUp(account_id: string, outcomes: readonly ChargeOutcome[]): Promise<TopUp> {
  const { id } = await attach(account_id);
  const body = { account_id, payment_method_id: id, currency: 'USD', amount: 250 };
  const begun = await bench.must<TopUp>('createDeposit', { body });
  assert.equal(begun.state, 'requested');
  const rows = await bench.db.query<{ id: string }>({
    text: 'select id from attempt where resource_id = $1',
    values: [begun.deposit_id],
  });
  const attemptId = rows[0]?.id ?? '';
  for (const outcome of outcomes) {
    const submission = { workspace: bench.home.workspace, actor: 'processor' };
    await bench.services.engine.run(settleDeposit, { attemptId, outcome }, submission);
  }
  return bench.must<TopUp>('getDeposit', { params: { deposit_id: begun.deposit_id } });
}

const money = { reference: 'ch_1', amount: 250n, currency: 'USD' } as const;

test('a top-up by card credits once, however often the answer comes', async () => {
  const account_id = await bench.newAccount();
  const captured = { state: 'captured', ...money } as const;
  const outcomes = [{ state: 'authorized', ...money }, captured, captured] as const;
  assert.equal((await topUp(account_id, outcomes)).state, 'success');
  const [wallet] = (await methods(account_id)).filter((one) => one.processing_currency === 'USD');
  assert.equal(wallet?.wallet_balance, '250');
  await bench.proved();
});

test('a declined top-up fails with its code, credits nothing, and tells', async () => {
  const account_id = await bench.newAccount();
  const declined = { state: 'declined', reference: 'ch_2', code: 'card_expired' } as const;
  const failed = await topUp(account_id, [declined, { state: 'captured', ...money }]);
  assert.deepEqual([failed.state, failed.failure_code], ['failed', 'card_expired']);
  assert.deepEqual((await bench.events('deposit-completed')).at(-1), failed);
  assert.ok((await methods(account_id)).every((method) => method.wallet_balance === '0'));
  await bench.proved();
});

test('a blocked account can neither be paid into nor get a card', async () => {
  const account_id = await bench.newAccount();
  const card = await attach(account_id);
  const block = { account_id, block_capability: 'login', block_reason: 'account_close' };
  await bench.must('blockAccount', { body: block });
  const money = { account_id, currency: 'USD', amount: 1 };
  const calls: [string, object][] = [
    ['sandboxDeposit', money],
    ['createDeposit', { ...money, payment_method_id: card.id }],
    ['sandboxAttachCard', { account_id, test_card: 'visa' }],
    ['createOneTimePaymentMethod', { account_id, kind: 'card' }],
  ];
  for (const [id, body] of calls) {
    const reply = await bench.call(id, { body });
    assert.deepEqual([reply.status, reply.code], [403, 'ACCOUNT_BLOCKED'], id);
  }
});
