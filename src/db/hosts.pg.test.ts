// A DATABASE_URL with several hosts: the one that takes commits is found, whatever its place; a
// wrong password is told as such. Standbys are in the battery `available` of `npm run prove`.
import assert from 'node:assert/strict';
import { createServer, type AddressInfo } from 'node:net';
import { test } from 'node:test';
import { testDatabase } from '../../test/kit/database.ts';
import { Database, hostsOf, isUnreachable } from './index.ts';

test('a URL of several hosts is one URL for each', () => {
  assert.deepEqual(hostsOf('postgres://u:p@a:5432,b:5433/shop?sslmode=require'), [
    'postgres://u:p@a:5432/shop?sslmode=require',
    'postgres://u:p@b:5433/shop?sslmode=require',
  ]);
  assert.deepEqual(hostsOf('postgresql://a,b'), ['postgresql://a', 'postgresql://b']);
  for (const one of ['postgres://u:p@a:5432/shop', 'postgres:///shop', '/run/postgresql shop']) {
    assert.deepEqual(hostsOf(one), [one]);
  }
});

test('the host that takes commits is found; else the reason is told', async () => {
  const base = await testDatabase();
  const { host, username, password } = new URL(base.url);
  const ask = async (url: string): Promise<unknown[]> => {
    const db = new Database({ url, max: 3, primary: true });
    const all = Promise.all([1, 2, 3].map((n) => db.query(`select ${n} as n`)));
    return all.finally(() => db.close());
  };
  const among = (hosts: string): string => base.url.replace(host, hosts);
  try {
    assert.deepEqual(await ask(among(`127.0.0.1:1,${host},127.0.0.1:2`)), [
      ...[[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]],
    ]);
    await assert.rejects(ask(among('127.0.0.1:1,127.0.0.1:2')), isUnreachable);
    const guess = among(`127.0.0.1:1,${host}`).replace(`${username}:${password}`, 'nobody:guess');
    await assert.rejects(ask(guess), /password authentication failed/);
  } finally {
    await base.drop();
  }
});

test('hosts are asked once for all that connect soon after, also while none leads', async () => {
  const base = await testDatabase();
  let calls = 0;
  const other = createServer((socket) => {
    calls += 1;
    socket.destroy();
  });
  await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
  const { host } = new URL(base.url);
  const { port } = other.address() as AddressInfo;
  const connect = async (hosts: string): Promise<void> => {
    const db = new Database({ url: base.url.replace(host, hosts), max: 1, primary: true });
    await db.query('select 1').finally(() => db.close());
  };
  try {
    const asking = performance.now();
    for (let n = 0; n < 4; n += 1) await connect(`127.0.0.1:${port},${host}`);
    const most = 1 + Math.floor((performance.now() - asking) / 500);
    assert.ok(calls >= 1 && calls <= most, `${calls} of ${most}`);
    calls = 0;
    const alone = (): Promise<void> => connect(`127.0.0.1:${port},127.0.0.1:1`);
    const began = performance.now();
    await Promise.all([1, 2, 3].map(() => assert.rejects(alone(), isUnreachable)));
    await assert.rejects(alone(), isUnreachable);
    assert.equal(calls, 2);
    assert.ok(performance.now() - began > 350, 'asked again at once');
  } finally {
    other.close();
    await base.drop();
  }
});

test('settings hold on each connection, and every commit is durable', async () => {
  const base = await testDatabase();
  try {
    const [row] = await base.pool(1, { work_mem: '64kB' }).query(`select
      current_setting('work_mem') as mem, current_setting('synchronous_commit') as durable`);
    assert.deepEqual(row, { mem: '64kB', durable: 'on' });
  } finally {
    await base.drop();
  }
});
