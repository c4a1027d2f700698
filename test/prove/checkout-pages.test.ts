// Paying in a real browser, on the hosted page and in a frame of an integrator's page: with the
// wallet, a saved card, both, a new card, after the bank's challenge, after a reload, and not at
// all, all against the real platform. [G-45, G-76, G-78]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FrameLocator } from 'playwright-core';
import { authorize, readAuthorized, type Authorized } from '../kit/checkout.ts';
import { arrive, press } from '../browser/buyer.ts';
import { everybodyCanUse } from '../browser/everybody.ts';
import { hook, openBench, type Bench, type Visitor } from '../browser/kit.ts';

let bench: Bench;
before(async () => {
  bench = await openBench();
});
after(() => bench.stop());

/** Authorizes the usual sale of that many cents. */
function order(cents: number, more: object = {}): Promise<Authorized> {
  const { api } = bench.platform;
  return authorize(api, api.sale(cents, [], { description: 'A satchel', ...more }) as object);
}

/** Opens an order on its hosted page. */
async function openHosted(visitor: Visitor, cents: number, more: object = {}): Promise<Authorized> {
  const made = await order(cents, { invoice_mechanism: 'service_hosted', ...more });
  await visitor.page.goto(made.redirect);
  await hook(visitor.page, 'continue').click();
  await arrive(visitor.page, 'screen-summary');
  return made;
}

const cardOf = (): string => bench.platform.ready.accounts.buyer.card_payment_method_id;

test('hosted: the wallet pays, once, though the button is pressed twice', async () => {
  const visitor = await bench.visitor({ phone: true });
  const { authorized_invoice_id: id } = await openHosted(visitor, 2_500);
  await everybodyCanUse(visitor.page);
  assert.equal(await hook(visitor.page, 'wallet-switch').isChecked(), true);
  await hook(visitor.page, 'pay').dblclick();
  await hook(visitor.page, 'screen-success').waitFor();
  await everybodyCanUse(visitor.page);
  assert.equal((await readAuthorized(bench.platform.api, id)).state, 'paid');
  await visitor.page.reload();
  await hook(visitor.page, 'screen-success').waitFor();
  await hook(visitor.page, 'done').click();
  await hook(visitor.page, 'screen-end').waitFor();
});

test('hosted: tax is shown before and after paying, as a part of the total', async () => {
  const visitor = await bench.visitor({ phone: true });
  const { page } = visitor;
  const { api } = bench.platform;
  const { line_items, ...sale } = api.sale(2_500, []) as { line_items: readonly object[] };
  const taxed = line_items.map((line) => ({ ...line, tax: { amount: 475 } }));
  const made = { ...sale, line_items: taxed, invoice_mechanism: 'service_hosted' };
  await page.goto((await authorize(api, made)).redirect);
  await hook(page, 'continue').click();
  await arrive(page, 'screen-summary');
  for (const screen of ['summary', 'success']) {
    if (screen === 'success') await hook(page, 'pay').click();
    await hook(page, `screen-${screen}`).waitFor();
    const sums = await hook(page, 'lines').locator('.sum dd').allTextContents();
    assert.deepEqual(sums, ['USD 25.00', 'USD 4.75', 'USD 29.75'], screen);
    await everybodyCanUse(page);
  }
});

test('in a frame: a card pays, and the page learns that Done was pressed', async () => {
  const visitor = await bench.visitor();
  const { redirect } = await order(1_900);
  const frame = await visitor.begin({
    flow: 'checkout',
    redirect,
    flowConfig: { hideUserWallets: true, hideSKUs: true, selectButton: { label: 'Buy it' } },
    theme: { backgroundColor: '#14161c', primaryColor: '#8b7bff' },
  });
  await arrive(frame, 'screen-summary');
  await everybodyCanUse(visitor.page);
  assert.equal(await hook(frame, 'wallet-switch').count(), 0);
  assert.doesNotMatch((await hook(frame, 'lines').textContent()) ?? '', /sku/);
  assert.equal(await hook(frame, 'pay').textContent(), 'Buy it');
  await hook(frame, `method-${cardOf()}`).check();
  await hook(frame, 'pay').click();
  await hook(frame, 'done').click();
  assert.deepEqual(await visitor.hears('complete'), {
    source: 'service',
    event: 'service.checkout.complete',
    state: 'complete',
    trigger: 'done-button',
  });
});

