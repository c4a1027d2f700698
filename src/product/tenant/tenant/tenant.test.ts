// Tenants and workspaces: a workspace is complete, workspaces are separate, and a currency that is
// enabled later reaches every account.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  SYSTEM_ACCOUNT_KINDS,
  systemAccountId,
  type SystemAccountKind,
} from '../../../ledger/index.ts';
import { openBench, type Bench } from '../../../../test/kit/domain-bench.ts';
import { createWorkspace, enableCurrency, workspaceDirectory } from './index.ts';

let bench: Bench;
before(async () => {
  bench = await openBench(['USD']);
});
after(() => bench.close());

test('a workspace has its house accounts, its wallets and its place in the stream', async () => {
  const { db } = bench;
  const whole = { name: 'Whole', currencies: ['USD', 'JPY'] };
  const { workspace, integrator } = await createWorkspace(db, whole);
  const kinds = Object.keys(SYSTEM_ACCOUNT_KINDS) as SystemAccountKind[];
  const expected = kinds.flatMap((kind) =>
    ['USD', 'JPY'].map((currency) => systemAccountId(workspace, kind, currency)),
  );
  const values = [workspace];
  const accounts = await db.query<{ id: string }>({
    text: 'select id from ledger_account where workspace = $1',
    values,
  });
  assert.deepEqual(accounts.map((row) => row.id).sort(), expected.sort());
  const counts = await db.query({
    text: `select (select count(*) from wallet where workspace = $1 and account_id
      is null) as wallets,
      (select sequence from seal where workspace = $1) as sequence`,
    values,
  });
  assert.deepEqual(counts, [{ wallets: 2n, sequence: 0n }]);
  const second = await createWorkspace(db, { name: 'Second', currencies: ['USD'], integrator });
  assert.equal(second.integrator, integrator);
  assert.notEqual(second.workspace, workspace);
});

test('a code that is no currency leaves nothing behind', async () => {
  const { db } = bench;
  const count = async (): Promise<unknown> =>
    db.query('select (select count(*) from tenant) as t, (select count(*) from workspace) as w');
  const before = await count();
  await assert.rejects(createWorkspace(db, { name: 'No', currencies: ['USD', 'XXQ'] }));
  await assert.rejects(createWorkspace(db, { name: 'No', currencies: [] }));
  assert.deepEqual(await count(), before);
});

test('a later currency gives every account a wallet that keeps the rules', async () => {
  const { db, home } = bench;
  const free = await bench.newAccount();
  const bound = await bench.newAccount();
  const body = { state: 'DENY', kyc_requirements: 'FULL_KYC' };
  await bench.must('setAccountKYCState', { params: { account_id: bound }, body });
  await enableCurrency(db, home.workspace, 'EUR');
  await enableCurrency(db, home.workspace, 'EUR');
  for (const account_id of [free, bound]) {
    const deposit = { account_id, currency: 'EUR', amount: 900 };
    await bench.must('sandboxDeposit', { body: deposit });
  }
  type Shown = { balances: Record<string, Record<'spendable' | 'kept_back', { balance: number }>> };
  const money = async (account_id: string): Promise<(number | undefined)[]> => {
    const { balances } = await bench.must<Shown>('getBalances', { params: { account_id } });
    return [balances['EUR']?.spendable.balance, balances['EUR']?.kept_back.balance];
  };
  assert.deepEqual(await money(free), [900, 0]);
  assert.deepEqual(await money(bound), [0, 900]);
  const accept = { params: { account_id: bound }, body: { state: 'ACCEPT' } };
  await bench.must('setAccountKYCState', accept);
  assert.deepEqual(await money(bound), [900, 0]);
  const fresh = await bench.newAccount();
  const params = { account_id: fresh };
  assert.equal((await bench.must<unknown[]>('listPaymentMethods', { params })).length, 2);
  await bench.proved();
});

test('the directory asks once in its time, and forgets', async () => {
  const { db } = bench;
  let now = 0;
  const directory = workspaceDirectory(db, { keepMs: 1_000, now: () => now });
  const { workspace } = await createWorkspace(db, { name: 'Seen', currencies: ['USD'] });
  assert.deepEqual([...(await directory.currencies(workspace)).keys()], ['USD']);
  await enableCurrency(db, workspace, 'JPY');
  now = 999;
  assert.deepEqual([...(await directory.currencies(workspace)).keys()], ['USD']);
  now = 1_000;
  const seen = await directory.currencies(workspace);
  assert.deepEqual(seen.get('JPY'), {
    ...{ currency: 'JPY', digits: 0, reserve: null, secondFrom: null },
  });
});
