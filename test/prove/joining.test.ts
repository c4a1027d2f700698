// Joining the console in a browser: by an invitation, and by single sign-on at another site, whose
// way back carries no strict cookie; every page of it accessible, and no wider than a phone.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { codeAt, createOperator } from '../../src/product/access/operator/index.ts';
import { fileKeys } from '../../src/providers/keys/file.ts';
import { systemRandom } from '../../src/core/random.ts';
import { joinBy } from '../browser/joining.ts';
import { launchBrowser } from '../browser/kit.ts';
import { signOnAt, startIdentityProvider } from '../kit/identity-provider.ts';
import type { IdentityProvider } from '../kit/identity-provider.ts';
import { dataFolder, startPlatform, type Platform } from '../kit/platform.ts';

const PHONE = { viewport: { width: 390, height: 844 } };
let platform: Platform;
let provider: IdentityProvider;
let folder: string;
let base: string;
let chromium: Browser;

before(async () => {
  folder = dataFolder();
  provider = await startIdentityProvider();
  const settings = signOnAt(provider, folder, 'Finance team=accountant');
  platform = await startPlatform({ settings });
  base = platform.ready.urls.console;
  provider.serve(base);
  chromium = await launchBrowser();
});
after(async () => {
  await chromium.close();
  await platform.stop();
  await provider.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The page has no violation, and needs no scrolling to the side. */
async function isFine(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes[0]?.html]), [], page.url());
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true);
}

async function signIn(page: Page): Promise<void> {
  const keys = await fileKeys(platform.keyFile);
  const services = { db: platform.db, keys, random: systemRandom };
  const wish = { name: 'Ada', username: 'ada', roles: ['operator'], workspaces: 'all' } as const;
  const made = await createOperator(services, { ...wish, mustChange: false }, 'operator');
  await page.goto(`${base}/operators`);
  await page.getByLabel('Username').fill('ada');
  await page.getByLabel('Password').fill(made.password);
  await page.getByLabel('Code').fill(codeAt(made.totp_secret, Date.now() / 1_000));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${base}/operators`);
}

test('an administrator invites somebody, who joins on a phone and is signed in', async () => {
  const desk = await (await chromium.newContext()).newPage();
  await signIn(desk);
  await isFine(desk);
  await desk.getByLabel('Name', { exact: true }).fill('Ina Invited');
  await desk.getByLabel('Username').fill('ina');
  await desk.getByLabel(/^accountant:/).check();
  await desk.getByLabel('all, including future ones').check();
  await desk.getByRole('button', { name: 'Invite' }).click();
  const link = (await desk.locator('.code').textContent()) ?? '';
  await isFine(desk);
  await desk.getByRole('link', { name: 'To the operator' }).click();
  await isFine(desk);
  const phone = await (await chromium.newContext(PHONE)).newPage();
  await phone.goto(link);
  await isFine(phone);
  await joinBy(phone, link, 'a long sentence of my own');
  await phone.waitForURL(`${base}/`);
  assert.match(await phone.content(), /Ina Invited/);
  await phone.goto(link);
  assert.match(await phone.content(), /was used, has expired, or was replaced/);
  await isFine(phone);
});

test('an accountant comes from another site and is signed in, and stays so', async () => {
  const groups = ['Finance team'];
  provider.people.set('fay', { name: 'Fay Finance', preferred_username: 'fay', groups });
  const page = await (await chromium.newContext()).newPage();
  await page.goto(`${base}/sign-in`);
  await isFine(page);
  await page.getByRole('link', { name: 'Sign in with single sign-on' }).click();
  await page.locator('input[name=login]').fill('fay');
  await page.locator('input[name=password]').fill('invented');
  await page.locator('button[type=submit]').click();
  await page.locator('input[name=prompt][value=consent]').waitFor({ state: 'attached' });
  await page.locator('button[type=submit]').click();
  await page.waitForURL(`${base}/`);
  assert.match(await page.content(), /Fay Finance/);
  await page.getByRole('link', { name: 'Bank transfers', exact: true }).click();
  await page.waitForURL(`${base}/transfers`);
  assert.equal(await page.getByRole('link', { name: 'Reviews' }).count(), 0);
});
