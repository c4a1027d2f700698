// Query plans of the audit, made while the tables are empty and kept: each row by its whole key. A
// plan by workspace alone read all its events for each one and took a core of a busy installation.
// [architecture rule 16]
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventDigests, lineDigests } from '../../src/product/tell/audit/canonical.ts';
import { ENGINE_SETTINGS } from '../../src/engine/index.ts';
import { testDatabase } from '../kit/database.ts';

const READS = [
  ['events', 'int4, int8, int8', eventDigests('$1', '$2', '$3'), '1, 1, 1000', ['sequence']],
  ['lines', 'int4, int8', lineDigests('$1', '$2'), '1, 1', ['resource_id', 'id']],
] as const;

for (const [what, types, text, values, keys] of READS) {
  test(`${what} are looked up by their keys, also on tables without statistics`, async () => {
    const base = await testDatabase();
    try {
      const plan = await base.db.transaction(async (tx) => {
        for (const [name, value] of Object.entries(ENGINE_SETTINGS)) {
          await tx.execute(`set local ${name} = '${value}'`);
        }
        await tx.execute(`prepare digests (${types}) as select ${text}`);
        const lines = await tx.query<{ 'QUERY PLAN': string }>(
          `explain execute digests (${values})`,
        );
        return lines.map((line) => line['QUERY PLAN']).join('\n');
      });
      for (const key of keys) assert.match(plan, new RegExp(`Index Cond: .*\\b${key} = `), plan);
      assert.doesNotMatch(plan, /Join Filter|Materialize|Seq Scan/, plan);
    } finally {
      await base.drop();
    }
  });
}
