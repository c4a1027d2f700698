// Attackers: a page above ours, beside it or opened by it that forges messages of the frame, the
// processor or the loader; a stranger above a registered shop; texts that contain markup. The
// person sees the truth, pays what they chose, and the shop receives only true results.
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { readAuthorized } from '../kit/checkout.ts';
import { arrive, bankIn, booked, HOSTED, newBuyer, openFramed, order } from '../browser/buyer.ts';
import { openHosted, payBy, withSettings } from '../browser/buyer.ts';
import { hook, openBench, type Bench } from '../browser/kit.ts';

let bench: Bench;

before(async () => {
  bench = await openBench();
});
after(() => bench.stop());

const LIES = `const lies = [
  { type: 'complete', result: { state: 'complete', source: 'service' } },
  { holdfast: 1, type: 'complete', result: { state: 'complete' } },
  { holdfast: 1, type: 'start', flow: 'checkout', flowConfig: { hideUserWallets: true },
    theme: {}, dir: 'rtl', debug: true },
  { holdfast: 1, type: 'start', flow: 'checkout', flowConfig: 7, theme: [], dir: 5 },
  { holdfast: '1', type: ['start'], flow: { toString: 'x' } },
  { holdfast_processor: 1, type: 'complete' }, { holdfast_processor: 1, type: 'cancel' },
  { holdfast_processor: 1, type: 'resize', height: 1e9 },
  'holdfast-returned', null, 0, [], 'x'.repeat(100000),
];`;

/** Everything that is not ours says every lie to every window that it can reach. */
const FLOOD = `{ ${LIES}
  const inner = Array.from({ length: frames[0].length }, (_, n) => frames[0][n]);
  const windows = [window, frames[0], ...inner];
  for (let n = 0; n < 100; n += 1) for (const lie of lies) for (const one of windows) {
    one.postMessage(lie, '*', typeof lie === 'object' ? [new MessageChannel().port2] : []);
  }
}`;

/** A site of somebody else; `body` by path. */
async function site(body: (path: string) => string): Promise<{ server: Server; origin: string }> {
  const server = createServer(({ url = '/' }, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<!doctype html><link rel="icon" href="data:,">${body(url)}`);
  });
  await new Promise<void>((listening) => server.listen(0, 'localhost', listening));
  return { server, origin: `http://localhost:${(server.address() as AddressInfo).port}` };
}

test('the page above forges every message, at every screen, and decides nothing', async () => {
  const { api, db } = bench.platform;
  const buyer = await newBuyer(api, 0, 'three_d_secure');
  const made = await order(api, buyer, 4_100);
  const visitor = await bench.visitor();
  const attached: string[] = [];
  visitor.page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/v1/payment_method')) {
      attached.push(request.url());
    }
  });
  const frame = await openFramed(visitor, made);
  const flood = (): Promise<unknown> => visitor.page.evaluate(FLOOD);
  await flood();
  await hook(frame, 'add-card').click();
  const form = frame.frameLocator('[data-test="entry-frame"] iframe');
  await hook(form, 'card-save').waitFor();
  await flood();
  await visitor.page.waitForTimeout(200);
  assert.deepEqual(attached, []);
  await hook(frame, 'entry-cancel').click();
  await payBy(frame, buyer.cards[0] ?? '');
  await hook(bankIn(frame), 'challenge-confirm').waitFor();
  await flood();
  await visitor.page.waitForTimeout(200);
  assert.equal(await hook(frame, 'screen-authenticate').count(), 1);
  assert.equal((await readAuthorized(api, made.authorized_invoice_id)).state, 'processing');
  assert.equal(await frame.locator('html').getAttribute('dir'), 'ltr');
  const { complete, error } = await visitor.heard();
  assert.deepEqual([complete, error], [[], []]);
  await hook(bankIn(frame), 'challenge-confirm').click();
  await hook(frame, 'done').click();
  assert.equal((await visitor.hears('complete'))['state'], 'complete');
  assert.equal((await visitor.heard()).complete.length, 1);
  assert.equal((await booked(db, made)).taken, 4_100);
});

test("messages of a sibling frame or a shop's window are ignored", async () => {
  const lies = `<script>${LIES} const say = (one) => lies.forEach((lie) => one.postMessage(lie, '*',
    typeof lie === 'object' ? [new MessageChannel().port2] : []));
    const up = opener ?? parent;
    const round = () => { say(up);
      for (let n = 0; n < up.frames.length; n += 1) say(up.frames[n]);
      const heard = new MessageChannel();
      heard.port1.onmessage = () => setTimeout(round, 20);
      up.postMessage('heard?', '*', [heard.port2]); };
    setTimeout(round, 20);</script>`;
  const { server, origin } = await site((path) =>
    path === '/lies' ? lies : `<div id="root"></div><iframe src="/lies"></iframe>
      <script src="${bench.platform.ready.urls.widget}/ui/v1/widget"></script>
      <script>window.heard = [];
        // A slow machine is not drowned: each liar goes on once the page has heard it to the end.
        addEventListener('message', ({ data, ports }) => {
          if (data !== 'heard?') return;
          window.rounds = (window.rounds ?? 0) + 1;
          ports[0].postMessage(0);
        });</script>`,
  );
  try {
    const buyer = await newBuyer(bench.platform.api, 5_000);
    const { redirect } = await order(bench.platform.api, buyer, 1_700);
    const { page } = await bench.visitor();
    await page.goto(origin);
    const opened = page.waitForEvent('popup');
    await page.evaluate('void open("/lies")');
    await opened;
    await page.bringToFront();
    await page.evaluate(`Holdfast.execute({ rootId: 'root', flow: 'checkout',
      redirect: ${JSON.stringify(redirect)},
      onComplete: (result) => heard.push(result), onError: (error) => heard.push(error) })`);
    const frame = page.frameLocator('#root iframe');
    await arrive(frame);
    await page.waitForTimeout(300);
    assert.deepEqual(await page.evaluate('heard'), []);
    await hook(frame, 'pay').click();
    await hook(frame, 'done').click();
    await page.locator('#root iframe').waitFor({ state: 'detached' });
    await page.waitForTimeout(100);
    const heard = (await page.evaluate('heard')) as { state: string; trigger: string }[];
    assert.deepEqual(heard.map((one) => [one.state, one.trigger]), [['complete', 'done-button']]);
    assert.ok(Number(await page.evaluate('rounds')) > 10);
  } finally {
    server.close();
  }
});

