// The demo shop's orders by a plan, clicked through: a commission of three stretches, of which one
// is released, one met halfway and one given back; a deposit that comes back by the clock. The
// books are proven at the end. [G-94, G-95]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FrameLocator, Page } from 'playwright-core';
import * as person from '../../client/playwright.ts';
import { hook, openBench, type Bench } from '../browser/kit.ts';
import { proved } from '../kit/books.ts';
import { arrive } from '../browser/person.ts';

let bench: Bench;
let page: Page;
let shop: string;
before(async () => {
  bench = await openBench();
  shop = bench.platform.ready.urls.shop;
  page = (await bench.visitor()).page;
});
after(() => bench.stop());

interface Escrow {
  readonly id: string;
  readonly status: string;
  readonly released_amount: number;
  readonly returned_amount: number;
  readonly held_amount: number;
}

/** Orders from a story's page, with the wallet; gives the order's id. */
async function order(story: number): Promise<string> {
  await page.goto(shop);
  await hook(page, `story-${story}`).click();
  await hook(page, 'pay-choose').click();
  const flow = person.widgetFrame(page);
  await person.agree(flow);
  await person.hook(flow, 'wallet-switch').check();
  await person.selectMethod(flow);
  await hook(page, 'stage-held').waitFor();
  return page.url().replace(/.*\/order\/([^?]*).*/, '$1');
}

async function escrowOf(id: string): Promise<Escrow> {
  const { api, ready } = bench.platform;
  type Listed = { reference_id: string; invoice_id: string }[];
  const path = `/v2/invoice/account/${ready.accounts.buyer.account_id}`;
  const all = await api.must<Listed>(200, 'invoicing', 'GET', path);
  const { invoice_id } = all.find(({ reference_id }) => reference_id === id) ?? {};
  return api.must(200, 'invoicing', 'GET', `/v2/escrow/by_invoice/${invoice_id}`);
}

async function money(): Promise<FrameLocator> {
  await hook(page, 'money').click();
  const flow = page.frameLocator('#holdfast iframe');
  await arrive(flow, 'screen-escrow');
  return flow;
}

const sums = ({ status, released_amount, returned_amount, held_amount }: Escrow) => [
  ...[status, released_amount, returned_amount, held_amount],
];

test('a commission: one stretch released, one met halfway, one given back', async () => {
  const id = await order(9);
  const flow = await money();
  await hook(flow, 'milestone-0').locator('[data-test="release"]').click();
  await hook(flow, 'act-dialog-confirm').click();
  await hook(flow, 'act-dialog').waitFor({ state: 'detached' });
  await hook(flow, 'close').click();
  await hook(page, 'said-done').waitFor();
  assert.deepEqual(sums(await escrowOf(id)), ['ESCROWED', 12_000, 0, 48_000]);
  await page.goto(`${shop}/order/${id}`);
  await hook(page, 'become-other').click();
  const sam = await money();
  assert.match((await hook(sam, 'sums').textContent()) ?? '', /Paid to you/);
  await hook(sam, 'milestone-1').locator('[data-test="deliver"]').click();
  await hook(sam, 'act-dialog-confirm').click();
  await hook(sam, 'act-dialog').waitFor({ state: 'detached' });
  await page.goto(`${shop}/order/${id}`);
  await hook(page, 'half-1').click();
  await hook(page, 'said-settled').waitFor();
  assert.deepEqual(sums(await escrowOf(id)), ['ESCROWED', 27_000, 15_000, 18_000]);
  assert.match((await hook(page, 'money-held').textContent()) ?? '', /180\.00/);
  await hook(page, 'back-2').click();
  await hook(page, 'stage-cancelled').waitFor();
  assert.deepEqual(sums(await escrowOf(id)), ['CANCELLED', 27_000, 33_000, 0]);
});

test('a deposit comes back after a week by the clock of the sandbox', async () => {
  await page.goto(shop);
  await hook(page, 'be-buyer').click();
  const id = await order(10);
  const flow = await money();
  assert.match((await hook(flow, 'next').textContent()) ?? '', /200\.00 go back to you on/);
  await page.goto(`${shop}/order/${id}`);
  await hook(page, 'week').click();
  await hook(page, 'stage-cancelled').waitFor();
  assert.deepEqual(sums(await escrowOf(id)), ['CANCELLED', 0, 20_000, 0]);
  await proved(bench.platform.db);
});
