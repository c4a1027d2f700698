// Room for connections as server, database and role leave it, and the sentences about it. Poolers
// are in the battery `available` of `npm run prove`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../../test/kit/database.ts';
import { BEATING, crowded, Database, isSynchronous, roomOf } from './index.ts';

test('nodes that run are counted together, one alone for itself', () => {
  assert.equal(crowded({ connections: 81, nodes: 3 }, 27), null);
  assert.match(crowded({ connections: 80, nodes: 3 }, 27) ?? '', /^3 nodes open up to 81 connect/);
  assert.match(crowded({ connections: 26, nodes: 0 }, 27) ?? '', /^A node opens up to 27 connect/);
});

test('the least of what server, database and role leave', async () => {
  const base = await testDatabase();
  const role = `cramped_${new URL(base.url).pathname.slice(1)}`;
  const database = new URL(base.url).pathname.slice(1);
  const beating = new Database({ ...BEATING, url: base.url });
  try {
    const before = await roomOf(base.db);
    const [server] = await base.db.query<{ all: number }>(
      "select current_setting('max_connections')::int as all",
    );
    assert.ok(before.connections > 0 && before.connections < (server?.all ?? 0));
    await beating.query('select');
    assert.deepEqual(await roomOf(base.db), { ...before, nodes: before.nodes + 1 });
    await base.db.execute(`alter database ${database} connection limit 40`);
    assert.equal((await roomOf(base.db)).connections, 40);
    await base.db.execute(`create role ${role} login password 'cramped' connection limit 7`);
    const url = base.url.replace(/\/\/[^@]+@/, `//${role}:cramped@`);
    const cramped = new Database({ url, max: 1 });
    const { connections } = await roomOf(cramped).finally(() => cramped.close());
    assert.equal(connections, 7);
    assert.equal(await isSynchronous(base.db), false);
  } finally {
    await beating.close();
    await base.db.execute(`drop role if exists ${role}`);
    await base.drop();
  }
});
