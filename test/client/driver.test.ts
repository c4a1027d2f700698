// Flows without a screen against the real platform: a person's actions on the pages, and the object
// that the page above receives.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createClient, type ClientApi } from '../../client/index.ts';
import { openFlow, type Flow, type FlowOptions } from '../../client/driver.ts';
import { publishTerms } from '../../src/product/people/terms/index.ts';
import { PERSON } from '../kit/identity.ts';
import { startPlatform, type Platform } from '../kit/platform.ts';
import { credentialsOf } from './kit.ts';

let platform: Platform;
let holdfast: ClientApi;
before(async () => {
  platform = await startPlatform();
  holdfast = createClient(credentialsOf(platform.ready));
});
after(() => platform.stop());

let persons = 0;
async function person(): Promise<string> {
  persons += 1;
  return (await platform.api.register(`person ${persons}`)).account_id;
}

/** A link to pay 25.00 for, and its flow after the terms were agreed to. */
async function checkout(
  account_id: string,
  is_escrow = false,
  mechanism = 'widget',
): Promise<Flow> {
  const { seller } = platform.ready.accounts;
  const { redirect } = await holdfast.invoicing.authorizeInvoice({
    account_id,
    is_escrow,
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
  return agreed(redirect);
}

async function link(account_id: string, flow: NonNullable<FlowOptions['flow']>): Promise<string> {
  const answer = await holdfast.auth.authorizeUser({ account_id, flow: flow as 'tos' });
  assert.ok('redirect' in answer);
  return answer.redirect;
}

async function agreed(redirect: string, more: Partial<FlowOptions> = {}): Promise<Flow> {
  const flow = await openFlow({ redirect, ...more });
  await flow.agree();
  return flow;
}

test('a checkout from terms to Done gives what onComplete receives', async () => {
  const flow = await checkout(await person());
  assert.equal(await flow.state(), 'choose');
  assert.equal((await flow.authorizedInvoice()).line_items_total, 2500);
  await assert.rejects(flow.pay(), /add one/);
  await assert.rejects(flow.result(), /shows choose/);
  const card = await flow.addTestMethod('visa');
  assert.ok((await flow.paymentMethods()).some(({ id }) => id === card.id));
  assert.equal(await flow.pay(), 'success');
  assert.deepEqual(await flow.result(), {
    source: 'service',
    event: 'service.checkout.complete',
    state: 'complete',
    trigger: 'done-button',
  });
  assert.equal(await flow.state(), 'end');
});

test('terms that are not signed come first', async () => {
  const account_id = await person();
  const flow = await openFlow({ redirect: await link(account_id, 'payment-selection') });
  assert.equal(await flow.state(), 'agree');
  assert.ok((flow.session.to_agree?.terms?.content.length ?? 0) > 0);
  assert.deepEqual(await flow.cancel(), {
    source: 'service',
    event: 'service.payment-selection.complete',
    state: 'cancel',
  });
});

test('a link opens once, and an unknown one not at all', async () => {
  const redirect = await link(await person(), 'tos');
  await openFlow({ redirect });
  await assert.rejects(openFlow({ redirect }), { status: 410, codes: ['LINK_USED'] });
  const unknown = redirect.replace(/[^/]+$/, 'A'.repeat(43));
  await assert.rejects(openFlow({ redirect: unknown }), { status: 404, codes: ['LINK_NOT_FOUND'] });
  const other = await link(await person(), 'kyc');
  await assert.rejects(openFlow({ redirect: other, flow: 'payout' }), {
    codes: ['LINK_FLOW_MISMATCH'],
  });
});

test('an opening whose answer is lost can be repeated', async () => {
  let lost = 0;
  const flow = await openFlow({
    redirect: await link(await person(), 'purchase'),
    async fetch(url, init) {
      const answer = await fetch(url, init);
      if (!url.endsWith('/ui/api/session') || lost > 0) return answer;
      lost += 1;
      throw new TypeError('the connection broke');
    },
  });
  assert.deepEqual([lost, await flow.state()], [1, 'agree']);
});

test('a declined card is a failure, and another card pays the same order', async () => {
  const flow = await checkout(await person());
  await flow.addTestMethod('card_declined');
  assert.equal(await flow.pay(), 'failure');
  const good = await flow.addTestMethod({ number: '5555 5555 5555 4444' });
  assert.equal(await flow.pay({ methods: [{ payment_method_id: good.id, amount: 0 }] }), 'success');
});

test('terms that come into force meanwhile are agreed to, then the flow continues', async () => {
  const flow = await checkout(await person(), true);
  await publishTerms(platform.db, 'A second text.');
  await assert.rejects(flow.addTestMethod('visa'), { status: 403, codes: ['TERMS_NOT_SIGNED'] });
  assert.equal(await flow.state(), 'agree');
  assert.equal(flow.session.to_agree?.terms?.content, 'A second text.');
  await flow.agree();
  assert.equal(await flow.state(), 'choose');
  await flow.addTestMethod('visa');
  await publishTerms(platform.db, 'A third text.');
  assert.equal(await flow.pay(), 'agree');
  assert.equal(await flow.state(), 'agree');
  await flow.agree();
  assert.equal(await flow.pay(), 'success');
});

test('a payment that is refused at the bank is a failure', async () => {
  const flow = await checkout(await person());
  await flow.addTestMethod('three_d_secure');
  assert.equal(await flow.pay(), 'confirm');
  assert.equal(await flow.confirmChallenge('refuse'), 'failure');
});

test('a hosted escrow is confirmed at the bank', async () => {
  const flow = await checkout(await person(), true, 'service_hosted');
  await flow.addTestMethod('three_d_secure');
  assert.equal(await flow.pay(), 'confirm');
  assert.equal(await flow.confirmChallenge(), 'success');
  assert.equal((await flow.result()).event, 'service.checkout.complete');
});

test('the result of a payment selection is accepted when creating an invoice', async () => {
  const { buyer, seller } = platform.ready.accounts;
  const redirect = await link(buyer.account_id, 'payment-selection');
  const transactionDetails = { transaction_amount: 500, currency: 'USD' };
  const flow = await agreed(redirect, { transactionDetails });
  const { paymentMethods, state } = await flow.selectMethods();
  assert.equal(state, 'complete');
  assert.ok(paymentMethods);
  const invoice = await holdfast.invoicing.createInvoice({
    account_id: buyer.account_id,
    payment_methods: paymentMethods,
    line_items: [
      {
        amount: 500,
        currency: 'USD',
        transaction_type: 'user_to_user',
        recipients: [{ amount: 500, destination_wallet_id: seller.wallet_id }],
      },
    ],
  });
  assert.equal(invoice.state, 'open');
});

test('a purchase and a bank account name the method that was added', async () => {
  const flow = await agreed(await link(await person(), 'purchase'));
  const bank = await flow.addTestMethod('bank_settled');
  const result = await flow.selectMethods([{ payment_method_id: bank.id, amount: 0 }]);
  const { id, pm_state, event } = result;
  assert.deepEqual([id, pm_state, event], [bank.id, 'ACTIVE', 'service.purchase.complete']);
});

test('a wallet login is added as a person would, and terms alone end by themselves', async () => {
  const account_id = await person();
  const terms = await agreed(await link(account_id, 'tos'));
  assert.equal((await terms.result()).event, 'service.tos.complete');
  assert.equal(await terms.state(), 'end');
  const again = await openFlow({ redirect: await link(account_id, 'tos') });
  assert.equal((await again.result()).state, 'complete');
  const flow = await agreed(await link(account_id, 'payment-selection'));
  const added = await flow.addTestMethod('paypal');
  assert.equal(added.provider, 'paypal');
});

test('an identity is checked, and the result is its state', async () => {
  const accepted = await agreed(await link(await person(), 'kyc'));
  assert.deepEqual(await accepted.submitKyc({ kyc_pii: PERSON }), {
    source: 'service',
    event: 'service.kyc.complete',
    state: 'complete',
    result: 'ACCEPT',
    trigger: 'continue-button',
  });
  const review = await agreed(await link(await person(), 'kyc'));
  const kyc_pii = { ...PERSON, last: 'Specimen-Review' };
  const { result, trigger } = await review.submitKyc({ kyc_pii });
  assert.deepEqual([result, trigger], ['MANUAL_REVIEW', undefined]);
});

test('a payout needs the same conditions as on the page', async () => {
  const account_id = await person();
  await platform.api.fund(account_id, 5000);
  const flow = await agreed(await link(account_id, 'payout-full'));
  const bank = await flow.addTestMethod('bank');
  const wish = { amount: 2000, currency: 'USD', destination_payment_method_id: bank.id };
  await assert.rejects(flow.requestPayout(wish), { codes: ['PAYOUT_KYC_REQUIRED'] });
  await platform.api.setKyc(account_id, { state: 'ACCEPT', pii_level: 'FULL' });
  const { payout_status_id = '', event, id } = await flow.requestPayout(wish);
  assert.equal(id, bank.id);
  assert.equal(event, 'service.payout-full.complete');
  const payout = await holdfast.invoicing.getPayout({ account_id, payout_status_id });
  assert.equal(payout.amount, 2000);
});
