// Alerts of the integrator's wallet: each fall below a threshold is told once, with what the wallet
// holds then, whatever lifted it before; copies of a world go on from what was told. [G-61]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { walletBalanceAlert } from '../../src/domain/wallet/events.ts';
import { startPlatform } from './kit.ts';
import type { Body } from './market.ts';
import type { Event } from './records.ts';
import { RefundScene } from './refund-scene.ts';

let scene: RefundScene;
/** The integrator's, in USD. */
let wallet_id = '';
before(async () => {
  scene = new RefundScene(await startPlatform());
  const { subitems } = await scene.sold([10]);
  wallet_id = Object.values(subitems)[0]?.source_wallet_id ?? '';
});
after(() => scene?.platform.stop());

async function warned(...wallet_alerts: readonly Body[]): Promise<void> {
  const { api } = scene.platform;
  await api.must(200, 'invoicing', 'PATCH', '/v1/settings', { json: { wallet_alerts } });
}

/** Takes that much from the integrator's wallet. */
async function take(amount: number): Promise<void> {
  const refund = await scene.refund((await scene.sold([amount])).invoice_id);
  await scene.until(refund.refund_id, 'REFUND-SUCCESS');
}

function isAlert({ event_name }: Event): boolean {
  return event_name === 'wallet-balance-alert';
}

let heard = 0;
/** What was told since the last time, once the stream is quiet: balance, warning, critical. */
async function told(): Promise<unknown[]> {
  await scene.market.lastSequence();
  const all = await scene.market.events(0, 0, isAlert);
  const news = all.slice(heard);
  heard = all.length;
  return news.map(({ message }) => {
    walletBalanceAlert.message.parse(message);
    const { balance, warning, critical, ...rest } = message;
    assert.deepEqual(rest, { wallet_id, description: 'USD wallet' });
    return [balance, warning, critical];
  });
}

test('without a threshold nothing is told', async () => {
  await scene.fund(110);
  await take(10);
  assert.deepEqual(await told(), []);
});

test('a fall is told once, by the debit that passes the threshold', async () => {
  await warned({ currency: 'USD', warning: 80, critical: 30 });
  await take(20);
  assert.deepEqual(await told(), [], 'at the threshold');
  await take(10);
  assert.deepEqual(await told(), [[70, true, false]]);
  await take(10);
  assert.deepEqual(await told(), [], 'still below');
  await take(40);
  assert.deepEqual(await told(), [[20, true, true]]);
  await take(5);
  assert.deepEqual(await told(), []);
});

test('up and down again is told again; both thresholds at once in one event', async () => {
  await scene.fund(105);
  assert.deepEqual(await told(), [], 'a rise is no news');
  await take(100);
  assert.deepEqual(await told(), [[20, true, true]]);
  // A share of a sale lifts it, before it is folded into the balance too.
  await scene.sold([10], undefined, 70);
  await take(40);
  assert.deepEqual(await told(), [[50, true, false]]);
  assert.equal(await scene.market.walletBalance(wallet_id), 50);
});

test('a threshold set above the balance is no fall, and one taken back is silent', async () => {
  await warned({ currency: 'USD', warning: 60 });
  await take(5);
  assert.deepEqual(await told(), []);
  await warned({ currency: 'USD', warning: 0 });
  await take(5);
  await warned();
  await scene.fund(100);
  await take(100);
  assert.deepEqual(await told(), []);
});

test('a copy of a world has the thresholds, and goes on from what was told', async () => {
  const { api } = scene.platform;
  await warned({ currency: 'USD', warning: 40, critical: 10 });
  await take(5);
  assert.deepEqual(await told(), [[35, true, false]]);
  const post = <T>(status: number, path: string, json: Body): Promise<T> =>
    api.must<T>(status, 'invoicing', 'POST', path, { json });
  const { snapshot_id } = await post<{ snapshot_id: string }>(201, '/sandbox/snapshots', {});
  await scene.fund(50);
  await take(50);
  assert.deepEqual(await told(), [[35, true, false]]);
  await post(200, '/sandbox/rollback', { snapshot_id });
  heard -= 1;
  await take(5);
  assert.deepEqual(await told(), [], 'below since before');
  await scene.fund(50);
  await take(75);
  assert.deepEqual(await told(), [[5, true, true]]);
});
