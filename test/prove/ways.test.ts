// The ways through the flows that no other file tests, each to its final state in the interface:
// nothing to sign, two methods at once, an escrow in a frame, a refusal by the bank, an expired
// offer, and the return to a shop. [G-45, G-76, G-77, G-78]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { publishTerms } from '../../src/product/people/terms/index.ts';
import { readAuthorized } from '../kit/checkout.ts';
import { arrive, bankIn, booked } from '../browser/buyer.ts';
import { HOSTED, newBuyer, openFramed, openHosted } from '../browser/buyer.ts';
import { order, payBy, withSettings } from '../browser/buyer.ts';
import { hook, openBench, type Bench } from '../browser/kit.ts';

let bench: Bench;

before(async () => {
  bench = await openBench();
});
after(() => bench.stop());

test('terms that are signed already are complete at once, and nothing is drawn', async () => {
  const { api } = bench.platform;
  const { account_id } = await newBuyer(api, 0);
  const visitor = await bench.visitor();
  const redirect = await bench.link('tos', { account_id });
  const first = await visitor.begin({ flow: 'tos', redirect });
  await hook(first, 'agree-switch').check();
  await hook(first, 'agree-accept').click();
  const event = 'service.tos.complete';
  const complete = { source: 'service', event, state: 'complete' };
  assert.deepEqual(await visitor.hears('complete'), complete);
  await visitor.execute({ flow: 'tos', redirect: await bench.link('tos', { account_id }) });
  assert.deepEqual(await visitor.hears('complete', 2), complete);
});

test('a chosen balance and card go unchanged into an invoice and an escrow', async () => {
  const { api } = bench.platform;
  const buyer = await newBuyer(api, 600, 'visa');
  const transactionDetails = { transaction_amount: '1500', currency: 'USD' };
  const visitor = await bench.visitor();
  const frame = await visitor.begin({
    flow: 'payment-selection',
    redirect: await bench.link('payment-selection', { account_id: buyer.account_id }),
    flowConfig: { transactionDetails },
  });
  await arrive(frame, 'screen-methods');
  await hook(frame, 'wallet-switch').check();
  await hook(frame, `method-${buyer.cards[0]}`).check();
  await hook(frame, 'select-method').click();
  const { paymentMethods } = await visitor.hears('complete');
  assert.deepEqual(paymentMethods, [
    { payment_method_id: buyer.wallet, amount: 600 },
    { payment_method_id: buyer.cards[0], amount: 0 },
  ]);
  const { account_id } = buyer;
  const body = api.sale(1_500, paymentMethods as { payment_method_id: string }[], { account_id });
  const made = await api.send('invoicing', 'POST', '/v2/escrow', { body });
  assert.equal(made.status, 201, made.text);
  const id = await api.created(body);
  assert.equal((await api.pay(id)).status, 200);
  assert.equal((await api.finished(id)).state, 'success');
  assert.equal((await api.money(account_id)).spendable, 0);
});

test('a chosen card pays even if the balance would suffice', async () => {
  const { api, db } = bench.platform;
  const buyer = await newBuyer(api, 5_000, 'visa');
  const made = await order(api, buyer, 4_300);
  const frame = await openFramed(await bench.visitor(), made);
  const wallet = hook(frame, 'wallet-switch');
  assert.equal(await wallet.isChecked(), true, 'what costs nothing more is proposed');
  await hook(frame, `method-${buyer.cards[0] ?? ''}`).check();
  assert.equal(await wallet.isChecked(), false);
  await hook(frame, 'pay').click();
  await hook(frame, 'screen-success').waitFor();
  assert.deepEqual(await booked(db, made), { paid: 1, captures: 1, taken: 4_300 });
});

test('an escrow in a frame, paid by card, holds the money and reports nothing of it', async () => {
  const { api } = bench.platform;
  const buyer = await newBuyer(api, 0, 'visa');
  const made = await order(api, buyer, 4_400, { is_escrow: true });
  const visitor = await bench.visitor();
  const frame = await openFramed(visitor, made);
  await payBy(frame, buyer.cards[0] ?? '');
  await hook(frame, 'done').click();
  assert.deepEqual(Object.keys(await visitor.hears('complete')).toSorted(), [
    'event',
    'source',
    'state',
    'trigger',
  ]);
  const { escrow_id } = await readAuthorized(api, made.authorized_invoice_id);
  type Seen = { status: string };
  const seen = await api.must<Seen>(200, 'invoicing', 'GET', `/v2/escrow/${escrow_id}`);
  assert.equal(seen.status, 'ESCROWED');
  assert.equal((await booked(bench.platform.db, made)).taken, 4_400);
});

test('the bank declines, another card pays, and one payment remains', async () => {
  const { api, db } = bench.platform;
  const buyer = await newBuyer(api, 0, 'three_d_secure', 'card_declined', 'visa');
  const [secure = '', declined = '', good = ''] = buyer.cards;
  const made = await order(api, buyer, 2_900);
  const visitor = await bench.visitor({ phone: true });
  const frame = await openFramed(visitor, made);
  await payBy(frame, secure);
  await hook(bankIn(frame), 'challenge-refuse').click();
  await hook(frame, 'screen-failure').waitFor();
  await hook(frame, 'choose-again').click();
  await payBy(frame, declined);
  await hook(frame, 'screen-failure').waitFor();
  await hook(frame, 'choose-again').click();
  await payBy(frame, good);
  await hook(frame, 'screen-success').waitFor();
  assert.deepEqual(await booked(db, made), { paid: 1, captures: 1, taken: 2_900 });
});