test('what is bought is shown above the terms, and a consent can be withdrawn', async () => {
  const { api } = bench.platform;
  const { account_id } = await api.register('careful_buyer');
  const visitor = await bench.visitor({ phone: true });
  const { page } = visitor;
  const { redirect } = await order(2_500, { account_id, invoice_mechanism: 'service_hosted' });
  await page.goto(redirect);
  await hook(page, 'continue').click();
  await hook(page, 'screen-agree').waitFor();
  await everybodyCanUse(page);
  const told = (await hook(page, 'screen-agree').textContent()) ?? '';
  const first = ['25.00', 'A satchel', 'asks for your consent', 'Terms of service'];
  const places = first.map((text) => told.indexOf(text));
  assert.ok(places.every((at) => at >= 0), told);
  assert.deepEqual(places, places.toSorted((a, b) => a - b), 'price and items first');
  await arrive(page, 'screen-summary');
  await hook(page, 'allowed').locator('summary').click();
  const own = hook(page, 'consent-person');
  await own.waitFor();
  await everybodyCanUse(page);
  assert.match((await own.textContent()) ?? '', /You agreed on .*Charge you for the order/);
  await hook(page, 'take-back').click();
  await hook(page, 'take-back-dialog-confirm').click();
  await hook(page, 'screen-end').waitFor();
  const path = `/user-info/${account_id}/consents`;
  const left = await api.must<{ consents: unknown[] }>(200, 'accounts', 'GET', path);
  assert.deepEqual(left.consents, []);
});

test('an escrow is paid with the balance and a card for the rest, by keyboard alone', async () => {
  const { api, ready } = bench.platform;
  const { spendable } = await api.money(ready.accounts.buyer.account_id);
  const visitor = await bench.visitor();
  const { page } = visitor;
  const { authorized_invoice_id: id } = await openHosted(visitor, spendable + 700, {
    is_escrow: true,
  });
  assert.match((await hook(page, 'escrow-note').textContent()) ?? '', /is held until/);
  await press(page, 'wallet-switch', 'Space');
  await press(page, 'pay', 'Enter');
  await hook(page, 'screen-success').waitFor();
  const { escrow_id } = await readAuthorized(api, id);
  type Seen = { status: string };
  const path = `/v2/escrow/${escrow_id}`;
  const seen = await api.must<Seen>(200, 'invoicing', 'GET', path);
  assert.equal(seen.status, 'ESCROWED');
  assert.equal((await api.money(ready.accounts.buyer.account_id)).spendable, 0);
  await api.must(200, 'invoicing', 'POST', `${path}/cancel`);
});

test('a declined card says what to do; a new card is added, named, used, and removed', async () => {
  const visitor = await bench.visitor({ phone: true });
  const { page } = visitor;
  await openHosted(visitor, 2_100);
  const { buyer } = bench.platform.ready.accounts;
  if (await hook(page, 'wallet-switch').isChecked()) await hook(page, 'wallet-switch').uncheck();
  await hook(page, `method-${buyer.declined_card_payment_method_id}`).check();
  await hook(page, 'pay').click();
  await hook(page, 'screen-failure').waitFor();
  await everybodyCanUse(page);
  assert.match((await hook(page, 'screen-failure').textContent()) ?? '', /another card/);
  await hook(page, 'choose-again').click();
  await hook(page, 'add-card').click();
  const form = page.frameLocator('[data-test="entry-frame"] iframe');
  await form.locator('[data-test="hint"]').first().click();
  await form.locator('[data-test="card-save"]').click();
  const added = page.locator('input[name="method"]:checked');
  await added.waitFor();
  const name = (await added.getAttribute('data-test')) ?? '';
  assert.notEqual(name, `method-${buyer.declined_card_payment_method_id}`);
  await hook(page, name.replace('method-', 'method-menu-')).click();
  await hook(page, 'method-rename').click();
  await hook(page, 'rename-name').fill('Travel card');
  await hook(page, 'rename-dialog-confirm').click();
  await page.getByText('Travel card', { exact: true }).waitFor();
  await hook(page, 'method-remove').click();
  await hook(page, 'remove-dialog-confirm').click();
  await hook(page, name).waitFor({ state: 'detached' });
  await hook(page, 'cancel').click();
  await hook(page, 'screen-end').waitFor();
});

