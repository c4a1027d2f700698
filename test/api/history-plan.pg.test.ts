// Query plans of the transaction history, made on tables without statistics and kept: each search
// by the index of its account, each row by its key, nothing by workspace alone. Otherwise one
// person's page would cost as much as all the workspace's invoices. [architecture rule 16]
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Queryable } from '../../src/db/index.ts';
import { invoicesOf } from '../../src/product/money/history/invoices.ts';
import { transactionOf, transactionsOf } from '../../src/product/money/history/read.ts';
import { ENGINE_SETTINGS } from '../../src/engine/index.ts';
import { newUuid } from '../../src/core/ids.ts';
import { testDatabase } from '../kit/database.ts';

const ACCOUNT = newUuid();
const PAGE = { limit: 20, offset: 0, statuses: ['pending'] };
const ASKED = { states: null, kinds: ['', 'escrow'], recipient: true } as const;
const LIST = { limit: 20, offset: 0, sort: 'desc', ...ASKED } as const;

const READS: readonly (readonly [string, (db: Queryable) => Promise<unknown>])[] = [
  ['transactions', (db) => transactionsOf(db, 1, ACCOUNT, PAGE)],
  ['a transaction', (db) => transactionOf(db, 1, ACCOUNT, newUuid())],
  ['invoices by time', (db) => invoicesOf(db, 1, ACCOUNT, { ...LIST, field: 'created' })],
  ['invoices by change', (db) => invoicesOf(db, 1, ACCOUNT, { ...LIST, field: 'updated' })],
];

/** The workspace's own row. */
const MAY = /workspace_pkey on workspace\b/;

for (const [what, read] of READS) {
  test(`${what}: keyed look-ups only`, async () => {
    const base = await testDatabase();
    try {
      const db = base.pool(1, ENGINE_SETTINGS);
      const plans: string[] = [];
      const explained = {
        async query(statement: { text: string; values: readonly unknown[] }) {
          const { text, values } = statement;
          const lines = await db.query<{ 'QUERY PLAN': string }>({
            text: `explain ${text}`,
            values,
          });
          plans.push(lines.map((line) => line['QUERY PLAN']).join('\n'));
          return [];
        },
      };
      await read(explained as unknown as Queryable);
      const [plan = ''] = plans;
      assert.doesNotMatch(plan, /Seq Scan|Hash Join|Merge Join|Gather/, plan);
      const lines = plan.split('\n');
      for (const [at, line] of lines.entries()) {
        const worldly = /Index Cond: \(workspace = \S+\)$/.test(line);
        assert.ok(!worldly || MAY.test(lines[at - 1] ?? ''), `${line}\n${plan}`);
      }
    } finally {
      await base.drop();
    }
  });
}
