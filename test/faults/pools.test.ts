// The limits the database has for each connection, so that it releases rows by itself whatever
// becomes of the process.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openPools } from '../../src/pools.ts';
import { testDatabase, type TestDatabase } from '../kit/database.ts';

let base: TestDatabase;
before(async () => (base = await testDatabase()));
after(() => base?.drop());

const NAMES = [
  'statement_timeout',
  'idle_in_transaction_session_timeout',
  'transaction_timeout',
  'tcp_keepalives_idle',
];

test('statements, idle transactions and whole transactions of a request have limits', async () => {
  const connections = { engine: 1, reads: 1, work: 1 };
  const limits = { connections, statementMs: 3_000, connectionMinutes: 0, patienceMs: 1_000 };
  const pools = openPools(base.url, limits);
  const { heartbeat, engine, discovery, reads, work, long } = pools;
  const text = `select current_setting(name) as value
    from unnest($1::text[]) with ordinality as one(name, place) order by place`;
  const asked = { text, values: [`{${NAMES.join(',')}}`] };
  const told = (db: typeof engine | typeof discovery): Promise<string[]> =>
    db.query<{ value: string }>(asked).then((rows) => rows.map(({ value }) => value));
  try {
    assert.deepEqual(await told(engine), ['3s', '3s', '6s', '10']);
    assert.deepEqual(await told(reads), ['3s', '3s', '6s', '10']);
    assert.deepEqual(await told(work), ['6s', '3s', '12s', '10']);
    assert.deepEqual(await told(discovery), ['3s', '3s', '0', '10'], 'it opens no transaction');
    assert.deepEqual(await told(long), ['30s', '0', '0', '10']);
  } finally {
    await Promise.all([heartbeat, engine, discovery, reads, work, long].map((one) => one.close()));
  }
});
