// With real-life settings: a database that falls silent on open connections, one that is frozen for
// twenty seconds, and a process that is frozen while it holds rows. Service returns within thirty
// seconds, by another process within ten; every sale once; no caller sees a fault.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, test } from 'node:test';
import type { Database } from '../../src/db/index.ts';
import { Api, type Ready } from '../kit/api.ts';
import { proved, settled } from '../kit/books.ts';
import { testDatabase } from '../kit/database.ts';
import { dataFolder, faultsOf, startNode } from '../kit/platform.ts';
import { openWire } from '../kit/wire.ts';
import type { Launched } from '../start/launch.ts';
import { checkTold, pause, Shop } from '../faults/shop.ts';
import { Victim } from '../faults/victim.ts';

/** Nobody waits longer than the sandbox's queue timeout and the connection it met. */
const LONGEST_MS = 20_000;

const ends: (() => Promise<unknown>)[] = [];
after(async () => {
  while (ends.length > 0) await ends.pop()?.();
});

async function sold(db: Database): Promise<number> {
  await settled(db, 60_000);
  const rows = await db.query<{ count: bigint }>(
    `select count(*) from invoice where state = 'success'`,
  );
  return Number(rows[0]?.count);
}

/** A process on this database. */
async function node(databaseUrl: string, dataDir: string): Promise<[Api, Launched]> {
  const process = await startNode({ DATABASE_URL: databaseUrl, HOLDFAST_DATA_DIR: dataDir });
  ends.push(async () => {
    process.child.kill('SIGCONT');
    process.child.kill('SIGTERM');
    await process.ended;
  });
  return [await Api.open((await process.ready()) as unknown as Ready), process];
}

async function fresh(): Promise<{ url: string; db: Database; dataDir: string }> {
  const base = await testDatabase();
  const dataDir = dataFolder();
  ends.push(async () => {
    await base.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return { url: base.url, db: base.db, dataDir };
}

/** All that was sent is sold once, and all that was said is right. */
async function checkAll(shop: Shop, db: Database, before: number, more = 0): Promise<void> {
  checkTold(shop, LONGEST_MS);
  const keys = await shop.paidInTheEnd();
  assert.equal((await sold(db)) - before, keys + more, 'each sale once');
  await proved(db);
}

test('a database that falls silent: served again within 30 s', async (t) => {
  const { url, db, dataDir } = await fresh();
  const wire = await openWire(url);
  ends.push(() => wire.close());
  const [api] = await node(wire.url, dataDir);
  const shop = new Shop(api, 'silent');
  shop.begin(6);
  await pause(2_000);
  const silentAt = shop.now;
  wire.silence();
  const took = await shop.untilSold(30_000);
  await pause(5_000);
  await shop.end();
  t.diagnostic(`charges go on ${Math.round(took)} ms after the silence began`);
  const health = shop.of('/readyz', silentAt).map(({ status }) => status);
  assert.ok(health.includes(503) && health.at(-1) === 200, String(health));
  await checkAll(shop, db, 0, 1);
});

test('a database frozen for 20 s: waiting callers are told, then all continues', async (t) => {
  const victim = new Victim({});
  ends.push(() => victim.end());
  const shop = new Shop(await victim.start(), 'frozen');
  const db = victim.open();
  shop.begin(6);
  await pause(2_000);
  const frozenAt = shop.now;
  victim.signalDatabase('SIGSTOP');
  await pause(20_000);
  victim.signalDatabase('SIGCONT');
  const goesOnAt = shop.now;
  const took = await shop.untilSold(15_000);
  await pause(2_000);
  await shop.end();
  t.diagnostic(`charges go on ${Math.round(took)} ms after the database`);
  const meanwhile = shop.told.filter(({ at }) => at > frozenAt && at < goesOnAt);
  const refused = meanwhile.filter(({ what, status }) => !what.startsWith('/') && status === 503);
  assert.ok(refused.length > 6, 'who waited was told, more than once each');
  assert.ok(shop.of('/readyz', frozenAt).some(({ status }) => status === 503));
  assert.equal(shop.of('/readyz').at(-1)?.status, 200);
  await checkAll(shop, db, 0, 1);
  await db.close();
});

test('a process frozen in a transaction: another one sells within 10 s', async (t) => {
  const { url, db, dataDir } = await fresh();
  const wire = await openWire(url);
  ends.push(() => wire.close());
  const [frozen, process] = await node(wire.url, dataDir);
  const [healthy] = await node(url, dataDir);
  const one = new Shop(frozen, 'frozen');
  const other = new Shop(healthy, 'healthy');
  await one.untilSold(10_000);
  const { wallet_payment_method_id } = frozen.ready.accounts.buyer;
  const sale = frozen.sale(1, [{ payment_method_id: wallet_payment_method_id }]);
  const id = await frozen.created(sale);
  const held = wire.hold('\0commit\0');
  const caught = frozen.pay(id, 'caught');
  const { letGo } = await held;
  process.child.kill('SIGSTOP');
  const took = await other.untilSold(10_000);
  t.diagnostic(`charges of another process go on after ${Math.round(took)} ms`);
  const probe = (): Promise<Response> =>
    fetch(`${frozen.ready.urls.internal}/healthz`, { signal: AbortSignal.timeout(1_000) });
  await assert.rejects(probe(), { name: 'TimeoutError' }, 'a probe needs a limit');
  await pause(5_000);
  process.child.kill('SIGCONT');
  letGo();
  assert.equal((await probe()).status, 200);
  const { status } = await caught;
  assert.ok(status === 503 || status === 200, String(status));
  await one.untilSold(10_000);
  assert.equal((await frozen.pay(id, 'caught')).status, 200);
  const lost = faultsOf(process.stderr()).filter((line) => /queryable|Connection/.test(line));
  assert.deepEqual(lost, [], 'what lost its connection is begun again, and no fault');
  // Each until its first, and the one that was caught.
  await checkAll(one, db, 0, 3);
  await checkAll(other, db, 0, 3);
});
