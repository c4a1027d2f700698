// Broken connections are recognised: during a statement, and between two statements of a
// transaction, where the driver words the error differently. Other errors are not mistaken for
// them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { testDatabase } from '../../test/kit/database.ts';
import { Database, isUnreachable } from './index.ts';

test('a server process that goes away between two statements is unreachable', async () => {
  const base = await testDatabase();
  try {
    const broken = base.db.transaction(async (tx) => {
      const rows = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
      await base.pool(1).query({
        text: 'select pg_terminate_backend($1)',
        values: [rows[0]?.pid ?? 0],
      });
      await delay(100);
      await tx.query('select 1');
    });
    await assert.rejects(broken, isUnreachable);
    assert.equal((await base.db.query('select 1')).length, 1, 'the next one is served');
  } finally {
    await base.drop();
  }
});

test('so is one during a statement; a wrong statement is not', async () => {
  const base = await testDatabase();
  try {
    const broken = base.db.query('select pg_terminate_backend(pg_backend_pid())');
    await assert.rejects(broken, isUnreachable);
    await assert.rejects(base.db.query('select 1 / 0'), (error) => !isUnreachable(error));
  } finally {
    await base.drop();
  }
});

test('a transaction that takes too long is ended, where the server knows a limit', async () => {
  const base = await testDatabase();
  const [server] = await base.db.query<{ version: number }>(
    "select current_setting('server_version_num')::int as version",
  );
  const pool = new Database({ url: base.url, max: 1, transactionMs: 150 });
  try {
    const long = pool.transaction(async (tx) => {
      for (let n = 0; n < 4; n += 1) await tx.query('select pg_sleep(0.1)');
    });
    if ((server?.version ?? 0) < 170_000) await long;
    else await assert.rejects(long, isUnreachable);
    assert.equal((await pool.query('select 1')).length, 1);
  } finally {
    await pool.close();
    await base.drop();
  }
});
