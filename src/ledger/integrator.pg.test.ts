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

const debit: Command<bigint> = {
  name: 'debit',
  batchable: false,
  load: (rows) => needIntegrator(rows, 'USD'),
  decide(decision, amount) {
    const before = integratorHolds(decision, 'USD');
    debitIntegrator(decision, 'USD', amount);
    return { status: 200, payload: [before, integratorHolds(decision, 'USD')] };
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

test('a debit takes what is folded and not a unit more', async () => {
  await credit('USD', 1_000);
  const over = engine.run(debit, 101n, { workspace, actor: 'test' });
  await assert.rejects(over, /holds too little/);
  assert.deepEqual(await held('USD'), { amount: 100n, version: 1 });
  const { payload } = await engine.run(debit, 100n, { workspace, actor: 'test' });
  assert.deepEqual(payload, [100n, 0n]);
  assert.deepEqual(await held('USD'), { amount: 0n, version: 2 });
});
