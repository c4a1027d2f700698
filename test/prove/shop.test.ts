// The demo shop, clicked through as a newcomer would: every story from the front page to its end on
// the platform, the panel's content, and resistance to the open internet. [G-01, G-03]
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import * as person from '../../client/playwright.ts';
import { openShop } from '../../shop/index.ts';
import { fillFields, FRENCH } from '../browser/company.ts';
import { hook, openBench, type Bench, type Visitor } from '../browser/kit.ts';
import { arrive, fillIn } from '../browser/person.ts';

const DESK = { width: 1_200, height: 900 };
const PHONE = { width: 360, height: 740 };
const SIDEWAYS =
  'document.documentElement.scrollWidth - document.documentElement.clientWidth';

let bench: Bench;
let visitor: Visitor;
let page: Page;
let shop: string;
before(async () => {
  bench = await openBench();
  shop = bench.platform.ready.urls.shop;
  visitor = await bench.visitor();
  page = visitor.page;
});
after(() => bench.stop());

/** Takes a story from the front of the shop. */
async function story(number: number): Promise<void> {
  await page.goto(shop);
  await hook(page, `story-${number}`).click();
}

/** Chooses a way to pay in the widget, and is back on the order's page. */
async function select(method: string): Promise<void> {
  const flow = person.widgetFrame(page);
  await person.agree(flow);
  await hook(page, 'stage-unpaid').waitFor();
  const wallet = person.hook(flow, 'wallet-switch');
  await wallet.waitFor();
  if (method !== 'wallet-switch') await wallet.uncheck();
  await person.hook(flow, method).check();
  await person.selectMethod(flow);
  await hook(page, 'said-done').waitFor();
}

/** Waits until an order stands there; gives its id. */
async function stands(stage: string): Promise<string> {
  await hook(page, `stage-${stage}`).waitFor();
  return page.url().replace(/.*\/order\/([^?]*).*/, '$1');
}

interface Listed {
  readonly reference_id: string;
  readonly invoice_id: string;
  readonly state: string;
}

/** The only invoice of an order, as the platform knows it. */
async function invoiceOf(order: string): Promise<Listed> {
  const { api, ready } = bench.platform;
  const path = `/v2/invoice/account/${ready.accounts.buyer.account_id}`;
  const all = await api.must<Listed[]>(200, 'invoicing', 'GET', path);
  const [found, ...more] = all.filter(({ reference_id }) => reference_id === order);
  assert.ok(found !== undefined && more.length === 0, `${order}: ${more.length} more`);
  return found;
}

/** The status of an order's escrow. */
async function escrowOf(order: string): Promise<string> {
  const path = `/v2/escrow/by_invoice/${(await invoiceOf(order)).invoice_id}`;
  const found = await bench.platform.api.must<{ status: string }>(200, 'invoicing', 'GET', path);
  return found.status;
}

const seller = (): string => bench.platform.ready.accounts.seller.account_id;
const spendable = async (account: string): Promise<number> =>
  (await bench.platform.api.money(account)).spendable;

