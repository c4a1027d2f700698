// The market's workspaces on PostgreSQL, without people, for repeating there what was done in
// memory.
import assert from 'node:assert/strict';
import { machines } from '../../src/catalogue.ts';
import { createWorkspace } from '../../src/product/tenant/tenant/index.ts';
import { loadMoves, type Engine } from '../../src/engine/index.ts';
import { Refusal } from '../../src/core/refusal.ts';
import { testDatabase, type TestDatabase } from '../kit/database.ts';
import { engineOn } from '../kit/engine.ts';
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