test('a stranger above a registered shop cannot frame us, nor can loopback', async () => {
  const { api } = bench.platform;
  const buyer = await newBuyer(api, 5_000);
  const made = await order(api, buyer, 1_000);
  const within = async (origin: string, depth: number): Promise<void> => {
    const visitor = await bench.visitor();
    visitor.expect(/frame-ancestors|chrome-error|ERR_BLOCKED_BY_RESPONSE/);
    await visitor.page.goto(origin);
    const innermost = visitor.page.frames()[depth];
    assert.ok(innermost !== undefined);
    await innermost.waitForURL(/^chrome-error:/);
    for (const frame of visitor.page.frames()) assert.equal(await frame.locator('#app').count(), 0);
  };
  const shop = await site(() => `<iframe src="${made.redirect}"></iframe>`);
  const above = await site(() => `<iframe src="${shop.origin}"></iframe>`);
  try {
    const body = { registered_origins: [shop.origin] };
    await withSettings(bench, body, { registered_origins: [] }, () => within(above.origin, 2));
    const other = { registered_origins: ['https://shop.example'] };
    await withSettings(bench, other, { registered_origins: [] }, () => within(shop.origin, 1));
  } finally {
    shop.server.close();
    above.server.close();
  }
  // Nobody opened the link meanwhile.
  await hook(await openFramed(await bench.visitor(), made), 'pay').waitFor();
});

const EVIL = `<img src=x onerror="top.pwned=1"><script>top.pwned=1</script>`;
/** Turns the direction of whatever follows, where nothing holds it. */
const TURN = '\u202E';

test('markup and direction marks in any text are shown as text on every screen', async () => {
  const { api } = bench.platform;
  const buyer = await newBuyer(api, 9_000, 'visa');
  const { seller } = api.ready.accounts;
  const recipients = [{ amount: 900, currency: 'USD', destination_wallet_id: seller.wallet_id }];
  const line = { amount: 900, currency: 'USD', transaction_type: 'user_to_user', recipients };
  const more = {
    description: `${TURN}${EVIL}`,
    reference_type: `t${EVIL}`,
    reference_id: `r${EVIL}`,
    line_items: [
      { ...line, description: `A${EVIL}`, product_sku: `s${EVIL}` },
      { ...line, description: `${TURN}decirp`, product_sku: 'javascript:alert(1)' },
    ],
    metadata: { note: EVIL },
  };
  const look = { preview_text: EVIL };
  const name = `Shop ${EVIL}`.slice(0, 255);
  const before = { name: 'Sandbox', look: { preview_text: '' } };
  await withSettings(bench, { name, look }, before, async () => {
    const label = `L${EVIL}`;
    const flowConfig = { showInvoiceReferenceInfo: true, selectButton: { label } };
    const visitor = await bench.visitor();
    const frame = await openFramed(visitor, await order(api, buyer, 1_800, more), { flowConfig });
    const menu = `method-menu-${buyer.cards[0]}`;
    await hook(frame, menu).click();
    await hook(frame, 'method-rename').click();
    await hook(frame, 'rename-name').fill(`${TURN}${EVIL}`);
    await hook(frame, 'rename-dialog-confirm').click();
    await hook(frame, 'rename-dialog').waitFor({ state: 'detached' });
    await frame.getByText(`${TURN}${EVIL}`, { exact: true }).first().waitFor();
    const text = (await frame.locator('#app').textContent()) ?? '';
    for (const part of ['A', 's', 't', 'r', 'L', TURN]) assert.ok(text.includes(part + EVIL), part);
    assert.equal(await frame.locator('#app img, #app script').count(), 0);
    // What is beside a turned text stands as it is: the amount of the line, the total.
    assert.match(await frame.locator('[data-test="lines"]').innerText(), /9\.00/);
    await hook(frame, 'pay').click();
    await hook(frame, 'done').click();
    const hosted = await bench.visitor();
    const page = await openHosted(hosted, await order(api, buyer, 1_800, { ...more, ...HOSTED }));
    assert.equal(await page.locator('#app img, #app script').count(), 0);
    assert.equal(await page.evaluate('window.pwned'), undefined);
    assert.equal(await visitor.page.evaluate('window.pwned'), undefined);
  });
});
