// Alerts of the integrator's wallet: each fall below a threshold is announced once, with the
// balance at that time, whatever raised it before; clones of a workspace continue from there.
// [G-61]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { messages } from '../../src/product/money/wallet/events.ts';
import { foldAllCredits } from '../../src/ledger/index.ts';
import { sealed } from '../kit/books.ts';
import { startPlatform } from '../api/kit.ts';
import type { Body } from '../api/market.ts';
import type { Event } from '../api/records.ts';
import { RefundScene } from '../api/refund-scene.ts';

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
  await api.must(200, 'invoicing', 'PATCH', '/v1/settings', { body: { wallet_alerts } });
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
/** Alerts since the last time, once all is sealed: balance, warning, critical. */
async function told(): Promise<unknown[]> {
  await sealed(scene.platform.db);
  const all = await scene.market.events(0, 0, isAlert);
  const news = all.slice(heard);
  heard = all.length;
  return news.map(({ message }) => {
    messages.walletBalanceAlert.parse(message);
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

test('a copy of a workspace has the thresholds, and goes on from what was told', async () => {
  const { api } = scene.platform;
  await warned({ currency: 'USD', warning: 40, critical: 10 });
  await take(5);
  assert.deepEqual(await told(), [[35, true, false]]);
  const post = <T>(status: number, path: string, body: Body): Promise<T> =>
    api.must<T>(status, 'invoicing', 'POST', path, { body });
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

test('what is not folded yet counts, before a debit and after it', async () => {
  const { db } = scene.platform;
  const [first, second] = [await scene.sold([20]), await scene.sold([30])];
  await warned({ currency: 'USD', warning: 100 });
  await scene.fund(55);
  await foldAllCredits(db);
  await scene.sold([10], undefined, 50);
  await scene.refund(first.invoice_id);
  assert.deepEqual(await told(), [[90, true, false]], 'from 110, of which 60 were folded');
  await scene.fund(30);
  await foldAllCredits(db);
  await scene.sold([10], undefined, 50);
  await scene.refund(second.invoice_id);
  assert.deepEqual(await told(), [], '140 are left');
  assert.equal(await scene.market.walletBalance(wallet_id), 140);
});

test('a commit that lowers and lifts a wallet is judged as a whole', async () => {
  const { db } = scene.platform;
  await foldAllCredits(db);
  await db.transaction(async (tx) => {
    await tx.execute({
      text: `update integrator_balance set amount = amount - 50 where id = $1
        and workspace = (select max(workspace) from integrator_balance where id = $1)`,
      values: [wallet_id],
    });
    await tx.execute({
      text: `insert into integrator_credit (workspace, account_id, amount)
        select max(workspace), id, 50 from integrator_balance where id = $1 group by id`,
      values: [wallet_id],
    });
  });
  assert.deepEqual(await told(), [], '90 at no moment that anybody sees');
  assert.equal(await scene.market.walletBalance(wallet_id), 140);
});

test('an alert can be asked about', async () => {
  const { api } = scene.platform;
  const event = (await scene.market.events(0, 1, isAlert)).at(-1);
  for (const id of [event?.event_id, wallet_id]) {
    const { timeline } = await api.must<{ timeline: readonly { kind: string }[] }>(
      ...([200, 'invoicing', 'GET', `/sandbox/explain/${id}`] as const),
    );
    assert.ok(timeline.some(({ kind }) => kind === 'event'), id);
  }
});
