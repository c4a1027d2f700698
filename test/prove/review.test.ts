// Reviews in a real browser: a reviewer signs in, compares a duplicate side by side, views its data
// and documents, and denies it with a supervisor; every page is accessible, breaks no policy and
// runs no script.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { codeAt, createOperator, type Role } from '../../src/product/access/operator/index.ts';
import { systemRandom } from '../../src/core/random.ts';
import { BusinessScene } from '../api/business-scene.ts';
import { startPlatform, type Platform } from '../api/kit.ts';
import { submission } from '../kit/identity.ts';
import { launchBrowser } from '../browser/kit.ts';

let platform: Platform;
let scene: BusinessScene;
let browser: Browser;
const trouble: string[] = [];

before(async () => {
  platform = await startPlatform();
  scene = new BusinessScene(platform);
  browser = await launchBrowser();
});
after(async () => {
  await browser?.close();
  await platform?.stop();
});

/** An operator who sits at a browser of their own, signed in. */
async function sitDown(username: string, roles: readonly Role[]): Promise<Page> {
  const { db, keys, ready } = platform;
  const wish = { name: `Name of ${username}`, username, roles, workspaces: 'all' } as const;
  const made = await createOperator(
    { db, keys, random: systemRandom },
    { ...wish, mustChange: false },
    'operator',
  );
  const page = await (await browser.newContext()).newPage();
  page.on('console', (said) => said.type() === 'error' && trouble.push(said.text()));
  page.on('pageerror', (error) => trouble.push(error.message));
  await page.goto(`${(ready.urls as Record<string, string>)['console']}/reviews`);
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password').fill(made.password);
  await page.locator('[name=code]').fill(codeAt(made.totp_secret, Date.now() / 1000));
  await page.locator('main button').click();
  await page.getByRole('heading', { name: 'Reviews', exact: true }).waitFor();
  return page;
}

async function usable(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
  assert.deepEqual(found, [], page.url());
}

/** In the dark on a phone a page is as usable, and no wider than the screen. */
async function onPhone(page: Page): Promise<void> {
  const desk = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  const fits = 'document.documentElement.scrollWidth <= innerWidth';
  assert.equal(await page.evaluate(fits), true, `${page.url()} is wider than a phone`);
  await usable(page);
  await page.emulateMedia({ colorScheme: null });
  if (desk !== null) await page.setViewportSize(desk);
}

/** Two accounts of one person, both left to people; gives the second one's account. */
async function twice(): Promise<string> {
  let account = '';
  for (const last of ['Specimen-Review', 'Specimen-Review']) {
    account = await scene.account();
    const call = { token: await scene.session(account), body: submission({ last }) };
    await platform.api.must(200, 'pii', 'POST', '/v2/kyc', call);
    for (let tries = 0; (await scene.kyc(account)) !== 'MANUAL_REVIEW'; tries += 1) {
      assert.ok(tries < 200, 'the application came to no review');
      await delay(50);
    }
  }
  return account;
}

test('a duplicate that matching found is denied by two operators', async () => {
  const account = await twice();
  const ruth = await sitDown('ruth', ['reviewer']);
  const sven = await sitDown('sven', ['supervisor']);
  await ruth.reload();
  await usable(ruth);
  await ruth.getByRole('row', { name: /, best / }).getByRole('link').first().click();
  await ruth.getByText('% similar').first().waitFor();
  assert.equal(await ruth.getByText('1 Example Way').count(), 0);
  const why = ruth.getByRole('table', { name: 'Why they match' }).first();
  const named = why.getByRole('row', { name: /^Name The same\./ });
  await named.getByText(/^\s*\+\d+\.\d\s+(strongly )?for one person/).waitFor();
  const sum = 'Together All data is the same. The score is 100.0 %.';
  await why.getByRole('row', { name: sum }).waitFor();
  await usable(ruth);
  await onPhone(ruth);
  await ruth.getByRole('button', { name: 'Take the case' }).click();
  await ruth.getByText('The case is yours').waitFor();
  await ruth.getByLabel('Reason', { exact: true }).selectOption('duplicate');
  await ruth.locator('#open-note').fill('Two accounts, one face');
  await ruth.getByRole('button', { name: 'Show data' }).click();
  await ruth.getByText('1 Example Way').first().waitFor();
  await why.getByText(/^The same; \d+ of \d+ people have it\.$/).first().waitFor();
  const picture = ruth.getByRole('img', { name: 'front' });
  type Picture = { readonly naturalWidth: number };
  const width = await picture.evaluate((one) => (one as unknown as Picture).naturalWidth);
  assert.ok(width > 0, 'the picture is shown');
  await usable(ruth);
  await ruth.getByLabel('Deny, with reasons').check();
  await ruth.getByLabel('The identity could not be verified with the data that was sent.').check();
  await ruth.locator('#decision-note').fill('The other account is older');
  await ruth.getByRole('button', { name: 'Decide' }).click();
  await ruth.getByText('Proposed: a second person').waitFor();
  assert.equal(await ruth.getByText('1 Example Way').count(), 0, 'masked again');
  await sven.goto(ruth.url());
  await sven.getByLabel('Confirm; takes effect now').check();
  await sven.locator('#second-note').fill('I see the same');
  await usable(sven);
  await sven.getByRole('button', { name: 'Submit' }).click();
  await sven.getByText('Confirmed: the decision is in effect.').waitFor();
  assert.equal(await scene.kyc(account), 'DENY');
  for (const path of ['/search', '/businesses', `/accounts/${account}`]) {
    await sven.goto(new URL(path, sven.url()).href);
    await usable(sven);
  }
  assert.deepEqual(trouble, []);
});

test('a supervisor chooses from which score on matches count, by what that costs', async () => {
  const mona = await sitDown('mona', ['supervisor']);
  await mona.getByRole('link', { name: 'From which score on matches count' }).click();
  await mona.getByText('These figures are not of your persons').waitFor();
  const costs = mona.getByRole('table', { name: 'What a threshold costs' });
  assert.equal(await costs.getByRole('row').count(), 6);
  await usable(mona);
  await onPhone(mona);
  await mona.getByLabel('A match sends an application to a person').selectOption('from 0.95');
  await mona.getByRole('button', { name: 'Choose' }).click();
  await mona.getByText('Chosen. It holds for applications from now on.').waitFor();
  await mona.getByText('from 0.95', { exact: true }).first().waitFor();
  await usable(mona);
  assert.deepEqual(trouble, []);
});
