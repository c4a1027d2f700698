// A disagreement about an escrow in a real browser: a buyer opens it by keyboard with words and a
// photo, the seller answers and offers, the buyer accepts; every screen is read and checked. [G-96]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { press, tabTo } from '../browser/buyer.ts';
import { commission, disagreed, escrowLink, type Side } from '../browser/commission.ts';
import { everybodyCanUse } from '../browser/everybody.ts';
import { hook, openBench, type Bench, type Visitor } from '../browser/kit.ts';
import { arrive, PHOTO } from '../browser/person.ts';

let bench: Bench;
before(async () => {
  bench = await openBench();
});
after(() => bench.stop());

async function open(id: string, side: Side, speaks = true): Promise<Page & { visitor: Visitor }> {
  const visitor = await bench.visitor({ phone: true });
  const { page } = visitor;
  await page.goto(await escrowLink(bench, id, side, speaks));
  await hook(page, 'continue').click();
  await arrive(page, 'screen-escrow');
  return Object.assign(page, { visitor });
}

const words = async (page: Page, name: string): Promise<string> =>
  (await hook(page, name).textContent()) ?? '';

interface Read {
  readonly status: string;
  readonly reason: string;
  readonly statements: readonly { side: string; file_name: string }[];
  readonly settlement?: object;
}

const read = (id: string): Promise<Read> =>
  bench.platform.api.must(200, 'invoicing', 'GET', `/v2/escrow/${id}/dispute`);

/** The focus is on what a hook names. */
async function focusedOn(page: Page, name: string): Promise<void> {
  const at = `document.activeElement.getAttribute('data-test') === '${name}'`;
  for (let tries = 0; tries < 100 && !(await page.evaluate(at)); tries += 1) {
    await page.waitForTimeout(25);
  }
  assert.ok(await page.evaluate(at), `the focus is on ${name}`);
}

test('a buyer opens one by keyboard; what is missing is said at its field', async () => {
  const id = await commission(bench.platform.api);
  const page = await open(id, 'buyer');
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(request.url()));
  await press(page, 'disagreement');
  await hook(page, 'screen-disagreement-begin').waitFor();
  assert.ok(loaded.some((url) => url.endsWith('.js')), 'its code comes with the first look');
  assert.equal(await page.evaluate("document.activeElement.tagName === 'H1'"), true);
  await everybodyCanUse(page);
  await press(page, 'state');
  await focusedOn(page, 'reason');
  const missing = /Choose a reason\..*Write what happened/;
  assert.match(await words(page, 'screen-disagreement-begin'), missing);
  await everybodyCanUse(page);
  await page.keyboard.type('Damaged');
  await tabTo(page, 'statement');
  await page.keyboard.type('My card is 4111 1111 1111 1111.');
  page.visitor.expect(/status of 400/);
  await press(page, 'state');
  await focusedOn(page, 'statement');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('One leg is broken.');
  await hook(page, 'statement-file').setInputFiles({
    ...{ name: 'leg.txt', mimeType: 'text/plain', buffer: Buffer.from('no photo') },
  });
  await page.getByText('This file cannot be taken.').waitFor();
  await hook(page, 'statement-file').setInputFiles(PHOTO);
  await hook(page, 'statement-file-clear').waitFor();
  await press(page, 'state');
  await hook(page, 'screen-disagreement').waitFor();
  assert.match(await words(page, 'facts'), /ReasonDamagedOpened byYouHeld.*80\.00/);
  assert.match(await words(page, 'limit'), /After that .* decides/);
  assert.match(await words(page, 'statement-0'), /One leg is broken\.You · /);
  const saved = page.waitForEvent('download');
  await press(page, 'file-1');
  assert.equal((await saved).suggestedFilename(), 'statement.png');
  await everybodyCanUse(page);
  const { status, reason, statements } = await read(id);
  assert.deepEqual([status, reason], ['open', 'damaged']);
  assert.deepEqual(statements.map(({ file_name }) => file_name), ['', 'statement.png']);
  await press(page, 'back');
  await hook(page, 'screen-escrow').waitFor();
  assert.match(await words(page, 'screen-escrow'), /Nothing moves until that is settled/);
  assert.equal(await hook(page, 'release-rest').count(), 0);
});

