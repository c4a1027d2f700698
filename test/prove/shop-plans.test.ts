// The demo shop's orders by a plan, clicked through: a commission of three stretches, of which one
// is released, one divided after a quarrel and one given back; the same settled by the two alone,
// or by the limit; a deposit that comes back by the clock. The books are proven. [G-94, G-95, G-96]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FrameLocator, Page } from 'playwright-core';
import * as person from '../../client/playwright.ts';
import { hook, openBench, type Bench } from '../browser/kit.ts';
import { proved } from '../kit/books.ts';
import { until } from '../kit/until.ts';
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
  await hook(page, 'be-buyer').click();
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

/** From the other side's page of the order. */
async function becomeOther(id: string): Promise<void> {
  await page.goto(`${shop}/order/${id}`);
  await hook(page, 'become-other').click();
}

/** The first stretch is released by its buyer, and the second disputed with a word. */
async function quarrel(): Promise<string> {
  const id = await order(9);
  const flow = await money();
  await hook(flow, 'milestone-0').locator('[data-test="release"]').click();
  await hook(flow, 'act-dialog-confirm').click();
  await hook(flow, 'act-dialog').waitFor({ state: 'detached' });
  assert.deepEqual(sums(await escrowOf(id)), ['ESCROWED', 12_000, 0, 48_000]);
  await hook(flow, 'disagreement').click();
  await hook(flow, 'reason').selectOption('not_as_described');
  await hook(flow, 'statement').fill('Six of the eighteen plates are cracked.');
  await hook(flow, 'state').click();
  await hook(flow, 'statement-0').waitFor();
  return id;
}

const sums = ({ status, released_amount, returned_amount, held_amount }: Escrow) => [
  ...[status, released_amount, returned_amount, held_amount],
];

test('a commission: one stretch released, one divided by the shop, one given back', async () => {
  const id = await quarrel();
  await becomeOther(id);
  assert.match((await hook(page, 'wrong').textContent()) ?? '', /You disagree about it/);
  const sam = await money();
  assert.equal(await hook(sam, 'deliver').count(), 0, 'it stands still');
  await hook(sam, 'disagreement').click();
  await hook(sam, 'statement-0').getByText('Six of the eighteen').waitFor();
  await hook(sam, 'statement').fill('They left my kiln whole.');
  await hook(sam, 'state').click();
  await hook(sam, 'statement-1').waitFor();
  await page.goto(`${shop}/order/${id}`);
  await hook(page, 'half-0').click();
  await hook(page, 'stage-cancelled').waitFor();
  assert.deepEqual(sums(await escrowOf(id)), ['CANCELLED', 27_000, 33_000, 0]);
  assert.equal(await hook(page, 'half-0').count(), 0);
});

test('the two agree alone: the seller offers, the buyer accepts', async () => {
  const id = await quarrel();
  await becomeOther(id);
  const sam = await money();
  await hook(sam, 'disagreement').click();
  await hook(sam, 'make-offer').click();
  await hook(sam, 'offer-amount').fill('280');
  await hook(sam, 'offer-dialog-confirm').click();
  await hook(sam, 'offer').waitFor();
  await becomeOther(id);
  const flow = await money();
  await hook(flow, 'disagreement').click();
  await hook(flow, 'accept').click();
  await hook(flow, 'accept-dialog-confirm').click();
  await hook(flow, 'accept').waitFor({ state: 'detached' });
  await hook(flow, 'back').click();
  await hook(flow, 'sums').getByText('Returned to you').waitFor();
  assert.deepEqual(sums(await escrowOf(id)), ['CANCELLED', 32_000, 28_000, 0]);
});

test('nobody decides: the limit of the shop does, by the clock', async () => {
  const { api } = bench.platform;
  const body = { days: 7, outcome: 'buyer' };
  await api.must(200, 'invoicing', 'PUT', '/v1/settings/disagreements', { body });
  const id = await quarrel();
  const week = { body: { advance_seconds: 7 * 86_400 } };
  await api.must(200, 'invoicing', 'POST', '/sandbox/clock', week);
  const ended = await until('the limit', async () => {
    const now = await escrowOf(id);
    return now.status === 'CANCELLED' && now;
  });
  assert.deepEqual(sums(ended), ['CANCELLED', 12_000, 48_000, 0]);
});

test('a deposit comes back after a week by the clock of the sandbox', async () => {
  const id = await order(10);
  const flow = await money();
  assert.match((await hook(flow, 'next').textContent()) ?? '', /200\.00 go back to you on/);
  await page.goto(`${shop}/order/${id}`);
  await hook(page, 'week').click();
  await hook(page, 'stage-cancelled').waitFor();
  assert.deepEqual(sums(await escrowOf(id)), ['CANCELLED', 0, 20_000, 0]);
  await proved(bench.platform.db);
});
