// Around a flow in a frame: full-screen errors, links that do not open, reloads, frames that nobody
// starts, and colours. The flow used is the simplest, the terms.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { hook, openBench, type Bench, type Visitor } from '../browser/kit.ts';

let bench: Bench;

before(async () => {
  bench = await openBench();
});
after(() => bench.stop());

/** Closes the full-screen error; gives what the page was told. */
async function closed(visitor: Visitor): Promise<Record<string, unknown>> {
  await hook(visitor.frame(), 'close').click();
  return visitor.hears('complete');
}

const CLOSED = {
  source: 'service',
  event: 'service.tos.complete',
  state: 'error',
  trigger: 'close-button',
};

test('a service that cannot be reached fills the screen; Reload tries again', async () => {
  const visitor = await bench.visitor();
  visitor.expect(/ERR_FAILED/);
  await visitor.page.route('**/ui/api/session', (route) => route.abort());
  const frame = await visitor.begin({ flow: 'tos', redirect: await bench.link('tos') });
  await hook(frame, 'screen-crash').waitFor();
  const { message, ...error } = await visitor.hears('error');
  const event = 'service.tos.error';
  assert.deepEqual(error, { source: 'service', event, code: 'UNREACHABLE' });
  assert.match(String(message), /cannot be reached/);
  await visitor.page.unroute('**/ui/api/session');
  await hook(frame, 'reload').click();
  await hook(frame, 'screen-agree').waitFor();
  assert.equal((await visitor.heard()).error.length, 1);
});

test('an opening whose answer is lost continues at Reload, framed and on a page', async () => {
  for (const mechanism of ['widget', 'service_hosted']) {
    const visitor = await bench.visitor();
    visitor.expect(/ERR_FAILED/);
    let lost = 0;
    await visitor.page.route('**/ui/api/session', async (route) => {
      if ((lost += 1) > 1) return route.continue();
      await route.fetch();
      return route.abort();
    });
    const redirect = await bench.link('tos', { mechanism });
    const framed = mechanism === 'widget';
    if (!framed) await visitor.page.goto(redirect);
    const place = framed ? await visitor.begin({ flow: 'tos', redirect }) : visitor.page;
    if (!framed) await hook(place, 'continue').click();
    await hook(place, 'screen-crash').waitFor();
    await hook(place, 'reload').click();
    await hook(place, 'screen-agree').waitFor();
    assert.equal(lost, 2);
  }
});

test('closing a full-screen error ends the flow as an error', async () => {
  const visitor = await bench.visitor();
  visitor.expect(/ERR_FAILED/);
  await visitor.page.route('**/ui/api/session', (route) => route.abort());
  await visitor.begin({ flow: 'tos', redirect: await bench.link('tos') });
  assert.deepEqual(await closed(visitor), CLOSED);
  assert.equal(await visitor.page.locator('iframe').count(), 0);
});

test('flow code that does not load is an error like others', async () => {
  const visitor = await bench.visitor();
  visitor.expect(/ERR_FAILED/);
  // Another person, who signs here: the others still have to.
  const { account_id } = bench.platform.ready.accounts.seller;
  const redirect = await bench.link('kyc', { account_id });
  await visitor.page.route('**/ui/assets/flow-*', (route) => route.abort());
  const frame = await visitor.begin({ flow: 'kyc', redirect });
  await hook(frame, 'agree-switch').click();
  await hook(frame, 'agree-accept').click();
  await hook(frame, 'screen-crash').waitFor();
  assert.equal((await visitor.hears('error'))['code'], 'PAGE_FAILED');
});

test('a link that was used elsewhere says so, and cannot be tried again', async () => {
  const link = await bench.link('tos');
  const first = await bench.visitor();
  await hook(await first.begin({ flow: 'tos', redirect: link }), 'screen-agree').waitFor();
  const second = await bench.visitor();
  second.expect(/410 \(Gone\)/);
  const frame = await second.begin({ flow: 'tos', redirect: link });
  await hook(frame, 'screen-link').waitFor();
  assert.equal((await second.hears('error'))['code'], 'LINK_USED');
  assert.equal(await hook(frame, 'reload').count(), 0);
  assert.deepEqual(await closed(second), CLOSED);
});

