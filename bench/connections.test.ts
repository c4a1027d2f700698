// The table by the number of connections, and the second yardstick: a ledger that loses no money.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../src/db/embedded/test-server.ts';
import { Database } from '../src/db/index.ts';
import { connectionRows, rowFigures } from './connections.ts';
import { Figures } from './figures.ts';
import { Histogram } from './histogram.ts';
import type { Load } from './load.ts';
import { PEERS_SCHEMA } from './pgbench.ts';

function loadOf(micros: number, purchases: number, idle: number): Load {
  const calls = new Histogram();
  for (let call = 0; call < purchases; call += 1) calls.record(micros);
  return {
    ...{ elapsedMs: 1000, requests: 2 * purchases, purchases, paidInAll: purchases },
    ...{ perSecond: [], failures: {}, failureTexts: [], lastInvoices: [], cpuMicros: 0 },
    latency: { create: calls.buckets(), pay: calls.buckets() },
    cores: { thread: 0.5, helpers: 0.2, others: 0.1, database: 0.6, generator: 0.1, idle },
    ...{ memory: 0, window: [0, 0] },
  };
}

test('a row has the CPU of an invoice by part and the percentiles of all of its windows', () => {
  const row = rowFigures([loadOf(1000, 900, 0.4), loadOf(9000, 100, 0.6)], 2);
  assert.deepEqual(
    ['thread', 'helpers', 'others', 'database', 'generator', 'idle'].map((part) => row[part]),
    [1000, 400, 200, 1200, 200, 25],
  );
  const { p50 = 0, p99 = 0 } = row;
  assert.ok(p50 >= 1 && p50 < 1.01 && p99 >= 9 && p99 < 9.1, `${p50} and ${p99}`);
});

test('the table has a row for each number, of medians, and no column of what was not asked', () => {
  const figures = new Figures();
  assert.equal(connectionRows(figures).length, 1, 'a run without the load has no rows');
  for (const [count, rate] of [[128, 3000], [64, 2000], [64, 2200], [64, 9000]] as const) {
    figures.add(`at.${count}.rate`, rate);
    figures.add(`at.${count}.pgbench.ratio`, rate / 5000);
  }
  assert.deepEqual(connectionRows(figures), [
    ['connections', 'invoices/s', 'ratio'],
    ['64', '2200', '0.440'],
    ['128', '3000', '0.600'],
  ]);
  figures.add('at.128.peers.ratio', 1.5);
  assert.deepEqual(
    connectionRows(figures).map((row) => row.slice(3)),
    [['ratio to it'], [''], ['1.500']],
  );
});

test('the ledger in the database books both sides and lets no account overdraw', async (t) => {
  const server = await startTestServer(null);
  const db = new Database({ url: server.url, max: 2 });
  t.after(async () => {
    await db.close();
    await server.stop();
  });
  await db.query(PEERS_SCHEMA);
  await Promise.all([1, 2, 3].map(() => db.query('select make_transfer(7, 207, 200)')));
  await db.query('select make_transfer(207, 8, 500)');
  await assert.rejects(db.query('select make_transfer(207, 8, 101)'), /account 207 has less than/);
  const entries = `select account || ' ' || version || ': ' || balance_before || ' ' || amount
    as entry from entry where account = 207 order by version`;
  assert.deepEqual(
    (await db.query<{ entry: string }>(entries)).map(({ entry }) => entry),
    ['207 1: 0 200', '207 2: 200 200', '207 3: 400 200', '207 4: 600 -500'],
  );
  const [sums] = await db.query(`select (select sum(balance)::text from account) as stored,
    (select sum(amount)::text from entry) as moved, (select count(*)::int from transfer) as made`);
  assert.deepEqual(sums, { stored: String(200 * 50_000_000_000), moved: '0', made: 4 });
});
