// The developers' pages in a real browser: forms work without a script, a form that is clicked
// twice acts once, and every page is accessible and fits a phone.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../browser/kit.ts';
import { Desk } from '../console/developer.ts';
import { receiver, type Receiver } from '../webhook/scene.ts';

let desk: Desk;
let browser: Browser;
let listening: Receiver;
let page: Page;
let base = '';
const trouble: string[] = [];

before(async () => {
  desk = await Desk.open();
  browser = await launchBrowser();
  listening = await receiver(() => ({ status: 200 }));
  const { base: at, cookie } = await desk.hire('dora', 'developer');
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url: at }]);
  base = at;
  page = await context.newPage();
  page.on('console', (said) => said.type() === 'error' && trouble.push(said.text()));
});
after(async () => {
  await Promise.all([browser?.close(), listening?.close()]);
  await desk?.platform.stop();
});

async function usable(): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
  assert.deepEqual(found, [], page.url());
  const fits = await page.evaluate('document.documentElement.scrollWidth <= innerWidth');
  assert.equal(fits, true, `${page.url()} is wider than a phone`);
}

test('an endpoint is made, tested, and its delivery explained', async () => {
  await page.goto(`${base}/webhooks`);
  await page.getByRole('link', { name: 'Create an endpoint' }).click();
  await page.getByLabel('Address').fill('not an address');
  await page.getByRole('button', { name: 'Create the endpoint' }).click();
  await page.getByRole('alert').waitFor();
  await usable();
  await page.getByLabel('Address').fill(listening.url);
  await page.getByLabel('Description').fill('Shop');
  await page.getByRole('button', { name: 'Create the endpoint' }).click();
  await page.getByText('it is not shown again').waitFor();
  await usable();
  await page.getByRole('link', { name: 'I have copied it' }).click();
  await page.getByLabel('Event').selectOption('refund-completed');
  await page.getByRole('button', { name: 'Send the test' }).click();
  await page.getByText('answered 200').waitFor();
  await usable();
  await page.getByRole('link', { name: 'Back to the endpoint' }).click();
  await desk.platform.api.register('somebody-new');
  const delivery = page.getByRole('link', { name: 'register-account-completed' }).first();
  for (let tries = 0; (await delivery.count()) === 0; tries += 1) {
    assert.ok(tries < 200, 'a delivery is listed');
    await page.reload();
  }
  await usable();
  await delivery.click();
  await page.getByRole('heading', { name: 'Signature, step by step' }).waitFor();
  await usable();
});

test('a client is made once though its button is clicked twice', async () => {
  await page.goto(`${base}/developers`);
  await usable();
  await page.getByRole('textbox', { name: 'Name' }).fill('Clicked twice');
  await page.locator('[name=scope_read_wallets]').check();
  await page.getByRole('button', { name: 'Create the client' }).dblclick();
  await page.getByRole('heading', { level: 1, name: /Client created|Sent already/ }).waitFor();
  await page.goto(`${base}/developers`);
  assert.equal(await page.getByRole('link', { name: 'Clicked twice' }).count(), 1);
  await page.getByRole('link', { name: 'Clicked twice' }).click();
  await usable();
  await page.getByRole('button', { name: 'Make a new secret' }).click();
  await page.getByRole('heading', { level: 1, name: 'New secret' }).waitFor();
});

test('settings are saved with a logo, and the log of requests is found', async () => {
  await page.goto(`${base}/developers/settings`);
  await usable();
  const picture = await page.screenshot({ clip: { x: 0, y: 0, width: 32, height: 32 } });
  const file = { name: 'logo.png', mimeType: 'image/png', buffer: picture };
  await page.getByLabel('Logo').setInputFiles(file);
  await page.getByRole('textbox', { name: 'Origins', exact: true }).fill('https://shop.example');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  await page.getByText('There is one; a new one replaces it.').waitFor();
  await page.getByRole('link', { name: 'Requests' }).click();
  await page.getByLabel('Status').selectOption('2');
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByText('POST /register').first().waitFor();
  await usable();
  await page.getByRole('link', { name: 'Limits' }).click();
  await usable();
  assert.deepEqual(trouble.filter((text) => !/400|409/.test(text)), []);
});
