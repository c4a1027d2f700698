// The market's workspaces on PostgreSQL, without people, for repeating there what was done in
// memory.
import assert from 'node:assert/strict';
import { machines } from '../../src/catalogue.ts';
import { createWorkspace } from '../../src/product/tenant/tenant/index.ts';
import { loadMoves, type Engine } from '../../src/engine/index.ts';
import { Refusal } from '../../src/core/refusal.ts';
import { testDatabase, type TestDatabase } from '../kit/database.ts';
import { engineOn } from '../kit/engine.ts';
import type { Database } from '../../src/db/index.ts';
import { systemAccountId, type SystemAccountKind } from '../../src/ledger/index.ts';
import type { Done, Market } from './market.ts';
import { CURRENCY, OTHER_WORKSPACE, WORKSPACE, type Submitted } from './memory-core.ts';

/** A database with the market's workspaces, and an engine on it. */
export interface Fixture {
  readonly database: TestDatabase;
  readonly engine: Engine;
}

/** Opens a place; its database is the caller's to drop. */
export async function openFixture(): Promise<Fixture> {
  const database = await testDatabase();
  const { db } = database;
  await loadMoves(db, machines, true);
  for (const [name, number] of [['laws', WORKSPACE], ['others', OTHER_WORKSPACE]] as const) {
    const { workspace } = await createWorkspace(db, { name, currencies: [CURRENCY] });
    assert.equal(workspace, number);
  }
  const engine = engineOn(db, db, { compose: async () => null, queueTimeout: 30_000 });
  return { database, engine };
}

/** Has the engine decide; what came of it in a word, as in memory. */
export async function say({ engine }: Fixture, submitted: Submitted): Promise<string> {
  const { command, input, workspace, actor = 'laws' } = submitted;
  try {
    const answer = await engine.run(command, input, { workspace, actor });
    return String(answer.status);
  } catch (error) {
    return error instanceof Refusal ? error.spec.code : 'fault';
  }
}

/** What of a history no command does: time goes by, and rows change under it. */
export async function aside(
  db: Database,
  done: Exclude<Done, { kind: 'command' | 'fold' }>,
): Promise<void> {
  switch (done.kind) {
    case 'offer': {
      const text = `insert into authorized_invoice
          (workspace, id, account_id, is_escrow, document, expires, made)
        values ($1, $2, $3, false, '', now(), $4)`;
      await db.execute({ text, values: [WORKSPACE, done.id, done.account, done.made] });
      break;
    }
    case 'pass': {
      const text = `update workspace set clock_offset = clock_offset + make_interval(secs => $1)`;
      await db.execute({ text, values: [done.seconds] });
      break;
    }
    case 'switch': {
      const text = `update payment_method set pm_state = $1 where id = $2`;
      await db.execute({ text, values: [done.state, done.method] });
    }
  }
}

/** Every balance in the database is the model's. */
export async function balances(
  { database: { db } }: Fixture,
  { model, people }: Market,
): Promise<void> {
  const sums = await db.query<{ id: string; sum: bigint }>({
    text: `select account_id as id, sum(amount)::bigint as sum from posting
      where workspace = $1 group by account_id`,
    values: [WORKSPACE],
  });
  const balances = new Map(sums.map(({ id, sum }) => [id, sum]));
  const expected = new Map<string, bigint>();
  for (const [kind, amount] of Object.entries(model.systemAccounts)) {
    expected.set(systemAccountId(WORKSPACE, kind as SystemAccountKind, CURRENCY), amount);
  }
  for (const [at, { wallet, kept }] of people.entries()) {
    expected.set(wallet, model.purse(at).spendable);
    expected.set(kept, model.purse(at).kept);
  }
  for (const [id, amount] of expected) assert.equal(balances.get(id) ?? 0n, amount, id);
  const other = await db.query({
    text: 'select from posting where workspace <> $1',
    values: [WORKSPACE],
  });
  assert.equal(other.length, 0);
}
