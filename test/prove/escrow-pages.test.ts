// An escrow in a real browser: its seller says what was delivered, its buyer releases a milestone
// and the rest, and both read what comes next. [G-94, G-95, G-76]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { commission, escrowLink, type Side } from '../browser/commission.ts';
import { everybodyCanUse } from '../browser/everybody.ts';
import { hook, openBench, type Bench } from '../browser/kit.ts';
import { arrive } from '../browser/person.ts';
import type { Page } from 'playwright-core';

let bench: Bench;
before(async () => {
  bench = await openBench();
});
after(() => bench.stop());

async function open(id: string, side: Side): Promise<Page> {
  const { page } = await bench.visitor({ phone: true });
  await page.goto(await escrowLink(bench, id, side));
  await hook(page, 'continue').click();
  await arrive(page, 'screen-escrow');
  return page;
}

const read = (id: string) =>
  bench.platform.api.must<{ status: string; held_amount: number; deliveries?: object[] }>(
    200,
    'invoicing',
    'GET',
    `/v2/escrow/${id}`,
  );

async function words(page: Page, name: string): Promise<string> {
  return (await hook(page, name).textContent()) ?? '';
}

test('a seller says that a milestone was delivered, and sees when money comes', async () => {
  const id = await commission(bench.platform.api);
  const page = await open(id, 'seller');
  assert.match(await words(page, 'sums'), /Held.*Paid to you.*Total/);
  assert.match(await words(page, 'next'), /Wood, sawn and dried.*are paid to you on/);
  assert.equal(await hook(page, 'release').count(), 0);
  await everybodyCanUse(page);
  await onRow(page, 2, 'deliver').click();
  await hook(page, 'act-dialog').waitFor();
  await everybodyCanUse(page);
  await hook(page, 'act-dialog-confirm').click();
  await hook(page, 'act-dialog').waitFor({ state: 'detached' });
  assert.match(await words(page, 'milestone-2'), /Delivered on/);
  const { deliveries, held_amount } = await read(id);
  assert.deepEqual([deliveries?.length, held_amount], [1, 8_000]);
  await hook(page, 'close').click();
  await hook(page, 'screen-end').waitFor();
});

/** A button of a milestone. */
function onRow(page: Page, at: number, name: string) {
  return hook(page, `milestone-${at}`).locator(`[data-test="${name}"]`);
}

test('a buyer releases a milestone, then the rest; a plain link only shows', async () => {
  const id = await commission(bench.platform.api);
  const page = await open(id, 'buyer');
  assert.match(await words(page, 'screen-escrow'), /A table of oak.*Your money is held/);
  await everybodyCanUse(page);
  await onRow(page, 1, 'release').click();
  await hook(page, 'act-dialog-cancel').click();
  assert.equal((await read(id)).held_amount, 8_000);
  await onRow(page, 1, 'release').click();
  await hook(page, 'act-dialog-confirm').click();
  await hook(page, 'act-dialog').waitFor({ state: 'detached' });
  assert.match(await words(page, 'said'), /30\.00 were released/);
  assert.equal((await read(id)).held_amount, 5_000);
  await hook(page, 'release-rest').click();
  await hook(page, 'act-dialog-confirm').click();
  await hook(page, 'release-rest').waitFor({ state: 'detached' });
  assert.equal((await read(id)).status, 'COMMITTED');
  await everybodyCanUse(page);
  const { account_id } = bench.platform.ready.accounts.buyer;
  const visitor = await bench.visitor();
  const frame = await visitor.begin({
    flow: 'escrow',
    redirect: await bench.link('escrow', { account_id }),
    flowConfig: { transactionId: await commission(bench.platform.api) },
  });
  await arrive(frame, 'screen-escrow');
  assert.equal(await hook(frame, 'release').count(), 0);
  assert.equal(await hook(frame, 'release-rest').count(), 0);
});

test('an escrow of others is a full-screen error', async () => {
  const visitor = await bench.visitor();
  visitor.expect(/status of 404/);
  const frame = await visitor.begin({
    flow: 'escrow',
    redirect: await bench.link('escrow', {
      account_id: bench.platform.ready.accounts.seller2.account_id,
    }),
    flowConfig: { transactionId: await commission(bench.platform.api) },
  });
  await arrive(frame, 'screen-crash');
  assert.equal((await visitor.hears('error')).code, 'ESCROW_NOT_FOUND');
});
