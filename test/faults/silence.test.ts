// A database that is there but does not work: it falls silent on open connections, is full,
// read-only, or breaks the protocol. Callers get "not now", the process survives, and nothing is
// done twice. Limits are short here; `npm run prove faults` uses the real ones.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sqlState } from '../../src/db/index.ts';
import { proved, settled } from '../kit/books.ts';
import { startPlatform, type Platform } from '../kit/platform.ts';
import { openWire, type Wire } from '../kit/wire.ts';
import { checkTold, pause, Shop } from './shop.ts';

let platform: Platform;
let wire: Wire;
before(async () => {
  const by = async (url: string): Promise<Wire> => (wire = await openWire(url));
  platform = await startPlatform({ by, settings: { HOLDFAST_STATEMENT_MS: '1000' } });
});
after(() => platform?.stop());

const ready = async (): Promise<number> =>
  (await fetch(`${platform.ready.urls.internal}/readyz`)).status;

async function untilReady(status: number, withinMs: number): Promise<void> {
  const end = performance.now() + withinMs;
  while ((await ready()) !== status) {
    assert.ok(performance.now() < end, `/readyz is not ${status} after ${withinMs} ms`);
    await pause(50);
  }
}

const sold = async (): Promise<number> => {
  await settled(platform.db, 10_000);
  const rows = await platform.db.query<{ count: bigint }>(
    `select count(*) from invoice where state = 'success'`,
  );
  return Number(rows[0]?.count);
};

test('open connections fall silent: callers are told, and soon served again', async () => {
  const shop = new Shop(platform.api, 'silent');
  const before = await sold();
  shop.begin(3);
  await pause(300);
  const silentAt = shop.now;
  wire.silence();
  await shop.untilSold(8_000);
  await untilReady(200, 5_000);
  await shop.end();
  checkTold(shop, 8_000);
  // Told to come again, or served late by the connections that came in their place.
  const waited = shop.told.filter(
    ({ at, took, status }) => at + took > silentAt && (status === 503 || took > 1_000),
  );
  assert.ok(waited.some(({ what }) => !what.startsWith('/')), 'somebody had to wait');
  assert.ok(shop.of('/readyz', silentAt).some(({ status }) => status === 503), 'it was not ready');
  const keys = await shop.paidInTheEnd();
  assert.equal((await sold()) - before, keys + 1, 'each sale once');
  await proved(platform.db);
});

test('rows locked by a stalled transaction are freed; its sale is made once', async () => {
  const { api, db } = platform;
  const before = await sold();
  const { wallet_id, wallet_payment_method_id } = api.ready.accounts.buyer;
  const id = await api.created(api.sale(1, [{ payment_method_id: wallet_payment_method_id }]));
  const held = wire.hold('\0commit\0');
  const first = api.pay(id, 'held');
  const { letGo } = await held;
  const text = 'select from balance where id = $1 for update nowait';
  const lock = { text, values: [wallet_id] };
  await assert.rejects(db.query(lock), (error) => sqlState(error) === '55P03');
  await pause(1_500);
  assert.equal((await db.query(lock)).length, 1, 'the database ended it');
  assert.equal((await first).status, 503);
  letGo();
  assert.equal((await api.pay(id, 'held')).status, 200);
  assert.equal((await sold()) - before, 1);
  await proved(db);
});

test('unexpected bytes cost one connection; the next call is served', async () => {
  const shop = new Shop(platform.api, 'nonsense');
  const row = Buffer.from([0x44, 0, 0, 0, 0x0b, 0, 1, 0, 0, 0, 1, 0x37]);
  // In a reading of the engine, in a batch, at its end, and in a query of the driver's own.
  for (const text of ['read:idempotency', '\0stamp\0', '\0commit\0', 'oauth_clock']) {
    let lied = false;
    void wire.lie(text, row).then(() => (lied = true));
    const end = shop.now + 8_000;
    while (!lied) {
      assert.ok(shop.now < end, `nothing asks for ${text}`);
      const told = await shop.sell();
      assert.ok(told.status === 200 || told.status === 503, `${text}: ${told.status} ${told.code}`);
    }
    await shop.sell();
  }
  await shop.paidInTheEnd();
  checkTold(shop, 8_000);
  await proved(platform.db);
});

test('a full disk or read-only database: calls refused, not ready for a while', async () => {
  const shop = new Shop(platform.api, 'full');
  await platform.db.execute(`create function no_room() returns trigger language plpgsql as $$
    begin raise exception 'no room' using errcode = '53100'; end $$;
    create trigger no_room before insert on invoice for each row execute function no_room()`);
  await untilReady(200, 5_000);
  const told = [await shop.sell(), await shop.sell(), await shop.sell()];
  for (const { status, code, retryAfter } of told) {
    assert.deepEqual([status, code, retryAfter], [503, 'DATABASE_UNAVAILABLE', '1']);
  }
  assert.equal(await ready(), 503);
  await platform.db.execute('drop function no_room cascade');
  assert.equal((await shop.sell()).status, 200, 'who asks nevertheless is served');

  const database = new URL(wire.url).pathname.slice(1);
  await platform.db.execute(`alter database ${database} set default_transaction_read_only = on`);
  // The setting holds for sessions that begin now.
  await platform.db.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name like 'holdfast %'`);
  await untilReady(503, 5_000);
  const refused = await shop.sell();
  assert.deepEqual([refused.status, refused.code], [503, 'DATABASE_UNAVAILABLE']);
});
