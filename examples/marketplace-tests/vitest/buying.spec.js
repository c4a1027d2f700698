// The same marketplace in Vitest.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPlatform } from 'holdfast/testing';
import { Marketplace } from '../src/marketplace.js';
import { balanceOf, mug } from '../src/order.js';

let platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.stop());

test('the seller has the money less our share once the parcel has arrived', async () => {
  const workspace = await platform.newWorld();
  const market = new Marketplace(workspace.urls, workspace.credentials);
  const hooks = await workspace.webhooks();
  const order = await market.buy(mug(workspace.accounts));
  market.take(await hooks.next('escrow-transaction-update'));
  await market.delivered(order);
  market.take(await hooks.next('escrow-transaction-update'));
  expect(market.stateOf(order)).toBe('done');
  expect(await balanceOf(workspace, workspace.accounts.seller.wallet_id)).toBe(2_250);
  await hooks.close();
});