test("the bank's challenge is framed in our page, and a reload in between continues", async () => {
  const { api, ready } = bench.platform;
  const card = await api.attach(ready.accounts.buyer.account_id, 'three_d_secure');
  const visitor = await bench.visitor({ phone: true });
  const { page } = visitor;
  await openHosted(visitor, 3_300);
  if (await hook(page, 'wallet-switch').isChecked()) await hook(page, 'wallet-switch').uncheck();
  await hook(page, `method-${card}`).check();
  await hook(page, 'pay').click();
  await hook(page, 'screen-authenticate').waitFor();
  await page.reload();
  const bank = page.frameLocator('[data-test="authentication-frame"] iframe');
  await bank.locator('[data-test="challenge-confirm"]').click();
  await hook(page, 'screen-success').waitFor();
});

test('a payment selection goes unchanged into the creation of an invoice', async () => {
  const { api, ready } = bench.platform;
  const visitor = await bench.visitor();
  const frame = await visitor.begin({
    flow: 'payment-selection',
    redirect: await bench.link('payment-selection'),
    flowConfig: { hideExitButtons: true },
  });
  await arrive(frame, 'screen-methods');
  assert.equal(await hook(frame, 'cancel').count(), 0);
  await hook(frame, `method-${ready.accounts.buyer.card_payment_method_id}`).check();
  await hook(frame, 'select-method').click();
  const { paymentMethods } = await visitor.hears('complete');
  assert.deepEqual(paymentMethods, [{ payment_method_id: cardOf(), amount: 0 }]);
  await api.created(api.sale(900, paymentMethods as { payment_method_id: string }[]));
});

test('purchase tells the page which method, and hides cards above their limit', async () => {
  const visitor = await bench.visitor();
  const begin = async (transaction_amount: number): Promise<FrameLocator> => {
    const frame = await visitor.begin({
      flow: 'purchase',
      redirect: await bench.link('purchase'),
      flowConfig: { transactionDetails: { transaction_amount, currency: 'USD' } },
    });
    await arrive(frame, 'screen-methods');
    return frame;
  };
  const above = await begin(1_000_001);
  assert.equal(await hook(above, 'add-card').count(), 0);
  assert.equal(await hook(above, `method-${cardOf()}`).count(), 0);
  const frame = await begin(1_000_000);
  await hook(frame, `method-${cardOf()}`).check();
  await hook(frame, 'select-method').click();
  const { id, pm_state, state } = await visitor.hears('complete');
  assert.deepEqual([id, pm_state, state], [cardOf(), 'ACTIVE', 'complete']);
});

test('a browser login leaves and comes back: on a page of its own, and in a window', async () => {
  const visitor = await bench.visitor();
  const { page } = visitor;
  // What the person refused at the login cannot be taken in.
  visitor.expect(/status of 400 .*\/v1\/payment_method\)/);
  await openHosted(visitor, 1_200);
  await hook(page, 'add-paypal').click();
  await everybodyCanUse(page);
  await hook(page, 'continue').click();
  await hook(page, 'login-refuse').click();
  await hook(page, 'screen-summary').waitFor();
  await hook(page, 'add-paypal').click();
  await hook(page, 'continue').click();
  await hook(page, 'login-approve').click();
  await hook(page, 'screen-summary').waitFor();
  const chosen = page.locator('input[name="method"]:checked');
  const first = await chosen.getAttribute('data-test');
  await hook(page, 'pay').click();
  await hook(page, 'screen-success').waitFor();

  const { redirect } = await order(1_300);
  const frame = await visitor.begin({ flow: 'checkout', redirect });
  await arrive(frame, 'screen-summary');
  await hook(frame, 'add-paypal').click();
  const opened = page.waitForEvent('popup');
  await hook(frame, 'continue').click();
  await hook(await opened, 'login-approve').click();
  const second = frame.locator('input[name="method"]:checked');
  await second.waitFor();
  assert.notEqual(await second.getAttribute('data-test'), first);
  await hook(frame, 'cancel').click();
  const { event, state } = await visitor.hears('complete');
  assert.deepEqual([event, state], ['service.checkout.complete', 'cancel']);
});