/** Looks at the shop's own page: rules that a program can check, and nothing to the side. */
async function everybodyCanUse(): Promise<void> {
  // The flow inside is looked at by tests of its own.
  const axe = new AxeBuilder({ page }).exclude('iframe').setLegacyMode();
  const { violations } = await axe.analyze();
  assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`), []);
  assert.equal(await page.evaluate(SIDEWAYS), 0, page.url());
}

test('every page is accessible, on a desk and on a phone', async () => {
  const paths = ['/', '/product/moon-jar', '/account', '/visitor', '/mail', '/product/salt-jug'];
  for (const [at, path] of paths.entries()) {
    await page.setViewportSize(at % 2 === 0 ? PHONE : DESK);
    await page.goto(shop + path);
    await everybodyCanUse();
    await page.setViewportSize(at % 2 === 0 ? DESK : PHONE);
    assert.equal(await page.evaluate(SIDEWAYS), 0, path);
    await page.emulateMedia({ colorScheme: 'dark' });
    await everybodyCanUse();
    await page.emulateMedia({ colorScheme: null });
  }
  await page.setViewportSize(DESK);
});

test('a purchase within the page works, and the panel shows the signed event', async () => {
  await story(1);
  await hook(page, 'pay-here').click();
  const flow = person.widgetFrame(page);
  await person.agree(flow);
  await everybodyCanUse();
  await person.payWithWallet(flow);
  await person.done(flow);
  await hook(page, 'said-done').waitFor();
  const order = await stands('paid');
  assert.equal((await invoiceOf(order)).state, 'success');
  assert.equal(await spendable(seller()), 3_420);
  const event = hook(page, 'note-invoice-completed').first();
  await event.waitFor();
  assert.match((await event.textContent()) ?? '', /verified/);
  await event.locator('summary').click();
  assert.match((await event.locator('pre').textContent()) ?? '', new RegExp(order));
  await hook(page, 'note-invoicing.authorizeInvoice').first().waitFor();
  await hook(page, 'note-service.checkout.complete').first().waitFor();
  await everybodyCanUse();
});

test('a purchase on the hosted page works and brings the buyer back', async () => {
  await story(2);
  await hook(page, 'pay-away').click();
  await everybodyCanUse();
  await hook(page, 'go-away').click();
  await person.openLink(page);
  await person.agree(page);
  const { buyer } = bench.platform.ready.accounts;
  await person.payWithCard(page, buyer.card_payment_method_id);
  await person.done(page);
  await hook(page, 'said-back').waitFor();
  const order = await stands('paid');
  assert.equal((await invoiceOf(order)).state, 'success');
});

test('money is held until the seller ships, as both wallets show', async () => {
  const before = await spendable(seller());
  await story(3);
  await hook(page, 'pay-here').click();
  await person.payWithWallet(person.widgetFrame(page));
  await person.done(person.widgetFrame(page));
  await hook(page, 'said-done').waitFor();
  const order = await stands('held');
  assert.equal(await hook(page, 'money-held').textContent(), '$240.00');
  await everybodyCanUse();
  await hook(page, 'become-other').click();
  await hook(page, 'shipped').dblclick();
  await stands('shipped');
  assert.equal(await escrowOf(order), 'COMMITTED');
  assert.equal(await spendable(seller()), before + 21_600);
  await hook(page, 'note-escrow-transaction-update').first().waitFor();
});

test('held money goes back to the buyer when the sale is cancelled', async () => {
  const { account_id } = bench.platform.ready.accounts.buyer;
  const before = await spendable(account_id);
  await story(3);
  await hook(page, 'pay-choose').click();
  await select('wallet-switch');
  const order = await stands('held');
  assert.equal(await spendable(account_id), before - 24_000);
  await hook(page, 'cancel').click();
  await stands('cancelled');
  assert.equal(await escrowOf(order), 'CANCELLED');
  assert.equal(await spendable(account_id), before);
});

test('the buyer chooses a method first, and the server pays with it', async () => {
  await story(4);
  await hook(page, 'pay-here').click();
  await person.cancel(person.widgetFrame(page));
  await hook(page, 'said-left').waitFor();
  await stands('unpaid');
  await everybodyCanUse();
  await hook(page, 'pay-choose').click();
  await select(`method-${bench.platform.ready.accounts.buyer.card_payment_method_id}`);
  // The processor's answer comes as an event, and the page follows it.
  const order = await stands('paid');
  assert.equal((await invoiceOf(order)).state, 'success');
  await hook(page, 'note-invoicing.payInvoice').first().waitFor();
});

test('Sue verifies her identity', async () => {
  await story(5);
  await hook(page, 'kyc-NODATA').waitFor();
  await hook(page, 'own-kyc').click();
  const flow = page.frameLocator('#holdfast iframe');
  await arrive(flow, 'screen-kyc-country');
  await fillIn(flow);
  await hook(flow, 'kyc-submit').click();
  await hook(flow, 'continue').click();
  await hook(page, 'kyc-ACCEPT').waitFor();
  const path = `/v1/kyc/${bench.platform.ready.accounts.seller2.account_id}`;
  const kyc = await bench.platform.api.must<{ state: string }>(200, 'pii', 'GET', path);
  assert.equal(kyc.state, 'ACCEPT');
  await hook(page, 'note-kyc-webhook').first().waitFor();
});

test('Sam requests a payout, and it is sent', async () => {
  const before = await spendable(seller());
  await story(6);
  await hook(page, 'own-payout').click();
  const flow = page.frameLocator('#holdfast iframe');
  await arrive(flow, 'screen-payout');
  await person.addBank(flow);
  await hook(flow, 'amount').fill('50.00');
  await hook(flow, 'price').waitFor();
  await hook(flow, 'payout-next').click();
  await hook(flow, 'payout').click();
  await hook(flow, 'done').click();
  await hook(page, 'bank-yes').click();
  await hook(page, 'payout-SUCCESS').waitFor();
  assert.equal(await spendable(seller()), before - 5_000);
  await hook(page, 'note-payout-completed').first().waitFor();
  await everybodyCanUse();
});

test('Bea reads her history', async () => {
  await story(7);
  await hook(page, 'own-txnhistory').click();
  const flow = page.frameLocator('#holdfast iframe');
  await arrive(flow, 'screen-history');
  await flow.getByText('Moon jar').first().waitFor();
  await hook(flow, 'close').click();
  await hook(page, 'said-done').waitFor();
});

test('a new visitor enters a company, and each person behind it gets a link', async () => {
  await story(8);
  await hook(page, 'visitor-name').fill('Loom Works');
  await hook(page, 'register').click();
  await hook(page, 'be-visitor').waitFor();
  await page.goto(`${shop}/account`);
  await everybodyCanUse();
  await hook(page, 'own-kyb').click();
  const flow = page.frameLocator('#holdfast iframe');
  await arrive(flow, 'screen-kyb-company');
  await hook(flow, 'entity-name').fill('Loom Works');
  await hook(flow, 'country').selectOption('FR');
  await fillFields(flow, FRENCH);
  await hook(flow, 'next').click();
  await hook(flow, 'screen-kyb-people').waitFor();
  await hook(flow, 'cancel').click();
  await hook(page, 'said-left').waitFor();
});

test('a new visitor registers and pays with a card of her own', async () => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(shop);
  await hook(page, 'be-new').click();
  await hook(page, 'visitor-name').fill('Ada <b>Lovelace</b>');
  await hook(page, 'register').click();
  await hook(page, 'be-visitor').waitFor();
  assert.match((await hook(page, 'be-visitor').textContent()) ?? '', /Ada <b>Lovelace<\/b>/);
  await hook(page, 'product-breakfast-bowls').click();
  await hook(page, 'pay-here').click();
  const flow = person.widgetFrame(page);
  await person.agree(flow);
  await person.addCard(flow);
  await person.payWithCard(flow);
  await person.done(flow);
  await hook(page, 'said-done').waitFor();
  await stands('paid');
  await everybodyCanUse();
});

test('a buyer in Arabic on a phone pays tax, reads the receipt and the mail', async () => {
  await page.goto(shop);
  await hook(page, 'be-buyer').click();
  await hook(page, 'language').selectOption('ar');
  await hook(page, 'speak').click();
  await page.locator('html[dir="rtl"]').waitFor();
  await everybodyCanUse();
  await hook(page, 'product-salt-jug').click();
  await hook(page, 'pay-here').click();
  const flow = person.widgetFrame(page);
  await flow.locator('html[lang="ar"][dir="rtl"]').waitFor();
  await person.agree(flow);
  await everybodyCanUse();
  await person.payWithWallet(flow);
  await person.done(flow);
  const order = await stands('paid');
  const { invoice_id } = await invoiceOf(order);
  type Taxed = { receipt_data: { attributes: { total: number; tax: number } } };
  const { buyer } = bench.platform.ready.accounts;
  const path = `/v1/transaction/${invoice_id}/receipt?account_id=${buyer.account_id}`;
  const { receipt_data } = await bench.platform.api.must<Taxed>(200, 'invoicing', 'GET', path);
  assert.deepEqual([receipt_data.attributes.total, receipt_data.attributes.tax], [5_950, 950]);
  await hook(page, 'receipt').click();
  await page.locator('html[lang="ar"][dir="rtl"]').waitFor();
  assert.match((await page.locator('body').textContent()) ?? '', /59\.50/);
  await page.goto(`${shop}/mail`);
  const mail = hook(page, 'a-mail').first();
  await mail.waitFor();
  await mail.click();
  assert.match((await mail.textContent()) ?? '', /buyer@example\.test[^]*\/receipt\//);
  await everybodyCanUse();
  const headers = { cookie: `kiln_who=${seller()}` };
  const read = await (await fetch(`${shop}/mail`, { headers })).text();
  assert.doesNotMatch(read, /buyer@example\.test/);
  await page.goto(`${shop}/`);
  await hook(page, 'language').selectOption('');
  await hook(page, 'speak').click();
  await page.locator('html[dir="ltr"]').waitFor();
  await page.setViewportSize(DESK);
});

test('Greta sells from Germany, and cashes out to her IBAN', async () => {
  await page.goto(shop);
  await hook(page, 'be-greta').click();
  assert.match((await hook(page, 'be-greta').textContent()) ?? '', /Germany, verified/);
  await page.goto(`${shop}/account`);
  await hook(page, 'own-payout').click();
  const flow = page.frameLocator('#holdfast iframe');
  await arrive(flow, 'screen-payout');
  await hook(flow, 'amount-all').click();
  await hook(flow, 'price').waitFor();
  await hook(flow, 'payout-next').click();
  assert.match((await hook(flow, 'destination').textContent()) ?? '', /3000/);
  await hook(flow, 'payout').click();
  await hook(flow, 'done').click();
  await hook(page, 'bank-yes').click();
  await hook(page, 'payout-SUCCESS').waitFor();
  await everybodyCanUse();
  await hook(page, 'be-buyer').click();
});

/** Posts a form as a page of `origin` would. */
function post(path: string, fields: Record<string, string>, origin?: string): Promise<Response> {
  return fetch(shop + path, {
    method: 'POST',
    redirect: 'manual',
    headers: origin === undefined ? {} : { origin },
    body: new URLSearchParams(fields),
  });
}

test('other sites can do nothing here, and unsigned events are rejected', async () => {
  const form = { product: 'ash-mug', escrow: 'no', way: 'here', token: '0123456789abcdef' };
  assert.equal((await post('/orders', form)).status, 403);
  assert.equal((await post('/orders', form, bench.platform.ready.urls.widget)).status, 403);
  const forged = await fetch(`${shop}/hooks`, { method: 'POST', body: '{}' });
  assert.equal(forged.status, 400);
  const address = shop.replace('localhost', '127.0.0.1');
  const moved = await fetch(`${address}/orders`, { redirect: 'manual' });
  assert.deepEqual([moved.status, moved.headers.get('location')], [302, `${shop}/orders`]);
  const html = { headers: { accept: 'text/html' } };
  assert.match(await (await fetch(`${shop}/nowhere`, html)).text(), /nothing at this address/);
  assert.equal((await fetch(`${shop}/nowhere`)).headers.get('content-type'), 'application/json');
  const astray = await post('/who', { who: seller(), back: '//evil.test' }, shop);
  assert.equal(astray.headers.get('location'), '/');
  const { client_secret } = bench.platform.ready.client;
  assert.doesNotMatch(await (await fetch(shop)).text(), new RegExp(client_secret));
});

test('a form that is sent twice at once is one order', async () => {
  const form = { product: 'ash-mug', escrow: 'no', way: 'here', token: 'fedcba9876543210' };
  const both = await Promise.all([post('/orders', form, shop), post('/orders', form, shop)]);
  const to = ['/order/fedcba9876543210', '/order/fedcba9876543210'];
  assert.deepEqual(both.map(({ headers }) => headers.get('location')), to);
  const bought = await (await fetch(`${shop}/orders`)).text();
  assert.equal(bought.split('href="/order/fedcba9876543210"').length, 2);
});

test('a restarted shop keeps its orders and takes over its events', async () => {
  const { ready, api } = bench.platform;
  await story(1);
  await hook(page, 'pay-choose').click();
  await select('wallet-switch');
  const order = await stands('paid');
  const server = createServer((request, response) => void again.handle(request, response));
  await new Promise<void>((listening) => server.listen(0, 'localhost', listening));
  const address = `http://localhost:${(server.address() as AddressInfo).port}`;
  const faults: unknown[] = [];
  const urls = { ...ready.urls, shop: address };
  const again = openShop({ ...ready, urls }, (error) => faults.push(error));
  const orders = await (await fetch(`${address}/orders`)).text();
  assert.match(orders, new RegExp(`order/${order}`));
  assert.match(await (await fetch(`${address}/order/${order}`)).text(), /stage-paid/);
  type Endpoints = { webhook_endpoints: { url: string }[] };
  const path = '/v1/webhook_endpoints';
  const { webhook_endpoints } = await api.must<Endpoints>(200, 'invoicing', 'GET', path);
  assert.deepEqual(webhook_endpoints.map(({ url }) => url), [`${address}/hooks`]);
  assert.deepEqual(faults, []);
  again.close();
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});
