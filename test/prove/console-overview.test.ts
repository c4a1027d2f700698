// The overview: charts whose figures are those of the books, and queues that lead each role to
// pages that it may open. Times are in the reader's zone, and a second factor is scanned.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser as Chromium, BrowserContextOptions, Page } from 'playwright-core';
import { queues } from '../../src/catalogue.ts';
import {
  codeAt,
  createOperator,
  ROLES,
  type Role,
} from '../../src/product/access/operator/index.ts';
import { systemRandom } from '../../src/core/random.ts';
import { fileKeys } from '../../src/providers/keys/file.ts';
import { startPlatform, type Platform } from '../api/kit.ts';
import { Market } from '../api/market.ts';
import { launchBrowser } from '../browser/kit.ts';
import { signedIn, type Browser } from '../console/kit.ts';
import { patiently } from '../start/patience.ts';
import { receiver, type Receiver } from '../webhook/scene.ts';

const DAY = { advance_seconds: 86_400 };
const PHONE = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const;
const DESK = { viewport: { width: 1280, height: 900 } } as const;
const SALES = [1_000, 4_117, 250];
let platform: Platform;
let listening: Receiver;
let at: Browser;
let chromium: Chromium;

async function operator(role: Role): Promise<Browser> {
  const keys = await fileKeys(platform.keyFile);
  const services = { db: platform.db, keys, random: systemRandom };
  const wish = { name: role, username: `the-${role}`, roles: [role], mustChange: false };
  const made = await createOperator(services, { ...wish, workspaces: 'all' }, 'operator');
  return signedIn(platform.ready.urls.console, made);
}

before(async () => {
  platform = await startPlatform();
  const { api } = platform;
  listening = await receiver(() => ({ status: 200 }));
  const body = { url: listening.url, event_names: [], description: 'Shop' };
  await api.must(201, 'invoicing', 'POST', '/v1/webhook_endpoints', { body });
  const market = new Market(api);
  for (const amount of SALES) {
    await market.sold(market.sale(amount));
    await api.must(200, 'invoicing', 'POST', '/sandbox/clock', { body: DAY });
  }
  const card = api.ready.accounts.buyer.declined_card_payment_method_id;
  const declined = { payment_methods: [{ payment_method_id: card }] };
  await market.sold(market.sale(300, declined));
  const { invoice_id: last } = await market.sold(market.sale(777));
  at = await signedIn(platform.ready.urls.console, platform.ready.console);
  const heard = () => listening.got.some(({ body }) => body.includes(last));
  assert.ok(await patiently(heard, () => listening.got.length));
  chromium = await launchBrowser();
});
after(async () => {
  await chromium?.close();
  await listening?.close();
  await platform?.stop();
});

/** Opens a page as somebody who is signed in; fails on errors and shifts of the layout. */
async function visit(
  path: string,
  options: BrowserContextOptions,
  look: (page: Page) => Promise<void>,
): Promise<void> {
  const headers = { extraHTTPHeaders: { cookie: at.cookie } };
  const context = await chromium.newContext({ ...options, ...headers });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  page.on('console', (said) => {
    if (said.type() === 'error') errors.push(said.text());
  });
  await page.goto(at.base + path);
  // A machine that is busy adds up for longer than a page waits.
  while ((await page.content()).includes('is being added up')) await page.reload();
  await look(page);
  assert.deepEqual(errors, []);
  await context.close();
}

/** No violation, nothing wider than the screen, and nothing moved while it was loaded. */
async function isFine(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes[0]?.html]), [], page.url());
  type Measured = { fits: boolean; shift: number };
  const { fits, shift } = await page.evaluate<Measured>(`new Promise((is) => {
    let shift = 0;
    new PerformanceObserver((list) => {
      for (const one of list.getEntries()) shift += one.hadRecentInput ? 0 : one.value;
    }).observe({ type: 'layout-shift', buffered: true });
    const fits = document.documentElement.scrollWidth <= innerWidth;
    setTimeout(() => is({ fits, shift }), 200);
  })`);
  assert.equal(fits, true);
  assert.ok(shift < 0.01, `what was there moved by ${shift}`);
}

/** The cells of a chart's table, newest row first. */
async function rowsOf(page: Page, caption: string): Promise<string[][]> {
  const card = page.locator('.card', { has: page.getByRole('heading', { name: caption }) });
  await card.getByText('As a table').click();
  const rows = await card.locator('tbody tr').all();
  return Promise.all(rows.map((row) => row.locator('td').allInnerTexts()));
}

