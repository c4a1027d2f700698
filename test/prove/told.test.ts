// What a browser sends and stores while somebody pays: nothing leaves this machine; no message, URL
// or referrer carries a token, a nonce or a card; nothing is stored afterwards; the session has
// ended. [G-12, G-13]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { addCard, arrive, bankIn } from '../browser/buyer.ts';
import { HOSTED, newBuyer, openFramed, openHosted } from '../browser/buyer.ts';
import { order, payBy } from '../browser/buyer.ts';
import { keepsNothing, listen, type Listener } from '../browser/listener.ts';
import { hook, openBench, type Bench } from '../browser/kit.ts';

let bench: Bench;

before(async () => {
  bench = await openBench();
});
after(() => bench.stop());

/** Of the test card that the form proposes, and what is typed beside it. */
const CARD = ['4111111111111111', '4111 1111 1111 1111', 'browser_buyer'];

/** The last token of a browser opens nothing, on our pages and on the operation's own host. */
async function ended({ tokens }: Listener, account: string): Promise<void> {
  const { urls } = bench.platform.ready;
  const path = `/v1/${account}/payment_methods`;
  for (const url of [`${urls.payments}${path}`, `${urls.widget}/ui/api/payments${path}`]) {
    const headers = { authorization: `Bearer ${tokens.at(-1)}` };
    const answer = await fetch(url, { headers });
    assert.equal(answer.status, 401, await answer.text());
  }
}

/** Our origins and the processor's keep nothing in this browser. */
async function forgotten(page: Page): Promise<void> {
  const { urls } = bench.platform.ready;
  await keepsNothing(page, [urls.widget, urls.hosted, urls.processor]);
  assert.deepEqual(await page.context().cookies(), []);
}

test('in a frame: a card, a bank challenge, and only the result is reported', async () => {
  const { api } = bench.platform;
  const buyer = await newBuyer(api, 0, 'three_d_secure');
  const made = await order(api, buyer, 3_700);
  const visitor = await bench.visitor();
  const listener = await listen(visitor.context);
  const frame = await openFramed(visitor, made);
  await addCard(frame);
  await payBy(frame, buyer.cards[0] ?? '');
  await hook(bankIn(frame), 'challenge-confirm').click();
  await hook(frame, 'screen-success').waitFor();
  await keepsNothing(visitor.page, [new URL(made.redirect).origin]);
  await hook(frame, 'done').click();
  await visitor.hears('complete');
  await visitor.page.waitForLoadState('networkidle');
  listener.quiet(CARD);
  const kinds = new Set(listener.messages.map(({ where }) => where));
  assert.deepEqual([...kinds].toSorted(), ['port', 'window']);
  const said = listener.messages.map(({ text }) => text).join('\n');
  for (const personal of [buyer.account_id, ...buyer.cards, buyer.wallet]) {
    assert.ok(!said.includes(personal), personal);
  }
  await forgotten(visitor.page);
  await ended(listener, buyer.account_id);
});

test('on a page of its own: a login leaves and returns without carrying a secret', async () => {
  const { api } = bench.platform;
  const buyer = await newBuyer(api, 0);
  const made = await order(api, buyer, 3_800, HOSTED);
  const visitor = await bench.visitor();
  const listener = await listen(visitor.context);
  const page = await openHosted(visitor, made);
  await hook(page, 'add-paypal').click();
  await hook(page, 'continue').click();
  await hook(page, 'login-approve').click();
  await arrive(page);
  await hook(page, 'pay').click();
  await hook(page, 'done').click();
  await hook(page, 'screen-end').waitFor();
  await page.waitForLoadState('networkidle');
  listener.quiet(CARD);
  await forgotten(page);
  await ended(listener, buyer.account_id);
  // Where the person was before is not told either.
  assert.equal(await page.evaluate('document.referrer'), '');
});

test('cancelling ends the session too, and a token of one link opens no other buyer', async () => {
  const { api, ready } = bench.platform;
  const buyer = await newBuyer(api, 0, 'visa');
  const other = await newBuyer(api, 0, 'visa');
  const visitor = await bench.visitor();
  const listener = await listen(visitor.context);
  const frame = await openFramed(visitor, await order(api, buyer, 900));
  const headers = { authorization: `Bearer ${listener.tokens.at(-1)}` };
  const foreign = await order(api, other, 900);
  for (const [host, path, status] of [
    ['payments', `/v1/${other.account_id}/payment_methods`, 404],
    ['payments', `/v1/${buyer.account_id}/payment_methods`, 200],
    ['invoicing', `/v2/authorize/invoice/${foreign.authorized_invoice_id}`, 404],
    ['wallets', `/balances/${buyer.account_id}`, 403],
    ['invoicing', '/v1/settings', 403],
  ] as const) {
    const answer = await fetch(ready.urls[host] + path, { headers });
    assert.equal(answer.status, status, `${path}: ${await answer.text()}`);
  }
  await hook(frame, 'cancel').click();
  await visitor.hears('complete');
  await visitor.page.waitForLoadState('networkidle');
  await forgotten(visitor.page);
  await ended(listener, buyer.account_id);
});
