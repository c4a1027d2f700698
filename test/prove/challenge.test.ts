// The simulated bank's page in a browser: on its own, in a frame of our page, and where framing is
// forbidden. [G-39, G-64]
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { Bank } from '../kit/challenge.ts';
import { startPlatform, type Platform } from '../kit/platform.ts';
import { launchBrowser } from '../browser/kit.ts';

const WITHIN_MS = 15_000;

let platform: Platform;
let browser: Browser;
let card = '';
before(async () => {
  platform = await startPlatform();
  browser = await launchBrowser();
  const { buyer } = platform.ready.accounts;
  card = await platform.api.attach(buyer.account_id, 'three_d_secure');
});
after(async () => {
  await browser?.close();
  await platform?.stop();
});

async function waiting(amount: number): Promise<{ id: string; url: string }> {
  const { api } = platform;
  const id = await api.created(api.sale(amount, [{ payment_method_id: card }]));
  await api.pay(id);
  return { id, url: await new Bank(api).pageOf(`/v2/invoice/${id}`) };
}

async function fresh(): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
  context.setDefaultTimeout(WITHIN_MS);
  return context.newPage();
}

/** The page at an address with a frame in it, which keeps what it is told. */
async function framing(address: string, url: string): Promise<Page> {
  const page = await fresh();
  await page.goto(address);
  await page.evaluate(`window.heard = [];
    addEventListener('message', ({ data, origin }) => window.heard.push({ ...data, origin }));
    const frame = document.createElement('iframe');
    frame.src = ${JSON.stringify(url)};
    document.body.append(frame);`);
  return page;
}

test('on its own: it shows what is paid, is accessible, and leads on', async () => {
  const { id, url } = await waiting(2_500);
  const page = await fresh();
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await page.goto(url);
  const name = 'Sandbox bank: confirm the payment of USD 25.00';
  await page.getByRole('heading', { name }).waitFor();
  const { violations } = await new AxeBuilder({ page }).analyze();
  assert.deepEqual(violations.map((one) => one.id), []);
  await page.locator('[data-test=challenge-confirm]').click();
  await page.getByText('You can close this page.').waitFor();
  assert.equal((await platform.api.finished(id)).state, 'success');
  await page.reload();
  await page.getByText('This payment no longer needs your confirmation.').waitFor();
  assert.deepEqual(errors, []);
  await page.context().close();
});

test('in a frame of our pages: it reports that it is done, not what was decided', async () => {
  const { urls } = platform.ready;
  for (const ours of [`${urls.widget}/ui/appauth/none`, `${urls.hosted}/checkout/none`]) {
    const { id, url } = await waiting(700);
    const page = await framing(ours, url);
    await page.frameLocator('iframe').locator('[data-test=challenge-refuse]').click();
    let heard: Record<string, unknown>[] = [];
    await new Bank(platform.api).until(async () => {
      heard = await page.evaluate('window.heard');
      return heard.some(({ type }) => type === 'complete');
    });
    const { origin } = new URL(url);
    for (const one of heard) {
      const { holdfast_processor: version, type, height, origin: from, ...rest } = one;
      assert.deepEqual([version, typeof height, from, rest], [1, 'number', origin, {}]);
      assert.ok(['ready', 'resize', 'complete'].includes(String(type)), String(type));
    }
    assert.equal((await platform.api.finished(id)).failure_code, 'authentication_required');
    await page.context().close();
  }
});

test('only registered sites can frame it, and its URL cannot be guessed', async () => {
  const { url } = await waiting(700);
  const { widget, hosted } = platform.ready.urls;
  const shop = createServer((_request, response) => void response.end('<!doctype html>'));
  await new Promise<void>((listening) => shop.listen(0, '127.0.0.1', listening));
  const { port } = shop.address() as AddressInfo;
  const ancestors = async (): Promise<string> =>
    /frame-ancestors ([^;]*)/.exec((await fetch(url)).headers.get('content-security-policy') ?? '')
      ?.[1] ?? '';
  const own = `${widget} ${hosted}`;
  assert.equal(await ancestors(), `${own} http://localhost:* http://127.0.0.1:*`);
  const seen = async (): Promise<number> => {
    const page = await framing(`http://127.0.0.1:${port}/`, url);
    const button = page.frameLocator('iframe').locator('[data-test=challenge-confirm]');
    await button.waitFor({ timeout: 2_000 }).catch(() => {});
    const count = await button.count();
    await page.context().close();
    return count;
  };
  assert.equal(await seen(), 1);
  const body = { registered_origins: ['https://shop.example'] };
  await platform.api.must(200, 'invoicing', 'PATCH', '/v1/settings', { body });
  assert.equal(await ancestors(), `${own} https://shop.example`);
  assert.equal(await seen(), 0);
  shop.close();
  const unknown = `${new URL(url).origin}/challenge/00000000-0000-4000-8000-000000000000`;
  for (const address of [unknown, `${unknown}0`]) {
    assert.equal((await fetch(address)).status, 404);
  }
});