test('fifty lines fold, total and button stay in sight, and the receipt has all', async () => {
  const { api } = bench.platform;
  const { account_id } = await api.register('buyer_of_many');
  await api.fund(account_id, 100_000);
  const settings = { contact: 'help@shop.example' };
  await api.must(200, 'invoicing', 'PATCH', '/v1/settings', { body: settings });
  const line_items = Array.from({ length: 50 }, (_, at) => ({
    ...{ amount: 100, currency: 'USD', description: `Thing ${at + 1}` },
    transaction_type: 'user_to_integrator',
  }));
  const more = { account_id, line_items, invoice_mechanism: 'service_hosted' };
  const { redirect } = await order(0, more);
  const visitor = await bench.visitor({ phone: true });
  const { page } = visitor;
  await page.goto(redirect);
  await hook(page, 'continue').click();
  await hook(page, 'agree-accept').waitFor();
  await everybodyCanUse(page);
  const inSight = async (name: string): Promise<boolean> => {
    const box = await hook(page, name).boundingBox();
    const height = page.viewportSize()?.height ?? 0;
    return box !== null && box.y >= 0 && box.y + box.height <= height;
  };
  assert.ok(await inSight('agree-accept'));
  assert.match((await hook(page, 'pay-bar').textContent()) ?? '', /50\.00/);
  const terms = page.locator('.terms');
  assert.equal(await terms.isVisible(), false);
  await hook(page, 'terms').locator('summary').click();
  assert.equal(await terms.isVisible(), true);
  await arrive(page, 'screen-summary');
  assert.ok(await inSight('pay'));
  const last = page.getByText('Thing 50', { exact: true });
  assert.equal(await last.isVisible(), false);
  await press(page, 'lines-all');
  assert.equal(await last.isVisible(), true);
  assert.ok(await inSight('pay'));
  await everybodyCanUse(page);
  await hook(page, 'pay').click();
  const receipt = hook(page, 'receipt');
  await receipt.waitFor();
  const words = /Receipt number.*Date.*Paid with ?Your balance.*Seller.*help@shop\.example/;
  assert.match((await receipt.textContent()) ?? '', words);
  await everybodyCanUse(page);
  await page.emulateMedia({ media: 'print' });
  assert.equal(await last.isVisible(), true, 'paper has every line');
  assert.equal(await hook(page, 'done').isVisible(), false);
  await page.emulateMedia({ media: null });
  const kept = (await hook(page, 'receipt-page').getAttribute('href')) ?? '';
  assert.match(await (await fetch(kept)).text(), /<h1>Receipt<[^]*Thing 50/);
  await hook(page, 'sandbox-badge').click();
  const mails = await hook(page, 'sandbox-mails').getAttribute('href');
  assert.equal(mails, `${bench.platform.ready.urls.console}/developers/mails`);
  await everybodyCanUse(page);
});

test('a card that is not kept pays, and is gone at the next order', async () => {
  const { account_id } = await bench.platform.api.register('buyer_who_keeps_nothing');
  const visitor = await bench.visitor({ phone: true });
  const { page } = visitor;
  await openHosted(visitor, 1_500, { account_id });
  await hook(page, 'add-card').click();
  await hook(page, 'keep-card').uncheck();
  const form = page.frameLocator('[data-test="entry-frame"] iframe');
  await hook(form, 'hint').first().click();
  await hook(form, 'card-save').click();
  await page.getByText(/Expires .*Not kept after this order/).waitFor();
  await everybodyCanUse(page);
  await hook(page, 'pay').click();
  await hook(page, 'receipt').waitFor();
  await openHosted(visitor, 1_500, { account_id });
  assert.equal(await page.locator('input[name="method"]').count(), 0);
});

test("a mistyped link is met in the tenant's look, with a way back", async () => {
  const { api, ready } = bench.platform;
  const body = { return_addresses: ['http://localhost/shop'] };
  await api.must(200, 'invoicing', 'PATCH', '/v1/settings', { body });
  const { redirect } = await order(900, { invoice_mechanism: 'service_hosted' });
  const visitor = await bench.visitor({ phone: true });
  visitor.expect(/404 \(Not F/);
  const { page } = visitor;
  const links = [
    redirect.replace('/checkout/', '/checkout/x'),
    `${ready.urls.hosted}/${ready.integrator}/kyc/mistyped`,
  ];
  for (const link of links) {
    await page.goto(link);
    assert.equal(await hook(page, 'home').getAttribute('href'), 'http://localhost/shop');
    assert.match((await page.locator('.brand').textContent()) ?? '', /Sandbox/);
    assert.equal(await hook(page, 'sandbox-badge').isVisible(), true);
    await everybodyCanUse(page);
  }
});
