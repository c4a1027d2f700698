// Paying by keyboard alone, through our frames and the processor's: Tab reaches every control and
// shows the focus, a new screen starts at its heading, a dialog gives the focus back.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { booked, focused, HOSTED, newBuyer, order, press, tabTo } from '../browser/buyer.ts';
import { hook, openBench, type Bench } from '../browser/kit.ts';

let bench: Bench;

before(async () => {
  bench = await openBench();
});
after(() => bench.stop());

/** A new screen takes the focus to its heading, so that Tab goes on from there. */
async function atHeading(page: Page, screen: string): Promise<void> {
  await hook(page, screen).waitFor();
  const at = "document.activeElement === document.querySelector('h1')";
  for (let tries = 0; tries < 200; tries += 1) {
    if ((await page.evaluate(at)) === true) return;
    await page.waitForTimeout(25);
  }
  assert.fail(`${screen} did not take the focus to its heading`);
}

test('terms, a new card in the frame, the bank and the result, by keyboard', async () => {
  const { api, db } = bench.platform;
  const buyer = await newBuyer(api, 0, 'three_d_secure');
  const made = await order(api, buyer, 5_200, HOSTED);
  const visitor = await bench.visitor();
  const { page } = visitor;
  await page.goto(made.redirect);
  await hook(page, 'continue').waitFor();
  await press(page, 'continue');
  await atHeading(page, 'screen-agree');
  await press(page, 'agree-switch', 'Space');
  await press(page, 'agree-accept');
  await atHeading(page, 'screen-summary');
  await press(page, 'add-card');
  await atHeading(page, 'screen-add-card');
  await hook(page.frameLocator('[data-test="entry-frame"] iframe'), 'card-save').waitFor();
  await tabTo(page, 'card-number');
  await page.keyboard.type('4242424242424242');
  await tabTo(page, 'card-expiry');
  await page.keyboard.type('1299');
  await tabTo(page, 'card-cvc');
  await page.keyboard.type('123');
  await page.keyboard.press('Enter');
  await atHeading(page, 'screen-summary');
  // The new card is chosen; the arrow keys choose the other one.
  const name = (): Promise<string | null> =>
    page.locator('input[name="method"]:checked').getAttribute('data-test');
  const added = await name();
  assert.notEqual(added, `method-${buyer.cards[0]}`);
  await tabTo(page, added ?? '');
  await page.keyboard.press('ArrowUp');
  assert.equal(await name(), `method-${buyer.cards[0]}`);
  await press(page, 'pay');
  await atHeading(page, 'screen-authenticate');
  await hook(page.frameLocator('[data-test="authentication-frame"] iframe'), 'challenge-confirm')
    .waitFor();
  await press(page, 'challenge-confirm');
  await atHeading(page, 'screen-success');
  await press(page, 'done');
  await hook(page, 'screen-end').waitFor();
  assert.equal((await booked(db, made)).taken, 5_200);
});

test('a method is renamed and removed: dialogs keep the focus and give it back', async () => {
  const { api } = bench.platform;
  const buyer = await newBuyer(api, 0, 'visa', 'mastercard');
  const visitor = await bench.visitor();
  const { page } = visitor;
  await page.goto((await order(api, buyer, 900, HOSTED)).redirect);
  await hook(page, 'continue').click();
  await hook(page, 'agree-switch').check();
  await hook(page, 'agree-accept').click();
  await hook(page, 'screen-summary').waitFor();
  const menu = `method-menu-${buyer.cards[0]}`;
  await press(page, menu);
  await press(page, 'method-rename');
  await hook(page, 'rename-dialog').waitFor();
  assert.equal((await focused(page))?.name, 'rename-name');
  // Tab goes round in the dialog, and nowhere else.
  for (let n = 0; n < 8; n += 1) {
    await page.keyboard.press('Tab');
    const inside = `document.activeElement === document.body ||
      document.activeElement.closest('dialog') !== null`;
    assert.equal(await page.evaluate(inside), true);
  }
  await page.keyboard.press('Escape');
  await hook(page, 'rename-dialog').waitFor({ state: 'detached' });
  assert.equal((await focused(page))?.name, 'method-rename');
  await page.keyboard.press('Enter');
  await hook(page, 'rename-dialog').waitFor();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('Card of the house');
  await page.keyboard.press('Enter');
  await page.getByText('Card of the house', { exact: true }).waitFor();
  await press(page, 'method-remove');
  await hook(page, 'remove-dialog').waitFor();
  await press(page, 'remove-dialog-confirm');
  await hook(page, menu).waitFor({ state: 'detached' });
  // What was said of it has the focus, so that it is read out, and Tab goes on from there.
  assert.equal(await page.evaluate('document.activeElement.getAttribute("role")'), 'status');
  await press(page, 'cancel');
  await hook(page, 'screen-end').waitFor();
});

test("in a shop's page: choosing two methods, within the page's tab order", async () => {
  const { api } = bench.platform;
  const buyer = await newBuyer(api, 400, 'visa');
  const { account_id } = buyer;
  const visitor = await bench.visitor();
  const { page } = visitor;
  const transactionDetails = { transaction_amount: 1_000, currency: 'USD' };
  const frame = await visitor.begin({
    flow: 'payment-selection',
    redirect: await bench.link('payment-selection', { account_id }),
    flowConfig: { transactionDetails },
  });
  await hook(frame, 'screen-agree').waitFor();
  // A frame does not take the focus from the page that it stands in.
  assert.notEqual(await page.evaluate('document.activeElement.tagName'), 'IFRAME');
  await press(page, 'agree-switch', 'Space');
  await press(page, 'agree-accept');
  await hook(frame, 'screen-methods').waitFor();
  await press(page, 'wallet-switch', 'Space');
  assert.equal(await hook(frame, 'wallet-switch').isChecked(), true);
  await tabTo(page, `method-${buyer.cards[0]}`);
  await press(page, 'select-method');
  const { paymentMethods } = await visitor.hears('complete');
  assert.equal((paymentMethods as unknown[]).length, 2);
});
