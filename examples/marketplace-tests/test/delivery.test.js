// What happens when the parcel arrives, or does not for months: signed events, time that passes at
// once, and a state that is saved and restored.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startPlatform } from 'holdfast/testing';
import { Marketplace } from '../src/marketplace.js';
import { balanceOf, mug } from '../src/order.js';

let platform;
before(async () => {
  platform = await startPlatform();
});
after(() => platform.stop());

test('the seller has the money less our share once the parcel has arrived', async () => {
  const workspace = await platform.newWorld({ name: 'arrived' });
  const market = new Marketplace(workspace.urls, workspace.credentials);
  // A real receiver in this process: what comes here was signed by the platform.
  const hooks = await workspace.webhooks({ events: ['escrow-transaction-update'] });
  const order = await market.buy(mug(workspace.accounts));
  market.take(await hooks.next('escrow-transaction-update'));
  assert.equal(market.stateOf(order), 'paid');

  await market.delivered(order);
  market.take(await hooks.next('escrow-transaction-update'));
  assert.equal(market.stateOf(order), 'done');
  assert.equal(await balanceOf(workspace, workspace.accounts.seller.wallet_id), 2_250);
  await hooks.close();
});

test('an order that never arrives goes back to the buyer after the holding limit', async () => {
  const workspace = await platform.newWorld({ name: 'never' });
  const market = new Marketplace(workspace.urls, workspace.credentials);
  const order = await market.buy(mug(workspace.accounts));
  market.take(await workspace.events.next('escrow-transaction-update'));
  assert.equal(market.stateOf(order), 'paid');

  await workspace.clock.advance('91d');
  market.take(await workspace.events.next('escrow-transaction-update'));
  assert.equal(market.stateOf(order), 'refunded');
  assert.equal(await balanceOf(workspace, workspace.accounts.buyer.wallet_id), 100_000);
});

test('two ends are tried from one and the same beginning', async () => {
  const workspace = await platform.newWorld({ name: 'two ends' });
  const market = new Marketplace(workspace.urls, workspace.credentials);
  const order = await market.buy(mug(workspace.accounts));
  await workspace.events.next('escrow-transaction-update');
  const paid = await workspace.snapshot('paid');

  await market.delivered(order);
  assert.equal(await balanceOf(workspace, workspace.accounts.seller.wallet_id), 2_250);

  await paid.rollBack();
  assert.equal(await balanceOf(workspace, workspace.accounts.seller.wallet_id), 0);
  await workspace.client.invoicing.cancelEscrow({ escrow_id: order });
  assert.equal(await balanceOf(workspace, workspace.accounts.buyer.wallet_id), 100_000);
});
