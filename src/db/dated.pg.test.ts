// `$now`: the database's time as a parameter, wherever a statement runs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../../test/kit/database.ts';

test('$now is the time of the database, read first and sent as the last parameter', async () => {
  const base = await testDatabase();
  try {
    const text = `select $1::int as given, $now as now, $now = $now as same,
      clock_timestamp() >= $now as past, clock_timestamp() - $now < interval '1 minute' as fresh`;
    const statement = { name: 'dated', text, values: [7] };
    const [alone, again] = [await base.db.query(statement), await base.db.query(statement)];
    const within = await base.db.transaction((tx) => tx.query(statement));
    for (const [row] of [alone, again, within] as object[][] as { now?: string }[][]) {
      const { now: _, ...rest } = row ?? {};
      assert.deepEqual(rest, { given: 7, same: true, past: true, fresh: true });
    }
    await base.db.execute('create table note (at timestamptz)');
    assert.equal(await base.db.execute('insert into note values ($now)'), 1);
    const failed = base.db.execute('insert into note values ($now, 1)');
    await assert.rejects(failed, /more expressions than target columns/);
    assert.equal(await base.db.execute('delete from note where at <= $now'), 1);
    const together = base.db.transaction((tx) => tx.together(() => tx.query('select $now')));
    await assert.rejects(together, /syntax error/);
  } finally {
    await base.drop();
  }
});
