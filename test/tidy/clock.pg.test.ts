// Every database column with an expiry or due time is in the sandbox documentation's table of
// times, which says by which clock it runs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { testDatabase } from '../kit/database.ts';

const LEASES = ['leased_until', 'clock_leased_until'];
const DEADLINES = ['due', 'expires', 'until', 'previous_until', ...LEASES];

test('each deadline of the database is in the table of times', async () => {
  const base = await testDatabase();
  try {
    const columns = await base.db.query<{ name: string }>({
      text: `select table_name || '.' || column_name as name from information_schema.columns
        where table_schema = 'public' and data_type = 'timestamp with time zone'
          and column_name = any($1) order by 1`,
      values: [DEADLINES],
    });
    const text = readFileSync(new URL('../../docs/sandbox.md', import.meta.url), 'utf8');
    const missing = columns.filter(({ name }) => !text.includes(`\`${name}\``));
    assert.ok(columns.length > 20, 'the columns were found');
    assert.deepEqual(missing.map(({ name }) => name), []);
  } finally {
    await base.drop();
  }
});