for (const [name, options] of [['desk', DESK], ['phone in the dark', PHONE]] as const) {
  test(`the charts of a ${name} show the days as the books have them`, async () => {
    await visit('/', options, async (page) => {
      await isFine(page);
      const volume = (await rowsOf(page, 'Paid by buyers, USD')).map(([, value]) => value);
      assert.equal(volume.length, 30);
      const paid = ['7.77 USD', '2.50 USD', '41.17 USD', '10.00 USD', '0.00 USD'];
      assert.deepEqual(volume.slice(0, paid.length), paid);
      const [today = [], ...before] = await rowsOf(page, 'Held against owed, USD');
      const owed = await page.getByRole('row', { name: /^USD/ }).locator('td').allInnerTexts();
      assert.deepEqual(today.slice(1), owed.slice(1, 3));
      assert.deepEqual(before.at(-1)?.slice(1), ['0.00 USD', '0.00 USD']);
      const failed = page.getByRole('row', { name: /^card_declined/ });
      assert.deepEqual((await failed.locator('td').allInnerTexts())[1], '1');
      const [late = []] = await rowsOf(page, 'Delay of webhooks, 24 hours');
      assert.match(late[1] ?? '', /^[\d.]+ s$/);
      await isFine(page);
    });
  });
}

test('the pages are whole without a script, and then show UTC', async () => {
  await visit('/lists/invoices', { ...DESK, javaScriptEnabled: false }, async (page) => {
    const text = (await page.locator('time').first().textContent()) ?? '';
    assert.match(text, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
    assert.equal(await page.locator('.zone').isVisible(), false);
  });
});

test("times are in the reader's zone, and in UTC at a click, also on the next page", async () => {
  const zone = { ...PHONE, timezoneId: 'Asia/Kolkata' };
  await visit('/lists/invoices', zone, async (page) => {
    await isFine(page);
    const moment = page.locator('time').first();
    const real = Date.parse((await moment.getAttribute('datetime')) ?? '');
    const local = new Date(real + 19_800_000).toISOString().slice(0, 19).replace('T', ' ');
    const utc = `${new Date(real).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
    assert.equal(await moment.textContent(), `${local} GMT+5:30`);
    assert.equal(await moment.getAttribute('title'), utc);
    await page.getByRole('button', { name: 'Show UTC' }).click();
    assert.equal(await moment.textContent(), utc);
    await page.reload();
    assert.equal(await moment.textContent(), utc);
    assert.equal(await moment.getAttribute('title'), `${local} GMT+5:30`);
    await page.getByRole('button', { name: 'Show Asia/' }).click();
    assert.equal(await moment.textContent(), `${local} GMT+5:30`);
  });
});

test('whoever is invited scans the secret of their codes', async () => {
  const fields = { name: 'Ina', username: 'ina', role_accountant: 'on', workspace_all: 'on' };
  const { text } = await at.post('/operators', fields);
  const path = /\/invitation\/[\w-]+/.exec(text)?.[0] ?? '';
  await visit(path, PHONE, async (page) => {
    await isFine(page);
    const code = page.getByRole('img', { name: 'The authenticator link, to scan' });
    const box = await code.boundingBox();
    assert.ok(box !== null && box.width >= 200 && box.x + box.width <= 390);
    const secret = (await page.locator('.code').first().textContent()) ?? '';
    assert.match(codeAt(secret, 0), /^\d{6}$/);
  });
});

test('every row of what waits leads each role to a page, unless it may not open that', async () => {
  const worked = queues.filter(({ by }) => by === 'people');
  assert.ok(worked.length >= 12, String(worked.length));
  for (const role of Object.keys(ROLES) as Role[]) {
    const person = await operator(role);
    const { text } = await person.get('/');
    const [table = ''] = /<table>[\s\S]*?<\/table>/.exec(text) ?? [];
    const others = [...table.matchAll(/<a href="(\/lists[^"]+)"/g)].map(([, path = '']) => path);
    assert.ok(others.length >= 11, String(others.length));
    for (const path of others) {
      assert.equal((await person.get(path.replaceAll('&amp;', '&'))).status, 200, path);
    }
    for (const { title, path = '' } of worked) {
      const isLink = text.includes(`<a href="${path.replaceAll('&', '&amp;')}">${title}</a>`);
      const { status } = await person.get(path);
      assert.deepEqual([isLink, status], isLink ? [true, 200] : [false, 403], `${role}: ${title}`);
    }
  }
});