test('a link of another flow opens nothing and stays valid for its own', async () => {
  const link = await bench.link('kyc');
  const visitor = await bench.visitor();
  visitor.expect(/403 \(Forbidden\)/);
  await visitor.begin({ flow: 'tos', redirect: link });
  assert.equal((await visitor.hears('error'))['code'], 'LINK_FLOW_MISMATCH');
  await closed(visitor);
  await visitor.execute({ flow: 'kyc', redirect: link });
  await hook(visitor.frame(), 'screen-agree').waitFor();
});

test('a frame that reloads is started again and continues its session', async () => {
  const visitor = await bench.visitor();
  const frame = await visitor.begin({ flow: 'tos', redirect: await bench.link('tos') });
  await hook(frame, 'screen-agree').waitFor();
  // The old document is marked: a quick reload leaves no moment without a screen to wait for.
  await frame.locator('body').evaluate('document.body.dataset.old = "1"; location.reload()');
  await frame.locator('body:not([data-old])').waitFor({ state: 'attached' });
  await hook(frame, 'agree-cancel').click();
  await visitor.hears('complete');
  assert.equal((await visitor.heard()).ready.length, 1);
});

test('a frame that does not load is taken away, and the page is told why', async () => {
  const visitor = await bench.visitor();
  visitor.expect(/ERR_FAILED|does not match the recipient window's origin/);
  await visitor.page.clock.install();
  await visitor.page.route('**/ui/appauth/**', (route) => route.abort());
  await visitor.begin({ flow: 'tos', redirect: await bench.link('tos') });
  await visitor.page.clock.runFor(14_000);
  assert.equal(await visitor.page.locator('iframe').count(), 1);
  await visitor.page.clock.runFor(2_000);
  assert.equal((await visitor.hears('error'))['code'], 'FRAME_NOT_LOADED');
  assert.equal(await visitor.page.locator('iframe').count(), 0);
});

test('a frame that nobody starts shows nothing for a while, then says so', async () => {
  const visitor = await bench.visitor();
  await visitor.page.clock.install();
  await visitor.enterShop();
  const link = await bench.link('tos');
  await visitor.page.evaluate(`{
    const frame = document.createElement('iframe');
    frame.src = ${JSON.stringify(link)};
    document.getElementById('root').append(frame);
  }`);
  const frame = visitor.frame();
  await frame.locator('#app:empty').waitFor({ state: 'attached' });
  await visitor.page.clock.runFor(16_000);
  await hook(frame, 'screen-lonely').waitFor();
  // It opened nothing.
  await visitor.execute({ rootId: 'second', flow: 'tos', redirect: link });
  await hook(visitor.frame('second'), 'screen-agree').waitFor();
});

test('the caller chooses two colours and the direction, and buttons stay visible', async () => {
  const visitor = await bench.visitor();
  const theme = { backgroundColor: '#101820', primaryColor: '#101820' };
  const redirect = await bench.link('tos');
  const frame = await visitor.begin({ flow: 'tos', redirect, theme, dir: 'rtl' });
  await hook(frame, 'screen-agree').waitFor();
  const root = frame.locator('html');
  assert.equal(await root.getAttribute('dir'), 'rtl');
  const background = await root.evaluate('getComputedStyle(document.documentElement).background');
  assert.match(String(background), /^rgb\(16, 24, 32\)/);
  const button = await hook(frame, 'agree-accept').evaluate(
    (element) => element.ownerDocument.defaultView?.getComputedStyle(element).backgroundColor,
  );
  assert.notEqual(button, 'rgb(16, 24, 32)');
});
