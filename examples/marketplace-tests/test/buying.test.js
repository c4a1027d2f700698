// What happens to the money when somebody buys. Each test has a workspace of its own, so that they
// run side by side and in any order.
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

test('the money of an order is held, and the seller has nothing yet', async () => {
  const workspace = await platform.newWorld({ name: 'held' });
  const market = new Marketplace(workspace.urls, workspace.credentials);
  const order = await market.buy(mug(workspace.accounts));
  const { message } = await workspace.events.next('escrow-transaction-update', {
    where: (event) => event.message.status === 'ESCROWED',
  });
  assert.equal(message.id, order);
  assert.equal(await balanceOf(workspace, workspace.accounts.buyer.wallet_id), 97_500);
  assert.equal(await balanceOf(workspace, workspace.accounts.seller.wallet_id), 0);
});

test('a declined card holds nothing', async () => {
  const workspace = await platform.newWorld({ name: 'declined' });
  const market = new Marketplace(workspace.urls, workspace.credentials);
  const { buyer, seller } = workspace.accounts;
  await market.buy(mug(workspace.accounts, buyer.declined_card_payment_method_id));
  const { message } = await workspace.events.next('escrow-transaction-update');
  assert.equal(message.status, 'ESCROW-FAILED');
  assert.equal(await balanceOf(workspace, buyer.wallet_id), 100_000);
  assert.equal(await balanceOf(workspace, seller.wallet_id), 0);
});

test('what one workspace does is not seen in another', async () => {
  const [one, other] = await Promise.all([platform.newWorld(), platform.newWorld()]);
  const market = new Marketplace(one.urls, one.credentials);
  await market.buy(mug(one.accounts));
  assert.equal(await balanceOf(one, one.accounts.buyer.wallet_id), 97_500);
  assert.equal(await balanceOf(other, other.accounts.buyer.wallet_id), 100_000);
  assert.deepEqual(await other.events.list(), []);
});
