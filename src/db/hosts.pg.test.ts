// A DATABASE_URL with several hosts: the one that takes commits is found, whatever its place; a
// wrong password is told as such. Standbys are in the battery `available` of `npm run prove`.
import assert from 'node:assert/strict';
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
