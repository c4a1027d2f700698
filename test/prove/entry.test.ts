// The processor's own pages in a real browser: a card by keyboard alone, validation while typing, a
// login that leaves and returns, who learns how it ended, and accessibility: axe, a narrow screen
// as at 400 %, and right to left. [PD4]
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core';
import { startPlatform, type Platform } from '../api/kit.ts';
import { launchBrowser } from '../browser/kit.ts';
import { personToken } from '../kit/person-token.ts';

let platform: Platform;
let browser: Browser;
before(async () => {
  platform = await startPlatform();
  browser = await launchBrowser();
});
after(async () => {
  await browser?.close();
  await platform?.stop();
});

interface Entry {
  readonly entry_id: string;
  readonly url: string;
  readonly token: string;
}

/** An entry of a new person. */
async function begin(body: object): Promise<Entry> {
  const { api, ready } = platform;
  const person = { body: { username: `person ${(people += 1)}` } };
  type Made = { account_id: string };
  const { account_id } = await api.must<Made>(200, 'accounts', 'POST', '/register', person);
  const token = await personToken(platform, {
    client: { clientId: ready.client.client_id, integrator: ready.integrator },
    kind: 'session',
    accountId: account_id,
    scopes: ['write_payment_method'],
    seconds: 600,
  });
  const path = '/v1/payment_method/entry';
  return { ...(await api.must<Entry>(201, 'payments', 'POST', path, { body, token })), token };
}
let people = 0;

/** What attaching says: that it is finished is known from the next thing that is missing. */
async function stateOf({ entry_id, token }: Entry): Promise<string> {
  const call = { body: { entry_id }, token };
  return (await platform.api.send('payments', 'POST', '/v1/payment_method', call)).code;
}

/** What a page of that origin heard from the frame that it holds. */
interface Framed {
  readonly page: Page;
  readonly frame: Frame;
  heard(): Promise<{ type: string; height: number; origin: string }[]>;
}

/** A page of ours, or of somebody else, that holds the entry's page in a frame. */
async function frameIn(context: BrowserContext, address: string, url: string): Promise<Framed> {
  const page = await context.newPage();
  await page.goto(address);
  await page.evaluate(`
    heard = [];
    addEventListener('message', (event) => heard.push({ ...event.data, origin: event.origin }));
    const holder = document.createElement('iframe');
    Object.assign(holder, { title: 'Entry', width: 420, height: 700, src: ${JSON.stringify(url)} });
    document.body.replaceChildren(holder);`);
  const frame = await (await page.waitForSelector('iframe')).contentFrame();
  assert.ok(frame);
  return { page, frame, heard: () => page.evaluate('heard') };
}

/** Fails the test on an error in the console, but for the answers that a test provokes. */
async function watched(context: BrowserContext): Promise<string[]> {
  const troubles: string[] = [];
  context.on('console', (message) => {
    const provoked = /status of 4\d\d/.test(message.text());
    if (message.type() === 'error' && !provoked) troubles.push(message.text());
  });
  context.on('weberror', (error) => troubles.push(error.error().message));
  return troubles;
}

const hook = (name: string): string => `[data-test="${name}"]`;

async function fits(page: Page): Promise<void> {
  const found = await new AxeBuilder({ page }).analyze();
  assert.deepEqual(found.violations.map(({ id, help }) => `${id}: ${help}`), []);
  const wide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  assert.equal(await page.evaluate(wide), 0, 'nothing to the side');
}

