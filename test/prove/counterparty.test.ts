// The scenario pages in a browser: every listed scenario has a page that works without a script, is
// accessible, in light and dark, on desk and phone, and links to its neighbours. [G-64]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { launchBrowser } from '../browser/kit.ts';
import { listed } from '../faults/listed.ts';
import { startPlatform, type Platform } from '../kit/platform.ts';

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

/** A page, and what the browser complained about on it. */
async function open(
  path: string,
  options: BrowserContextOptions,
): Promise<{ readonly page: Page; readonly errors: string[] }> {
  const page = await (await browser.newContext(options)).newPage();
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await page.goto(platform.ready.urls.processor + path);
  return { page, errors };
}

const SIZES = { desk: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } } as const;

for (const [size, viewport] of Object.entries(SIZES)) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`the pages are accessible on a ${size}, ${colorScheme}`, async () => {
      for (const path of ['', '/silent_look_ups', '/person.review_denied_accepted']) {
        const { page, errors } = await open(`/scenarios${path}`, { viewport, colorScheme });
        const { violations } = await new AxeBuilder({ page }).analyze();
        assert.deepEqual(violations.map((one) => one.id), [], path);
        const wider = 'document.documentElement.scrollWidth - window.innerWidth';
        assert.equal(await page.evaluate(wider), 0, `${path} is wider than the screen`);
        assert.deepEqual(errors, []);
        await page.context().close();
      }
    });
  }
}

test('without a script one can walk through the pages; a click selects a whole call', async () => {
  const { page, errors } = await open('/scenarios', { javaScriptEnabled: false });
  await page.getByRole('link', { name: 'declined', exact: true }).click();
  await page.getByRole('heading', { name: 'How it must end' }).waitFor();
  await page.getByText('Failed with the reason, nothing captured.').waitFor();
  await page.getByRole('link', { name: /Next/ }).click();
  await page.getByRole('heading', { name: 'lost_before_effect' }).waitFor();
  await page.getByRole('link', { name: 'Card processor' }).click();
  await page.waitForURL(/\/scenarios#processor$/);
  assert.deepEqual(errors, []);
  await page.context().close();
  const second = await open('/scenarios/declined', {});
  await second.page.getByText('curl -X POST').click();
  const taken = (await second.page.evaluate('getSelection().toString()')) as string;
  assert.ok(taken.startsWith('curl -X POST') && taken.endsWith(`'{"scenario":"declined"}'`), taken);
  await second.page.context().close();
});

test('every scenario that is listed has its page, with its words and its call', async () => {
  for (const { page, story, ends, name } of await listed(platform.api)) {
    const answer = await fetch(page);
    assert.equal(answer.status, 200, name);
    const text = (await answer.text()).replaceAll('&#39;', "'").replaceAll('&quot;', '"');
    for (const words of [story, ends, '/sandbox/', 'Step by step']) {
      if (words === '/sandbox/' && name.startsWith('person.')) continue;
      assert.ok(text.includes(words), `${name}: ${words}`);
    }
    const policy = answer.headers.get('content-security-policy') ?? '';
    assert.ok(policy.startsWith("default-src 'none'") && !policy.includes('unsafe'), name);
    assert.ok(!/<script|<style|\sstyle=/.test(text), `${name} has a script or a style inside`);
  }
  const { processor } = platform.ready.urls;
  assert.equal((await fetch(`${processor}/scenarios/nothing`)).status, 404);
});
