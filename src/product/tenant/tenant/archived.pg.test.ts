// Ten thousand archived workspaces: work for every workspace skips all of them, as the plans of the
// loops' own queries show.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { testDatabase, type TestDatabase } from '../../../../test/kit/database.ts';
import type { Database, Statement } from '../../../db/index.ts';
import { dueRows, ENGINE_SETTINGS } from '../../../engine/index.ts';
import { waitingWorkspaces } from '../../../outbox/index.ts';
import { Sealer } from '../../tell/audit/index.ts';
import { escrowTable } from '../../money/escrow/index.ts';
import { movedIdentities, sweepChecks } from '../../people/identity/index.ts';
import { payoutTable } from '../../money/payout/index.ts';
import { sweep } from '../../money/wallet/index.ts';
import { findWorkspace, createWorkspace } from './index.ts';

const ENDED = 10_000;
const LIVE = 5;

let base: TestDatabase;
let integrator = '';
let main = 0;
before(async () => {
  base = await testDatabase();
  ({ workspace: main, integrator } = await createWorkspace(base.db, {
    name: 'A',
    currencies: ['USD'],
  }));
  const pool = base.pool(1, { ...ENGINE_SETTINGS });
  const copies = (live: boolean, count: number): Promise<number> =>
    pool.execute({
      text: `insert into workspace (workspace, integrator, lineage, name, main, ended)
        overriding system value
        select nextval('workspace_copy'), integrator, workspace, 'copy', false,
          case when $1 then null else clock_timestamp() - interval '1 hour' end
        from workspace, generate_series(1, $2) where workspace = $3`,
      values: [live, count, main],
    });
  await copies(false, ENDED);
  await copies(true, LIVE - 1);
});
after(() => base.drop());

interface Node {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Node[];
}

/** Rows of `workspace`, and of tables with one row for each workspace, that a plan read. */
function lookedAt(node: Node): number {
  const own = node['Relation Name'] === 'workspace' || node['Relation Name'] === 'statement_cursor';
  const rows = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0);
  const below = (node.Plans ?? []).reduce((sum, child) => sum + lookedAt(child), 0);
  return (own ? rows * node['Actual Loops'] : 0) + below;
}

/** Explains the queries that it gets instead of running them; `most` is the most that one read. */
function explainer(): { readonly db: Database; readonly seen: () => [number, number] } {
  const pool = base.pool(1, { ...ENGINE_SETTINGS });
  let most = 0;
  let statements = 0;
  const explain = async (statement: Statement | string): Promise<never[]> => {
    const { text, values = [] } = typeof statement === 'string' ? { text: statement } : statement;
    const rows = await pool.query<{ 'QUERY PLAN': string }>({
      text: `explain (analyze, format json) ${text}`,
      values,
    });
    const plans = JSON.parse(rows[0]?.['QUERY PLAN'] ?? '[]') as { readonly Plan: Node }[];
    for (const { Plan } of plans) most = Math.max(most, lookedAt(Plan));
    statements += 1;
    return [];
  };
  const db = { query: explain, execute: async (one: Statement) => (await explain(one)).length };
  return { db: db as unknown as Database, seen: () => [most, statements] };
}

test('no loop passes over a workspace that has ended', async () => {
  const store = { db: base.db, keys: null, random: null } as never;
  const loops: Record<string, (db: Database) => Promise<unknown>> = {
    escrows: (db) => dueRows(db, escrowTable, 50),
    payouts: (db) => dueRows(db, payoutTable, 50),
    events: waitingWorkspaces,
    'blocks of the audit': (db) => new Sealer(store, db).pass(),
    'heads of the audit': (db) => new Sealer(store, db).heads(),
    'moved identities': (db) => movedIdentities(db, 50),
    'checks without a job': sweepChecks,
    'exchanges without a job': sweep,
    'a tenant by its id': (db) => findWorkspace(db, integrator),
  };
  for (const [name, loop] of Object.entries(loops)) {
    const { db, seen } = explainer();
    await loop(db);
    const [most, statements] = seen();
    assert.ok(statements > 0, name);
    assert.ok(most <= 2 * LIVE, `${name} looked at ${most} workspaces`);
  }
});

test('the tenant is its main workspace, whatever copies it has', async () => {
  assert.equal(await findWorkspace(base.db, integrator), main);
});