test('a card is entered by keyboard alone, and the framing page is told', async () => {
  const context = await browser.newContext();
  const troubles = await watched(context);
  const entry = await begin({ kind: 'card' });
  const { widget, processor } = platform.ready.urls;
  const ours = `${widget}/ui/appauth/none`;
  const { page, frame, heard } = await frameIn(context, ours, entry.url);
  await frame.locator('#number').focus();
  await page.keyboard.type('4000056655665556');
  assert.equal(await frame.locator('#number').inputValue(), '4000 0566 5566 5556');
  assert.equal(await frame.locator('#brand').textContent(), 'Visa');
  await page.keyboard.press('Tab');
  await page.keyboard.type('1299');
  assert.equal(await frame.locator('#expiry').inputValue(), '12 / 99');
  await page.keyboard.press('Tab');
  await page.keyboard.type('123');
  await page.keyboard.press('Enter');
  const refused = frame.locator('#number-error');
  await refused.filter({ hasText: 'only test cards' }).waitFor();
  assert.equal(await page.evaluate('document.activeElement.tagName'), 'IFRAME');
  assert.equal(await frame.evaluate('document.activeElement.id'), 'number');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('4111111111111111');
  assert.equal(await refused.textContent(), '', 'the sentence goes with its cause');
  await page.keyboard.press('Enter');
  await frame.getByText('Saved, ending in 1111').waitFor();
  const said = await heard();
  const types = [...new Set(said.map(({ type }) => type))];
  assert.deepEqual(types.filter((type) => type !== 'resize'), ['ready', 'complete']);
  assert.ok(said.every(({ origin, height }) => origin === processor && height > 50));
  assert.ok(!JSON.stringify(said).includes('1111'));
  assert.equal(await stateOf(entry), 'TERMS_NOT_SIGNED');
  assert.deepEqual(troubles, []);
  await context.close();
});

test('one click suffices after a refusal, whatever moves above the button', async () => {
  const page = await browser.newPage();
  await page.goto((await begin({ kind: 'bank' })).url);
  await page.locator(hook('bank-routing')).fill('123456789');
  await page.locator(hook('bank-account')).fill('9999');
  await page.locator(hook('bank-save')).click();
  const refused = page.locator('#account-error');
  await refused.filter({ hasText: 'only test accounts' }).waitFor();
  await page.locator(hook('hint')).first().click();
  assert.equal(await page.locator('#account').inputValue(), '000123456789');
  assert.equal(await refused.textContent(), '');
  await page.locator(hook('bank-save')).click();
  await page.getByText('Saved, ending in 6789').waitFor();
  await page.close();
});

test('only its own page gets messages, and a stranger cannot frame it', async () => {
  const context = await browser.newContext();
  const entry = await begin({ kind: 'card' });
  const { hosted } = platform.ready.urls;
  const { frame, heard } = await frameIn(context, `${hosted}/checkout/none`, entry.url);
  await frame.locator(hook('card-cancel')).click();
  await frame.getByText('Nothing was saved').waitFor();
  assert.deepEqual(await heard(), []);
  const server = createServer((_, response) => response.end('<body>stranger</body>')).listen(0);
  const { port } = server.address() as AddressInfo;
  const body = { registered_origins: ['https://shop.test'] };
  await platform.api.must(200, 'invoicing', 'PATCH', '/v1/settings', { body });
  const { url } = await begin({ kind: 'card' });
  const barred = await frameIn(context, `http://localhost:${port}/`, url);
  await barred.frame.waitForURL(/^chrome-error:/);
  await platform.api.must(200, 'invoicing', 'PATCH', '/v1/settings', {
    body: { registered_origins: [] },
  });
  await context.close();
  server.close();
});

test('input is validated while it is typed', async () => {
  const page = await browser.newPage();
  await page.goto((await begin({ kind: 'card' })).url);
  const typed = async (id: string, text: string): Promise<string> => {
    await page.locator(`#${id}`).fill('');
    await page.locator(`#${id}`).pressSequentially(text);
    return (await page.locator(`#${id}-error`).textContent()) ?? '';
  };
  assert.match(await typed('number', '4111111111111112'), /not valid/);
  assert.equal(await typed('number', '41111111'), '', 'nothing is wrong before it is whole');
  assert.equal(await typed('number', '378282246310005'), '');
  assert.equal(await page.locator('#number').inputValue(), '3782 822463 10005');
  assert.match(await typed('expiry', '1330'), /01 to 12/);
  assert.match(await typed('expiry', '0119'), /has expired/);
  assert.equal(await typed('expiry', '9/2060'), '');
  await typed('cvc', '12a3');
  assert.equal(await page.locator('#expiry').inputValue(), '09 / 60');
  await page.locator(hook('card-save')).click();
  assert.match((await page.locator('#cvc-error').textContent()) ?? '', /4 digits/);
  await page.locator('#number').fill('5555 5555 5555 4444');
  await page.locator('#number').press('ArrowLeft');
  await page.locator('#number').press('Backspace');
  assert.equal(await page.locator('#number').inputValue(), '5555 5555 5555 444');
  assert.equal(await page.evaluate('document.activeElement.selectionStart'), 17);
  await page.close();
});

