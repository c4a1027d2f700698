// The holding limit of an escrow by its workspace's clock: a warning, then the money goes back;
// nothing early, nothing twice. [G-42]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startPlatform, type Platform } from '../api/kit.ts';
import { Market, pause } from '../api/market.ts';
import type { Escrow, Event } from '../api/records.ts';

const DAY = 86_400;
const LIMIT_DAYS = 90;
const WARNING_DAYS = 7;

let platform: Platform;
let market: Market;
before(async () => {
  platform = await startPlatform();
  market = new Market(platform.api);
});
after(() => platform?.stop());

const move = (id: string, name: string): Promise<Escrow> =>
  platform.api.must(200, 'invoicing', 'POST', `/v2/escrow/${id}/${name}`);
const read = (id: string): Promise<Escrow> =>
  platform.api.must(200, 'invoicing', 'GET', `/v2/escrow/${id}`);

async function paid(): Promise<Escrow> {
  const body = market.sale(700);
  const made = await platform.api.must<Escrow>(201, 'invoicing', 'POST', '/v2/escrow', { body });
  return move(made.id, 'pay');
}

/** Sets the sandbox's clock so many seconds ahead of the database's. */
async function ahead(seconds: number): Promise<void> {
  await platform.db.execute({
    text: `update workspace set clock_offset = make_interval(secs => $1)
      where workspace = (select min(workspace) from workspace)`,
    values: [seconds],
  });
}

function ofEscrow(id: string) {
  return (event: Event): boolean => event.message['id'] === id;
}

test('the clock warns a week before the limit and then cancels, each once', async () => {
  const { buyer } = platform.ready.accounts;
  const before = await market.balance(buyer.account_id);
  const { id } = await paid();
  const committed = await paid();
  await move(committed.id, 'commit');
  await ahead((LIMIT_DAYS - WARNING_DAYS) * DAY - 60);
  await pause(1_500);
  assert.deepEqual((await market.events(0, 1, ofEscrow(id))).length, 1, 'nothing before its time');
  await ahead((LIMIT_DAYS - WARNING_DAYS) * DAY + 60);
  const warned = await market.events(0, 2, ofEscrow(id));
  assert.equal(warned[1]?.event_name, 'escrow-expiring');
  assert.equal(warned[1]?.message['status'], 'ESCROWED');
  await pause(1_500);
  assert.equal((await read(id)).status, 'ESCROWED', 'the warning ends nothing');
  await ahead(LIMIT_DAYS * DAY + 180);
  const ended = await market.events(0, 3, ofEscrow(id));
  assert.equal(ended.length, 3);
  assert.equal(ended[2]?.event_name, 'escrow-transaction-update');
  assert.deepEqual(ended[2]?.message, await read(id));
  assert.equal((await read(id)).status, 'CANCELLED');
  assert.equal(await market.balance(buyer.account_id), before - 700, 'one of two came back');
  assert.equal((await read(committed.id)).status, 'COMMITTED');
  const steps = await platform.db.query<{ actor: string }>(
    `select actor from history where machine = 'escrow' and event = 'expire'`,
  );
  assert.deepEqual(steps, [{ actor: 'system' }]);
  await ahead(0);
});

test('after a warning the caller still decides', async () => {
  const { id } = await paid();
  await ahead((LIMIT_DAYS - WARNING_DAYS) * DAY + 60);
  await market.events(0, 2, ofEscrow(id));
  assert.equal((await move(id, 'commit')).status, 'COMMITTED');
  await ahead(LIMIT_DAYS * DAY + 180);
  await pause(1_500);
  assert.equal((await read(id)).status, 'COMMITTED');
});
