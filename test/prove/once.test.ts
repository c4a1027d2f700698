// An order is paid once, whatever happens in the browser: two presses, a reload, two windows, the
// back button, a lost answer, and anyone else loading the link. The records decide: one paid
// invoice and one capture at the processor. [G-13, G-44, G-45]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readAuthorized, type Authorized } from '../kit/checkout.ts';
import { reconciled, settled } from '../kit/books.ts';
import { booked, HOSTED, newBuyer } from '../browser/buyer.ts';
import { openFramed, openHosted, order, payBy, type Place } from '../browser/buyer.ts';
import { hook, openBench, type Bench, type Visitor } from '../browser/kit.ts';

let bench: Bench;

before(async () => {
  bench = await openBench();
});
after(async () => {
  try {
    await settled(bench.platform.db, 15_000);
    await reconciled(bench.platform.db);
  } finally {
    await bench.stop();
  }
});

const PRICE = 2_300;

async function once(made: Authorized): Promise<void> {
  const { api, db } = bench.platform;
  assert.equal((await readAuthorized(api, made.authorized_invoice_id)).state, 'paid');
  assert.deepEqual(await booked(db, made), { paid: 1, captures: 1, taken: PRICE });
}

/** A buyer with a card, and an order on a page of its own. */
async function scene(card = 'visa', more: object = HOSTED) {
  const { api } = bench.platform;
  const buyer = await newBuyer(api, 0, card);
  const made = await order(api, buyer, PRICE, { ...more });
  return { made, card: buyer.cards[0] ?? '', visitor: await bench.visitor() };
}

test('two presses on Pay, and a key held down, are one payment', async () => {
  const { made, card, visitor } = await scene('slow', {});
  const frame = await openFramed(visitor, made);
  await hook(frame, `method-${card}`).check();
  await hook(frame, 'pay').evaluate((element) => {
    const button = element as unknown as { click(): void };
    for (let n = 0; n < 5; n += 1) button.click();
  });
  for (let n = 0; n < 5; n += 1) await visitor.page.keyboard.press('Enter');
  await hook(frame, 'screen-success').waitFor();
  await once(made);
});

test('a page reloaded while it pays continues with that payment', async () => {
  const { made, card, visitor } = await scene('slow');
  const page = await openHosted(visitor, made);
  const sent = page.waitForRequest(/\/pay$/);
  await payBy(page, card);
  await sent;
  await page.reload();
  await hook(page, 'screen-success').waitFor();
  await once(made);
});

test('two windows that pay at once both end with the one payment', async () => {
  const { made, card, visitor } = await scene('slow');
  const page = await openHosted(visitor, made);
  // One of them comes too late, or makes the other's invoice old.
  visitor.expect(/status of 400 .*\/invoice/);
  const other = await visitor.context.newPage();
  await other.goto(made.redirect);
  await hook(other, 'screen-summary').waitFor();
  await Promise.all([payBy(page, card), payBy(other, card)]);
  for (const one of [page, other]) {
    // The window that came too late may be told to look again; pressing then is safe, too.
    const end = hook(one, 'screen-success').or(hook(one, 'problem'));
    await end.waitFor();
    if ((await hook(one, 'problem').count()) > 0) await hook(one, 'pay').click();
    await hook(one, 'screen-success').waitFor();
  }
  await once(made);
});

test('after success the back button leads to no second payment, before or after Done', async () => {
  const { made, card, visitor } = await scene();
  await visitor.page.goto(bench.shop);
  const page = await openHosted(visitor, made);
  await payBy(page, card);
  await hook(page, 'screen-success').waitFor();
  await page.goBack();
  await page.goForward();
  await hook(page, 'screen-success').waitFor();
  assert.equal(await hook(page, 'pay').count(), 0);
  await hook(page, 'done').click();
  await hook(page, 'screen-end').waitFor();
  visitor.expect(/410 \(Gone\)/);
  await page.goBack();
  await page.goForward();
  await hook(page, 'screen-link').waitFor();
  await once(made);
});

test('a lost answer leaves one payment, pressed again or not', async () => {
  const { made, card, visitor } = await scene();
  visitor.expect(/ERR_FAILED/);
  const page = await openHosted(visitor, made);
  for (const path of ['**/v2/invoice', '**/v2/invoice/*/pay']) {
    let lost = false;
    await page.route(path, async (route) => {
      if (lost) return route.fallback();
      lost = true;
      await route.fetch();
      return route.abort();
    });
  }
  await payBy(page, card);
  await hook(page, 'problem').waitFor();
  await hook(page, 'pay').click();
  await hook(page, 'problem').or(hook(page, 'screen-success')).waitFor();
  if ((await hook(page, 'problem').count()) > 0) await hook(page, 'pay').click();
  await hook(page, 'screen-success').waitFor();
  await once(made);
});

/** Loads a link as mail scanners do: with scripts, without a click; frames and prefetches too. */
async function scan(visitor: Visitor, link: string): Promise<void> {
  for (const method of ['GET', 'HEAD']) {
    assert.equal((await fetch(link, { method })).status, 200);
  }
  for (let n = 0; n < 2; n += 1) {
    await visitor.page.goto(link, { waitUntil: 'networkidle' });
    await hook(visitor.page, 'continue').waitFor();
    await visitor.page.mouse.move(200, 200);
    await visitor.page.mouse.wheel(0, 400);
  }
}

test('anyone else loading the link, before or after the buyer, opens nothing', async () => {
  const { made, card, visitor } = await scene();
  await scan(await bench.visitor(), made.redirect);
  const page = await openHosted(visitor, made);
  const late = await bench.visitor();
  late.expect(/410 \(Gone\)/);
  await late.page.goto(made.redirect);
  await hook(late.page, 'screen-link').waitFor();
  await payBy(page, card);
  await hook(page, 'screen-success').waitFor();
  await hook(page, 'done').click();
  await once(made);
});

test('two orders beside each other on one page of a shop are two payments', async () => {
  const { api } = bench.platform;
  const first = await scene('visa', {});
  const frame = await openFramed(first.visitor, first.made);
  const buyer = await newBuyer(api, 0, 'visa');
  const made = await order(api, buyer, PRICE);
  await first.visitor.execute({ rootId: 'second', flow: 'checkout', redirect: made.redirect });
  const second = first.visitor.frame('second');
  // On the element itself: each screen scrolls the page to its heading, away from under a mouse.
  const press = (place: Place, name: string) => hook(place, name).dispatchEvent('click');
  await press(second, 'agree-switch');
  await press(second, 'agree-accept');
  await hook(second, 'screen-summary').waitFor();
  await press(frame, `method-${first.card}`);
  await press(second, `method-${buyer.cards[0]}`);
  await Promise.all([press(frame, 'pay'), press(second, 'pay')]);
  await press(frame, 'done');
  await press(second, 'done');
  await first.visitor.hears('complete', 2);
  await once(first.made);
  await once(made);
});
