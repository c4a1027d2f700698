// What the integrator holds: debits stop at what is folded, and folding counts each credit once,
// for the one account it belongs to. [G-43]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { testDatabase, type TestDatabase } from '../../test/kit/database.ts';
import { engineOn } from '../../test/kit/engine.ts';
import type { Command, Engine } from '../engine/index.ts';
import { createWorkspace } from '../product/tenant/tenant/index.ts';
import {
  debitIntegrator,
  foldAllCredits,
  foldCredits,
  systemAccountId,
  integratorBalanceTable,
  integratorHolds,
  needIntegrator,
} from './index.ts';

let base: TestDatabase;
let engine: Engine;
let workspace = 0;
before(async () => {
  base = await testDatabase();
  engine = engineOn(base.pool(2), base.db);
  const made = await createWorkspace(base.db, { name: 'share', currencies: ['USD', 'EUR'] });
  ({ workspace } = made);
});
after(async () => {
  await engine.stop();
  await base.drop();
});

const accountOf = (currency: string): string =>
  systemAccountId(workspace, 'integrator_share', currency);

/** A credit as the trigger on entries leaves it; the entry itself is not looked at here. */
async function credit(currency: string, amount: number): Promise<void> {
  await base.db.execute({
    text: 'insert into integrator_credit (workspace, account_id, amount) values ($1, $2, $3)',
    values: [workspace, accountOf(currency), amount],
  });
}

async function held(currency: string): Promise<{ amount: bigint; version: number } | undefined> {
  const rows = await base.db.query<{ amount: bigint; version: number }>({
    text: 'select amount, version from integrator_balance where workspace = $1 and id = $2',
    values: [workspace, accountOf(currency)],
  });
  return rows[0];
}

const NOT_ENABLED = 'JPY';

const debit: Command<bigint> = {
  name: 'debit',
  load(rows) {
    needIntegrator(rows, 'USD');
    rows.read(integratorBalanceTable, accountOf(NOT_ENABLED));
  },
  decide(decision, amount) {
    const before = integratorHolds(decision, 'USD');
    debitIntegrator(decision, 'USD', amount);
    const after = integratorHolds(decision, 'USD');
    return { status: 200, payload: [before, after, integratorHolds(decision, NOT_ENABLED)] };
  },
};

test('credits are folded once, each into its own account', async () => {
  await credit('USD', 70);
  await credit('USD', 30);
  await credit('EUR', 5);
  assert.equal(await foldCredits(base.db, workspace, accountOf('USD')), 2);
  assert.deepEqual(await held('USD'), { amount: 100n, version: 1 });
  assert.deepEqual(await held('EUR'), { amount: 0n, version: 0 });
  assert.equal(await foldCredits(base.db, workspace, accountOf('USD')), 0);
  await foldAllCredits(base.db);
  assert.deepEqual(await held('USD'), { amount: 100n, version: 1 });
  assert.deepEqual(await held('EUR'), { amount: 5n, version: 1 });
});

test('a fold that waited for the balance takes what came meanwhile, each credit once', async () => {
  await credit('EUR', 20);
  let waiting: Promise<number> = Promise.resolve(0);
  await base.db.transaction(async (tx) => {
    const values = [workspace, accountOf('EUR')];
    const text = 'select 1 from integrator_balance where workspace = $1 and id = $2 for update';
    await tx.query({ text, values });
    waiting = foldCredits(base.db, workspace, accountOf('EUR'));
    const waits = `select 1 from pg_stat_activity where wait_event_type = 'Lock'
      and datname = current_database() and query like '%integrator_balance%'`;
    const end = Date.now() + 10_000;
    while ((await base.db.query(waits)).length === 0) {
      assert.ok(Date.now() < end, 'the fold waits for the balance');
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await credit('EUR', 3);
  });
  assert.equal(await waiting, 2);
  assert.deepEqual(await held('EUR'), { amount: 28n, version: 2 });
});

test('a debit takes what is folded and not a unit more', async () => {
  await credit('USD', 1_000);
  const over = engine.run(debit, 101n, { workspace, actor: 'test' });
  await assert.rejects(over, /holds too little/);
  assert.deepEqual(await held('USD'), { amount: 100n, version: 1 });
  const { payload } = await engine.run(debit, 100n, { workspace, actor: 'test' });
  assert.deepEqual(payload, [100n, 0n, 0n]);
  assert.deepEqual(await held('USD'), { amount: 0n, version: 2 });
});