test('the seller answers and offers, the buyer declines, then accepts', async () => {
  const id = await commission(bench.platform.api);
  await disagreed(bench.platform.api, id);
  const buyer = await open(id, 'buyer');
  await hook(buyer, 'disagreement').click();
  await hook(buyer, 'offer').waitFor();
  assert.match(await words(buyer, 'offer'), /other side offers.*60\.00.*20\.00/);
  await everybodyCanUse(buyer);
  await press(buyer, 'decline');
  await hook(buyer, 'offer').waitFor({ state: 'detached' });
  assert.match(await words(buyer, 'said'), /other side is told/);
  const seller = await open(id, 'seller');
  await hook(seller, 'disagreement').click();
  await hook(seller, 'statement').fill('I can mend it.');
  await hook(seller, 'state').click();
  await hook(seller, 'statement-2').waitFor();
  assert.equal(await hook(seller, 'statement').inputValue(), '');
  await press(seller, 'make-offer');
  await hook(seller, 'offer-dialog').waitFor();
  await focusedOn(seller, 'offer-amount');
  for (const wrong of ['', '80.01', 'x', '-1']) {
    await hook(seller, 'offer-amount').fill(wrong);
    await seller.keyboard.press('Enter');
    await seller.getByText(/Enter an amount from 0 to .*80\.00/).waitFor();
  }
  await everybodyCanUse(seller);
  await hook(seller, 'offer-amount').fill('٣٥٫٥٠');
  await seller.getByText(/The rest, .*44\.50, goes to the seller/).waitFor();
  await seller.keyboard.press('Enter');
  await hook(seller, 'offer-dialog').waitFor({ state: 'detached' });
  await focusedOn(seller, 'make-offer');
  assert.match(await words(seller, 'offer'), /Your offer.*44\.50.*35\.50.*waits/);
  assert.equal(await hook(seller, 'accept').count(), 0);
  await hook(buyer, 'back').click();
  await hook(buyer, 'disagreement').click();
  await press(buyer, 'accept');
  await hook(buyer, 'accept-dialog').waitFor();
  assert.match(await words(buyer, 'accept-dialog'), /44\.50 to the seller, .*35\.50 back/);
  await everybodyCanUse(buyer);
  await press(buyer, 'accept-dialog-confirm');
  await hook(buyer, 'accept-dialog').waitFor({ state: 'detached' });
  assert.match(await words(buyer, 'screen-disagreement'), /buyer and seller agreed/);
  assert.equal(await hook(buyer, 'statement').count(), 0, 'nothing more to say');
  const sums = { to_sellers: 4_450, to_buyer: 3_550, to_integrator: 0 };
  assert.deepEqual((await read(id)).settlement, { by: 'agreement', ...sums });
  // The seller's page is older than that.
  seller.visitor.expect(/status of 400/);
  await hook(seller, 'statement').fill('Too late.');
  await hook(seller, 'state').click();
  await seller.getByText('The disagreement has ended meanwhile.').waitFor();
});

test('a plain link shows it, and lets nobody speak', async () => {
  const id = await commission(bench.platform.api);
  const quiet = await open(id, 'seller', false);
  assert.equal(await hook(quiet, 'disagreement').count(), 0);
  await disagreed(bench.platform.api, id);
  const page = await open(id, 'buyer', false);
  await hook(page, 'disagreement').click();
  await hook(page, 'offer').waitFor();
  for (const name of ['accept', 'decline', 'make-offer', 'statement']) {
    assert.equal(await hook(page, name).count(), 0, name);
  }
});
