// What a start says of its database: that no standby has its commits, and that its connections do
// not fit. With a standby it says nothing: test/prove/standby.test.ts.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { productionDatabase, type TestDatabase } from '../kit/database.ts';
import { startNode } from '../kit/platform.ts';
import { endAll, remove, temporaryFolder, terminate, type Launched } from './launch.ts';

/** Enough for a node with the default settings, which opens up to 27, and not for two. */
const ROOM = 30;
const ALONE =
  'holdfast: Nothing is synchronous: if the host of the database is lost, so are the last ' +
  'payments that were acknowledged. See docs/high-availability.md.';
const LOWER = 'raise max_connections, or lower HOLDFAST_ENGINE_CONNECTIONS and its like.';

const folder = temporaryFolder();
let base: TestDatabase;
let role: string;
before(async () => {
  base = await productionDatabase();
  const name = new URL(base.url).pathname.slice(1);
  role = `cramped_${name}`;
  await base.db.execute(`alter database ${name} connection limit ${ROOM}`);
  await base.db.execute(`create role ${role} login password 'cramped' connection limit 7`);
});
after(async () => {
  endAll();
  await base?.db.execute(`drop role if exists ${role}`);
  await base?.drop();
  remove(folder);
});

function start(url: string, env: string): Promise<Launched> {
  const place = { HOLDFAST_DATA_DIR: folder, HOLDFAST_KEY_FILE: join(folder, 'keys.json') };
  return startNode({ DATABASE_URL: url, HOLDFAST_ENV: env, ...place });
}

test('production says that nothing is synchronous, and that two nodes are too many', async () => {
  const first = await start(base.served, 'production');
  await first.ready();
  assert.ok(first.stderr().split('\n').includes(ALONE), first.stderr());
  assert.doesNotMatch(first.stderr(), /connections and the database has/);
  const second = await start(base.served, 'production');
  await second.ready();
  const all = `2 nodes open up to 54 connections and the database has ${ROOM} for them`;
  const crowd = `holdfast: ${all}: ${LOWER}`;
  assert.ok(second.stderr().split('\n').includes(crowd), second.stderr());
  for (const node of [first, second]) assert.equal(await terminate(node), 0, node.stderr());
});

test('production does not start where a single node has no room', async () => {
  const cramped = base.url.replace(/\/\/[^@]+@/, `//${role}:cramped@`);
  const node = await start(cramped, 'production');
  assert.equal(await node.ended, 1);
  const sentence = 'A node opens up to 27 connections and the database has 7 for them';
  assert.equal(node.stderr(), `holdfast: ${sentence}: ${LOWER}\n`);
});
