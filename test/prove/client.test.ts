// The client's Playwright steps on our own pages: in the widget's frame of an integrator's page,
// and on a hosted page.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createClient } from '../../client/index.ts';
import * as person from '../../client/playwright.ts';
import { credentialsOf } from '../client/kit.ts';
import { png } from '../kit/sample-files.ts';
import { openBench, type Bench } from '../browser/kit.ts';

let bench: Bench;
before(async () => {
  bench = await openBench();
});
after(() => bench.stop());

/** A link for a fresh account to pay 25.00. */
async function checkoutLink(username: string, mechanism: string): Promise<string> {
  const { ready, api } = bench.platform;
  const { account_id } = await api.register(username);
  const { seller } = ready.accounts;
  const holdfast = createClient(credentialsOf(ready));
  const { redirect } = await holdfast.invoicing.authorizeInvoice({
    account_id,
    is_escrow: false,
    invoice_mechanism: mechanism,
    line_items: [
      {
        amount: 2500,
        currency: 'USD',
        transaction_type: 'user_to_user',
        recipients: [{ amount: 2500, destination_wallet_id: seller.wallet_id }],
      },
    ],
  });
  return redirect;
}

test('a buyer in the widget agrees, adds a card, confirms at the bank and is done', async () => {
  const visitor = await bench.visitor();
  const redirect = await checkoutLink('in the widget', 'widget');
  await visitor.enterShop();
  await visitor.execute({ flow: 'checkout', redirect });
  const flow = person.widgetFrame(visitor.page, '#root');
  await person.agree(flow);
  await person.agree(flow);
  assert.equal(await person.screenOf(flow), 'summary');
  await person.addCard(flow, 'three_d_secure');
  await person.payWithCard(flow);
  await person.confirmChallenge(flow);
  await person.done(flow);
  const { state, trigger } = await visitor.hears('complete');
  assert.deepEqual([state, trigger], ['complete', 'done-button']);
});

test('a buyer on a hosted page pays with another card after the first was declined', async () => {
  const visitor = await bench.visitor();
  await visitor.page.goto(await checkoutLink('hosted', 'service_hosted'));
  await person.openLink(visitor.page);
  await person.agree(visitor.page);
  await person.addCard(visitor.page, { number: '4000 0000 0000 0002' });
  await person.payWithCard(visitor.page);
  assert.equal(await person.outcomeOf(visitor.page), 'failure');
  await person.hook(visitor.page, 'choose-again').click();
  await person.addCard(visitor.page);
  await person.payWithCard(visitor.page);
  await person.done(visitor.page);
  assert.equal(await person.screenOf(visitor.page), 'end');
});

test('a buyer with a balance selects the wallet, another one cancels', async () => {
  const visitor = await bench.visitor();
  const details = { transaction_amount: 500, currency: 'USD' };
  await visitor.begin({
    flow: 'payment-selection',
    redirect: await bench.link('payment-selection'),
    flowConfig: { transactionDetails: details },
  });
  const flow = person.widgetFrame(visitor.page);
  await person.agree(flow);
  await person.hook(flow, 'wallet-switch').check();
  await person.selectMethod(flow);
  const { paymentMethods } = await visitor.hears('complete');
  const { wallet_payment_method_id: id } = bench.platform.ready.accounts.buyer;
  assert.deepEqual(paymentMethods, [{ payment_method_id: id, amount: 0 }]);
  await visitor.begin({ flow: 'purchase', redirect: await bench.link('purchase') });
  await person.agree(person.widgetFrame(visitor.page));
  await person.cancel(person.widgetFrame(visitor.page));
  assert.equal((await visitor.hears('complete'))['state'], 'cancel');
});

test('a person fills the identity form in, is accepted and goes on', async () => {
  const picture = { name: 'card.png', mimeType: 'image/png', buffer: Buffer.from(png(600, 400)) };
  for (const last of ['Specimen-Accepted', 'Specimen-Review']) {
    const { account_id } = await bench.platform.api.register(`identity of ${last}`);
    const visitor = await bench.visitor({ phone: true });
    await visitor.begin({ flow: 'kyc', redirect: await bench.link('kyc', { account_id }) });
    const flow = person.widgetFrame(visitor.page);
    await person.agree(flow);
    const outcome = await person.completeKyc(flow, { last, picture });
    const accepted = last === 'Specimen-Accepted';
    assert.equal(outcome, accepted ? 'accepted' : 'review-wait');
    await person.hook(flow, accepted ? 'continue' : 'done').click();
    const { result } = await visitor.hears('complete');
    assert.equal(result, accepted ? 'ACCEPT' : 'MANUAL_REVIEW');
  }
});

test('a person adds a bank account and asks for a payout', async () => {
  const { api } = bench.platform;
  const { account_id } = await api.register('paid out');
  await api.fund(account_id, 5000);
  await api.setKyc(account_id, { state: 'ACCEPT', pii_level: 'FULL' });
  const visitor = await bench.visitor();
  await visitor.begin({ flow: 'payout', redirect: await bench.link('payout', { account_id }) });
  const flow = person.widgetFrame(visitor.page);
  await person.agree(flow);
  await person.addBank(flow);
  await person.requestPayout(flow, '20.00');
  const { state, payout_status_id } = await visitor.hears('complete');
  assert.deepEqual([state, typeof payout_status_id], ['complete', 'string']);
});
