// The largest balance: no sandbox deposit and no top-up lifts a wallet above it, and up to it all
// works as usual. [G-30, G-49]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { uuidOfWireId } from '../../core/ids.ts';
import { TOTAL_CAP } from '../../core/money.ts';
import { systemAccountId } from '../../ledger/index.ts';
import { openBench, type Bench } from '../../../test/kit/domain-bench.ts';

let bench: Bench;
before(async () => {
  bench = await openBench(['USD', 'JPY']);
});
after(() => bench.close());

/** Writes rows that no decision would, past the database's rules. */
async function force(table: string, text: string, values: readonly unknown[]): Promise<void> {
  await bench.db.execute(`alter table ${table} disable trigger user`);
  await bench.db.execute({ text, values });
  await bench.db.execute(`alter table ${table} enable trigger user`);
}

/** Sets the balance of an account's wallet, or of its restricted account. */
async function hold(account_id: string, column: 'id' | 'kept_back_id', amount: bigint) {
  await deposited({ account_id, amount: 1 });
  const values = [bench.home.workspace, uuidOfWireId('acct', account_id) ?? '', amount];
  await force(
    'posting',
    `update posting p set balance_after = $3 from wallet w
      where w.workspace = $1 and w.account_id = $2
        and p.workspace = w.workspace and p.account_id = w.${column}`,
    values,
  );
  await force(
    'balance',
    `update balance b set amount = $3 from wallet w
      where w.workspace = $1 and w.account_id = $2 and b.workspace = w.workspace
      and b.id = w.${column}`,
    values,
  );
}

async function deposited(body: object): Promise<[number, string]> {
  const { status, code } = await bench.call('sandboxDeposit', {
    body: { currency: 'USD', ...body },
  });
  return [status, code ?? ''];
}

test('a wallet is filled to the largest balance and no further', async () => {
  const account_id = await bench.newAccount();
  await hold(account_id, 'id', TOTAL_CAP - 10n);
  assert.deepEqual(await deposited({ account_id, amount: 11 }), [400, 'DEPOSIT_TOO_LARGE']);
  assert.deepEqual((await deposited({ account_id, amount: 10 }))[0], 201);
  assert.deepEqual(await deposited({ account_id, amount: 1 }), [400, 'DEPOSIT_TOO_LARGE']);
  const asked = { params: { account_id } };
  type Shown = { balances: { USD: { spendable: { balance: number } } } };
  const { balances } = await bench.must<Shown>('getBalances', asked);
  assert.equal(balances.USD.spendable.balance, Number.MAX_SAFE_INTEGER);
});

test('a deposit reaches the wallet of its currency', async () => {
  const account_id = await bench.newAccount();
  for (const [currency, amount] of [['USD', 2], ['JPY', 3], ['JPY', 4], ['USD', 5]] as const) {
    assert.deepEqual(await deposited({ account_id, currency, amount }), [201, '']);
  }
  type Shown = { balances: Record<string, { spendable: { balance: number } }> };
  const { balances } = await bench.must<Shown>('getBalances', { params: { account_id } });
  const held = [balances['USD'], balances['JPY']].map((one) => one?.spendable.balance);
  assert.deepEqual(held, [7, 7]);
});

test('many at once do not pass it either', async () => {
  const account_id = await bench.newAccount();
  await hold(account_id, 'id', TOTAL_CAP - 10n);
  const all = await Promise.all(
    Array.from({ length: 8 }, () => deposited({ account_id, amount: 4 })),
  );
  assert.deepEqual(all.map(([status]) => status).toSorted(), [201, 201, ...Array(6).fill(400)]);
});

test('what is kept back counts', async () => {
  const account_id = await bench.newAccount();
  await hold(account_id, 'kept_back_id', TOTAL_CAP - 10n);
  assert.deepEqual(await deposited({ account_id, amount: 11 }), [400, 'DEPOSIT_TOO_LARGE']);
});

test('a top-up by card is refused before the card is asked', async () => {
  const account_id = await bench.newAccount();
  const card = await bench.must<{ payment_method_id: string }>('sandboxAttachCard', {
    body: { account_id, test_card: 'visa' },
  });
  await hold(account_id, 'id', TOTAL_CAP - 10n);
  const body = { account_id, payment_method_id: card.payment_method_id, currency: 'USD' };
  const refused = await bench.call('createDeposit', { body: { ...body, amount: 11 } });
  assert.deepEqual([refused.status, refused.code], [400, 'DEPOSIT_TOO_LARGE']);
  assert.deepEqual(await bench.db.query('select 1 from attempt'), []);
  assert.equal((await bench.call('createDeposit', { body: { ...body, amount: 10 } })).status, 201);
});

test("the integrator's wallet has the same end", async () => {
  const { workspace } = bench.home;
  const wallet_id = systemAccountId(workspace, 'integrator_share', 'USD');
  await bench.db.execute({
    text: `update integrator_balance set amount = $3 where workspace = $1 and id = $2`,
    values: [workspace, wallet_id, TOTAL_CAP - 10n],
  });
  const refused = await deposited({ integrator: true, amount: 11 });
  assert.deepEqual(refused, [400, 'DEPOSIT_TOO_LARGE']);
  assert.equal((await deposited({ integrator: true, amount: 10 }))[0], 201);
  const wallet = await bench.must<{ current_balance: number }>('getWallet', {
    params: { wallet_id },
  });
  assert.equal(wallet.current_balance, Number.MAX_SAFE_INTEGER);
});
