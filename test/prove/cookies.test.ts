// Browsers with different cookie settings (none, no third-party, all), and pages whose policy,
// network or blocker keeps parts of ours away. Each time the person gets to the end or is told what
// is wrong. [G-13, G-76]
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { addCard, arrive, booked } from '../browser/buyer.ts';
import { HOSTED, newBuyer, openFramed, openHosted } from '../browser/buyer.ts';
import { order, payBy } from '../browser/buyer.ts';
import { browserPath, hook, openBench, Visitor, type Bench } from '../browser/kit.ts';

let bench: Bench;

before(async () => {
  bench = await openBench();
});
after(() => bench.stop());

/** What Chromium's settings page would write. */
const PROFILES = {
  none: { profile: { default_content_setting_values: { cookies: 2 } } },
  own: { profile: { cookie_controls_mode: 1, block_third_party_cookies: true } },
  all: { profile: { cookie_controls_mode: 0, block_third_party_cookies: false } },
} as const;

/** A person whose browser has these settings; fails on errors that were not expected. */
async function withProfile(
  name: keyof typeof PROFILES,
  what: (visitor: Visitor) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-profile-'));
  mkdirSync(join(folder, 'Default'));
  writeFileSync(join(folder, 'Default/Preferences'), JSON.stringify(PROFILES[name]));
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: browserPath(),
    args: ['--no-sandbox'],
  });
  try {
    const visitor = await Visitor.come(context, bench.shop);
    await what(visitor);
    assert.deepEqual(visitor.troubles(), []);
  } finally {
    await context.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** True when the browser keeps a cookie that our page sets without a partition, in a frame. */
async function keepsForeign(visitor: Visitor): Promise<boolean> {
  const frame = visitor.page.frames().at(-1);
  const script = `(document.cookie = 'a=1; Secure; SameSite=None', document.cookie !== '')`;
  const kept = (await frame?.evaluate(script)) as boolean;
  await visitor.context.clearCookies({ name: 'a' });
  return kept;
}

for (const [name, foreign] of [
  ['own', false],
  ['all', true],
] as const) {
  test(`a frame continues after a reload, with ${name} cookies kept`, async () => {
    const { api, db } = bench.platform;
    const buyer = await newBuyer(api, 0, 'visa');
    const made = await order(api, buyer, 1_300);
    await withProfile(name, async (visitor) => {
      const frame = await openFramed(visitor, made);
      assert.equal(await keepsForeign(visitor), foreign);
      await frame.locator('body').evaluate('location.reload()');
      await hook(frame, 'screen-summary').waitFor({ state: 'detached' });
      await hook(frame, 'screen-summary').waitFor();
      await addCard(frame);
      await payBy(frame, buyer.cards[0] ?? '');
      await hook(frame, 'done').click();
      await visitor.hears('complete');
    });
    assert.equal((await booked(db, made)).captures, 1);
  });
}

test('where no cookie is kept at all, terms, a new card and a payment work', async () => {
  const { api, db } = bench.platform;
  const buyer = await newBuyer(api, 0, 'visa');
  const framed = await order(api, buyer, 1_400);
  const whole = await order(api, buyer, 1_500, HOSTED);
  const reloaded = await order(api, buyer, 1_600, HOSTED);
  await withProfile('none', async (visitor) => {
    const frame = await openFramed(visitor, framed);
    await addCard(frame);
    await payBy(frame, buyer.cards[0] ?? '');
    await hook(frame, 'done').click();
    await visitor.hears('complete');
    const page = await openHosted(visitor, whole);
    await payBy(page, buyer.cards[0] ?? '');
    await hook(page, 'screen-success').waitFor();
    assert.deepEqual(await visitor.context.cookies(), []);
    // A reload cannot go on without one: it says what to do, and the link is spent.
    visitor.expect(/410 \(Gone\)/);
    await openHosted(visitor, reloaded);
    await visitor.page.reload();
    await hook(visitor.page, 'screen-link').waitFor();
    assert.match(await visitor.page.locator('main').innerText(), /already used/);
  });
  assert.equal((await booked(db, framed)).captures, 1);
  assert.equal((await booked(db, whole)).captures, 1);
});

test('a page whose own policy forbids the frame is told so, and is left unharmed', async () => {
  const visitor = await bench.visitor();
  visitor.expect(/frame-src|does not match the recipient window's origin|chrome-error/);
  await visitor.page.clock.install();
  await visitor.enterShop('/no-frames');
  await visitor.execute({ flow: 'tos', redirect: await bench.link('tos') });
  await visitor.page.clock.runFor(16_000);
  assert.equal((await visitor.hears('error'))['code'], 'FRAME_NOT_LOADED');
  assert.equal(await visitor.page.locator('iframe').count(), 0);
});

test('blocked code is reported as a frame that did not load', async () => {
  const visitor = await bench.visitor();
  visitor.expect(/ERR_FAILED|ERR_BLOCKED_BY_CLIENT/);
  await visitor.page.clock.install();
  await visitor.page.route('**/ui/assets/main-*', (route) => route.abort());
  await visitor.begin({ flow: 'tos', redirect: await bench.link('tos') });
  await visitor.page.clock.runFor(16_000);
  const { code, message } = await visitor.hears('error');
  assert.equal(code, 'FRAME_NOT_LOADED');
  assert.match(String(message), /did not load/);
  assert.equal((await visitor.heard()).error.length, 1);
});

test('without our styles a flow still works', async () => {
  const { api, db } = bench.platform;
  const made = await order(api, await newBuyer(api, 5_000), 1_250);
  const visitor = await bench.visitor();
  visitor.expect(/ERR_FAILED/);
  await visitor.page.route('**/ui/assets/style-*', (route) => route.abort());
  const frame = await visitor.begin({ flow: 'checkout', redirect: made.redirect });
  await arrive(frame);
  await hook(frame, 'pay').click();
  await hook(frame, 'done').click();
  await visitor.hears('complete');
  assert.equal((await booked(db, made)).captures, 0);
});
