// A clone of a workspace, made row by row without any help: it keeps every id, opens every sealed
// text, finds every keyed hash, answers a repeated request as before, and its money keeps the
// invariants while the two diverge.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isEnded, type Command } from '../../../engine/index.ts';
import { uuidOfWireId } from '../../../core/ids.ts';
import { systemAccountId } from '../../../ledger/index.ts';
import { openBench, type Bench } from '../../../../test/kit/domain-bench.ts';
import {
  addClone,
  enableCurrency,
  endWorkspace,
  findWorkspace,
  type CreatedWorkspace,
} from './index.ts';

const nothing: Command<null> = {
  name: 'nothing',
  batchable: true,
  load: () => {},
  decide: () => ({ status: 200, payload: null }),
};

/** Tables that every workspace fills for itself, or never takes from another. */
const OWN = ['workspace', 'audit_pending', 'statement_cursor', 'integrator_credit', 'client'];

let bench: Bench;
before(async () => {
  bench = await openBench(['USD']);
});
after(() => bench.close());

interface Balances {
  readonly balances: { readonly USD: { readonly spendable: { readonly balance: number } } };
}

async function fundsOf(account_id: string, of?: CreatedWorkspace): Promise<number> {
  const input = { params: { account_id }, ...(of && { caller: bench.caller(of) }) };
  return (await bench.must<Balances>('getBalances', input)).balances.USD.spendable.balance;
}

/** Clones the home workspace in one statement; its row first, so that every process knows it. */
async function copyHome(): Promise<CreatedWorkspace> {
  const { db, home, services } = bench;
  const { cacheInvalidation: news } = services;
  assert.ok(news);
  const { workspace } = await news.announce((tx) =>
    addClone(tx, { of: home.workspace, name: 'copy', snapshot: null }),
  );
  const tables = await db.query<{ table: string; columns: string[] }>({
    text: `select c.table_name::text as table, array_agg(c.column_name::text) as columns
      from information_schema.columns c
      join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
        and c.table_name not like 'stored%' and c.table_name <> all($1)
        and c.is_generated = 'NEVER' and c.is_identity = 'NO'
      group by c.table_name having bool_or(c.column_name = 'workspace')`,
    values: [OWN],
  });
  const parts = tables.map(({ table, columns }) => {
    const rest = columns.filter((column) => column !== 'workspace').map((column) => `"${column}"`);
    return `"of ${table}" as (insert into ${table} (workspace, ${rest.join()})
      select $2, ${rest.join()} from ${table} where workspace = $1 on conflict do nothing)`;
  });
  await db.query({
    text: `with ${parts.join(',\n')} select 1`,
    values: [home.workspace, workspace],
  });
  return { ...home, workspace };
}

/** An open invoice of 700, of which 50 are the integrator's. */
async function openSale(buyer: string, seller: string): Promise<string> {
  const methods = await bench.must<{ payment_method_id: string }[]>('listPaymentMethods', {
    params: { account_id: buyer },
  });
  const line = { currency: 'USD', transaction_type: 'user_to_user' };
  const body = {
    account_id: buyer,
    payment_methods: [{ payment_method_id: methods[0]?.payment_method_id }],
    line_items: [
      { ...line, amount: 650, recipients: [{ amount: 650, destination_account_id: seller }] },
      { currency: 'USD', transaction_type: 'user_to_integrator', amount: 50, recipients: [] },
    ],
  };
  return (await bench.must<{ invoice_id: string }>('createInvoice', { body })).invoice_id;
}

test('a copy has the ids, texts and money of its original, and goes its own way', async () => {
  const { db, home, services } = bench;
  const buyer = await bench.newAccount('bea');
  const seller = await bench.newAccount('sam');
  const deposit = { account_id: buyer, currency: 'USD', amount: 2_000 };
  await bench.must('sandboxDeposit', { body: deposit });
  const before = await openSale(buyer, seller);
  await bench.must('payInvoice', { params: { invoice_id: before } });
  const open = await openSale(buyer, seller);
  const copy = await copyHome();
  assert.equal(services.workspaces.lineageOf(copy.workspace), home.workspace);
  const caller = bench.caller(copy);

  for (const id of [before, open]) {
    const params = { invoice_id: id };
    assert.deepEqual(
      await bench.must('getInvoice', { params, caller }),
      await bench.must('getInvoice', { params }),
    );
  }
  const params = { account_id: buyer };
  assert.deepEqual(
    await bench.must('getUserInfo', { params, caller }),
    await bench.must('getUserInfo', { params }),
  );
  // The username is found by its hash, and taken.
  const taken = await bench.call('registerAccount', { body: { username: 'bea' }, caller });
  assert.equal(taken.code, 'USERNAME_ALREADY_TAKEN');

  await bench.must('payInvoice', { params: { invoice_id: open }, caller });
  assert.deepEqual([await fundsOf(buyer), await fundsOf(buyer, copy)], [1_300, 600]);
  assert.deepEqual([await fundsOf(seller), await fundsOf(seller, copy)], [650, 1_300]);
  const share = systemAccountId(home.workspace, 'integrator_share', 'USD');
  const shares = await db.query<{ workspace: number; amount: string }>({
    text: `select workspace, sum(amount)::text as amount from posting where account_id = $1
      group by workspace order by workspace`,
    values: [share],
  });
  assert.deepEqual(shares, [
    { workspace: home.workspace, amount: '50' },
    { workspace: copy.workspace, amount: '100' },
  ]);
  await enableCurrency(db, copy.workspace, 'EUR');
  const later = await bench.call('registerAccount', { body: { username: 'cem' }, caller });
  const cem = (later.payload as { account_id: string }).account_id;
  const euros = { account_id: cem, currency: 'EUR', amount: 5 };
  await bench.must('sandboxDeposit', { body: euros, caller });
  assert.notEqual(uuidOfWireId('acct', cem), null);
  assert.equal((await bench.call('getUserInfo', { params: { account_id: cem } })).status, 404);
  await bench.proved();

  await db.transaction((tx) => endWorkspace(tx, home.workspace, copy.workspace));
  assert.equal(await findWorkspace(db, home.integrator), copy.workspace);
  const ran = services.engine.run(nothing, null, { workspace: home.workspace, actor: 'test' });
  await assert.rejects(ran, isEnded);
  assert.equal(await fundsOf(buyer), 1_300, 'its rows stay');
  await bench.proved();
});