test('a card is typed in the digits of the person, on a page in their language', async () => {
  const page = await browser.newPage();
  const { url } = await begin({ kind: 'card', dir: 'rtl' });
  await page.goto(`${url}?lang=ar`);
  assert.equal(await page.locator('html').getAttribute('lang'), 'ar');
  await page.locator('#number').pressSequentially('٤١١١١١١١１１１１۱۱۱۱');
  assert.equal(await page.locator('#number').inputValue(), '4111 1111 1111 1111');
  await page.locator('#expiry').pressSequentially('０９／६०');
  assert.equal(await page.locator('#expiry').inputValue(), '09 / 60');
  await page.locator('#cvc').pressSequentially('Ⅳ四١２');
  assert.equal(await page.locator('#cvc').inputValue(), '12', 'a numeral is no digit');
  await page.locator(hook('card-save')).click();
  assert.match((await page.locator('#cvc-error').textContent()) ?? '', /رمز الأمان وعددها 3/);
  await page.locator('#cvc').pressSequentially('٣');
  await page.locator(hook('card-save')).click();
  await page.getByText('تم الحفظ، ينتهي بـ 1111').waitFor();
  for (const lang of ['tlh', '%22%3E', '']) {
    assert.equal((await page.goto(`${url}?lang=${lang}`))?.status(), 200);
    assert.equal(await page.locator('html').getAttribute('lang'), 'en', 'as the browser asks');
  }
  await page.close();
});

test('a newcomer can choose a test number and save', async () => {
  const context = await browser.newContext();
  const troubles = await watched(context);
  const page = await context.newPage();
  for (const [kind, hint] of [
    ['card', '4111 1111 1111 1111'],
    ['bank', '000123456789'],
  ] as const) {
    const entry = await begin({ kind });
    await page.goto(entry.url);
    await page.getByRole('button', { name: hint }).click();
    await page.locator(hook(`${kind}-save`)).click();
    await page.getByText('Saved, ending in').waitFor();
    assert.equal(await stateOf(entry), 'TERMS_NOT_SIGNED');
    await page.reload();
    await page.getByText('It was saved.').waitFor();
  }
  assert.deepEqual(troubles, []);
  await context.close();
});

test('a wallet login leaves and comes back, approved or refused', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const { widget } = platform.ready.urls;
  for (const [button, path] of [
    ['login-approve', '/ui/back'],
    ['login-refuse', '/ui/refused'],
  ] as const) {
    const entry = await begin({ kind: 'paypal', return_url: widget + path });
    await page.goto(entry.url);
    await fits(page);
    await page.locator(hook(button)).click();
    await page.waitForURL(`${widget}${path}?entry_id=${entry.entry_id}`);
  }
  await context.close();
});

test('everybody can use the pages: axe, narrow, dark, from right to left', async () => {
  const { widget } = platform.ready.urls;
  const api = (method: string, body: object): Promise<unknown> =>
    platform.api.must(200, 'invoicing', method, '/v1/settings', { body });
  for (const [background_color, primary_color, width, dir] of [
    ['#ffffff', '#1d4ed8', 700, 'ltr'],
    ['#101418', '#FFD166', 320, 'rtl'],
    ['#808080', '#808080', 320, 'ltr'],
  ] as const) {
    await api('PATCH', { look: { background_color, primary_color } });
    const context = await browser.newContext({ viewport: { width, height: 900 } });
    const page = await context.newPage();
    for (const kind of ['card', 'bank', 'paypal']) {
      const more = kind === 'paypal' ? { return_url: `${widget}/ui/back` } : {};
      await page.goto((await begin({ kind, dir, ...more })).url);
      if (kind !== 'paypal') await page.locator('#save').click();
      await fits(page);
    }
    await context.close();
  }
});
