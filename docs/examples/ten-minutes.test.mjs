// The same bad days as a test of your own: the package, this file, and `node --test`. The platform
// is the real one; each test could have a workspace of its own.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startPlatform } from 'holdfast/testing';

let platform;
let world;
before(async () => {
  platform = await startPlatform();
  world = await platform.newWorld();
});
after(() => platform.stop());

const walletHas = async ({ wallet_id }) =>
  (await world.client.wallets.getWallet({ wallet_id })).current_balance;

const mug = (method) => ({
  account_id: world.accounts.buyer.account_id,
  reference_type: 'order',
  reference_id: '1',
  payment_methods: [{ payment_method_id: method }],
  line_items: [
    {
      amount: 2500,
      currency: 'USD',
      transaction_type: 'user_to_user',
      product_sku: 'MUG-1',
      recipients: [
        {
          amount: 2250,
          currency: 'USD',
          destination_wallet_id: world.accounts.seller.wallet_id,
          fee_amount: 250,
        },
      ],
    },
  ],
});

test('a payment whose outcome is unknown is charged once', async () => {
  const { buyer, seller } = world.accounts;
  const { id } = await world.client.invoicing.sandboxAttachCard({
    account_id: buyer.account_id,
    test_card: 'capture_timeout_after_effect',
  });
  const { invoice_id } = await world.client.invoicing.createInvoice(mug(id));
  assert.equal((await world.client.invoicing.payInvoice({ invoice_id })).state, 'processing');
  await world.clock.untilIdle();
  const { message } = await world.events.next('invoice-completed');
  assert.equal(message.state, 'success');
  assert.equal(await walletHas(seller), 2250);
});

test('a link is good for a day', async () => {
  const { account_id } = world.accounts.buyer;
  const { redirect } = await world.client.auth.authorizeUser({ account_id, flow: 'checkout' });
  assert.equal((await fetch(redirect)).status, 200);
  await world.clock.advance('1d');
  assert.equal((await fetch(redirect)).status, 410);
});

test('a denied person gets no payout, and a rollback undoes the denial', async () => {
  const { account_id, wallet_id } = world.accounts.seller;
  const kept = await world.snapshot('before the denial');
  await world.client.pii.setAccountKYCState({ account_id, state: 'DENY' });
  const bank = { account_id, test_card: 'bank' };
  const payout = async () => {
    const { id } = await world.client.invoicing.sandboxAttachCard(bank);
    const methods = await world.client.payments.listPaymentMethods({ account_id });
    const wallet = methods.find((one) => one.provider_data.wallet_id === wallet_id);
    return world.client.invoicing.createPayout({
      account_id,
      source_payment_method_id: wallet.id,
      destination_payment_method_id: id,
      currency: 'USD',
      amount: 1000,
    });
  };
  await assert.rejects(payout(), { codes: ['PAYOUT_KYC_REQUIRED'] });
  await kept.rollBack();
  assert.equal((await payout()).status, 'ESCROW-TRANSFER-INITIATED');
});