test('an offer that expires while open says so and takes nothing', async () => {
  const { api, db } = bench.platform;
  const buyer = await newBuyer(api, 0, 'visa');
  const made = await order(api, buyer, 2_600, HOSTED);
  const visitor = await bench.visitor();
  visitor.expect(/status of 4\d\d .*\/v2\//);
  const page = await openHosted(visitor, made);
  const past = "clock_timestamp() - interval '1 second'";
  await db.query({
    text: `update link set expires = ${past} where authorized_invoice_id = $1`,
    values: [made.authorized_invoice_id],
  });
  await db.execute('alter table authorized_invoice disable trigger user');
  await db.query({
    text: `update authorized_invoice set expires = ${past} where id = $1`,
    values: [made.authorized_invoice_id],
  });
  await db.execute('alter table authorized_invoice enable trigger user');
  await hook(page, 'pay').click();
  await hook(page, 'screen-link').waitFor();
  assert.match(await page.locator('main').innerText(), /can no longer be paid/);
  assert.deepEqual(await booked(db, made), { paid: 0, captures: 0, taken: 0 });
});

test('after paying a person is back at the shop with the result, or nowhere', async () => {
  const { api } = bench.platform;
  const back = `${bench.shop}/thanks`;
  await withSettings(bench, { return_addresses: [back] }, { return_addresses: [] }, async () => {
    for (const [address, allowed] of [
      [`${back}?order=9`, true],
      [`${bench.shop}/thanksgiving`, false],
      [`${bench.shop.replace('//', '//x@')}/thanks`, false],
    ] as const) {
      const buyer = await newBuyer(api, 5_000);
      const { redirect } = await order(api, buyer, 1_100, HOSTED);
      const visitor = await bench.visitor();
      const link = new URL(redirect);
      link.searchParams.set('returnUrl', address);
      await visitor.page.goto(link.href);
      await hook(visitor.page, 'continue').click();
      await arrive(visitor.page);
      await hook(visitor.page, 'pay').click();
      await hook(visitor.page, 'done').click();
      if (!allowed) {
        await hook(visitor.page, 'screen-end').waitFor();
        continue;
      }
      await visitor.page.waitForURL((url) => url.origin === bench.shop);
      assert.deepEqual(Object.fromEntries(new URL(visitor.page.url()).searchParams), {
        order: '9',
        state: 'complete',
        trigger: 'done-button',
        source: 'service',
        event: 'service.checkout.complete',
      });
    }
  });
});

test('one element takes one flow after the other, ended, cancelled or thrown away', async () => {
  const { api } = bench.platform;
  const buyer = await newBuyer(api, 9_000, 'visa');
  const visitor = await bench.visitor();
  visitor.expect(/an error of the shop/);
  await visitor.enterShop();
  const trouble = "throw new Error('an error of the shop')";
  const callbacks = `{ onReady: () => { ${trouble}; },
    onComplete: (result) => { heard.complete.push(result); ${trouble}; },
    onError: (error) => heard.error.push(error) }`;
  for (let round = 0; round < 3; round += 1) {
    const { redirect } = await order(api, buyer, 800);
    await visitor.page.evaluate(`window.handle = Holdfast.execute({ rootId: 'root',
      flow: 'checkout', redirect: ${JSON.stringify(redirect)}, ...${callbacks} })`);
    const frame = visitor.frame();
    await arrive(frame);
    if (round === 0) await visitor.page.evaluate('handle.close()');
    if (round === 1) await hook(frame, 'cancel').click();
    if (round === 2) await hook(frame, 'pay').click();
    if (round === 2) await hook(frame, 'done').click();
    await visitor.page.locator('#root iframe').waitFor({ state: 'detached' });
  }
  await visitor.until('heard.complete.length === 2');
  const { complete, error } = await visitor.heard();
  assert.deepEqual([complete.map(({ state }) => state), error], [['cancel', 'complete'], []]);
});

test('terms that come into force before Pay are agreed to, and the flow goes on', async () => {
  const { api, db } = bench.platform;
  for (const more of [{}, { ...HOSTED, is_escrow: true }]) {
    const buyer = await newBuyer(api, 0, 'visa', 'mastercard');
    const [, card = ''] = buyer.cards;
    const made = await order(api, buyer, 3_100, more);
    const visitor = await bench.visitor();
    visitor.expect(/status of 40[03] .*\/(invoice|escrow|session)\)$/);
    const open = 'is_escrow' in more ? openHosted : openFramed;
    const place = await open(visitor, made);
    await publishTerms(db, `Text of ${made.authorized_invoice_id}.`);
    await payBy(place, card);
    await hook(place, 'agree-cancel').click();
    assert.match((await hook(place, 'problem').textContent()) ?? '', /terms/);
    assert.ok(await hook(place, `method-${card}`).isChecked(), 'nothing was forgotten');
    await hook(place, 'pay').click();
    await hook(place, 'screen-agree').waitFor();
    await publishTerms(db, `Another text of ${made.authorized_invoice_id}.`);
    await hook(place, 'agree-switch').check();
    await hook(place, 'agree-accept').click();
    await place.getByText(/^Another text of/).waitFor({ state: 'attached' });
    assert.equal(await hook(place, 'agree-switch').isChecked(), false, 'to another text');
    await hook(place, 'agree-switch').check();
    await hook(place, 'agree-accept').click();
    await hook(place, 'screen-success').waitFor();
    assert.deepEqual(await booked(db, made), { paid: 1, captures: 1, taken: 3_100 });
    await hook(place, 'done').click();
  }
});
