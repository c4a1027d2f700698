// Links as pages of their own: their headers, that loading a page opens nothing, that a click does,
// that a reload continues, and where a person is sent at the end.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { hook, openBench, type Bench } from './kit.ts';

let bench: Bench;

before(async () => {
  bench = await openBench();
});
after(() => bench.stop());

const HOSTED = { mechanism: 'service_hosted' };

async function settings(body: object): Promise<void> {
  await bench.platform.api.must(200, 'invoicing', 'PATCH', '/v1/settings', { body });
}

test('a page runs and loads only its own files, and is not cached', async () => {
  const { urls } = bench.platform.ready;
  const framed = await fetch(await bench.link('tos'));
  assert.equal(framed.status, 200);
  const policy = (framed.headers.get('content-security-policy') ?? '').split('; ');
  assert.deepEqual(policy, [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data: blob:",
    "form-action 'none'",
    "base-uri 'none'",
    "font-src 'self'",
    `frame-src ${urls.processor}`,
    'frame-ancestors http://localhost:* http://127.0.0.1:*',
  ]);
  const own = {
    'cache-control': 'no-store',
    'content-type': 'text/html; charset=utf-8',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'permissions-policy': 'camera=(self), microphone=(), geolocation=(), payment=(self)',
  };
  for (const [name, value] of Object.entries(own)) assert.equal(framed.headers.get(name), value);
  assert.equal(framed.headers.get('x-frame-options'), null);
  const whole = await fetch(await bench.link('kyc', HOSTED), { method: 'HEAD' });
  assert.equal(whole.status, 200);
  assert.match(whole.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'$/);
  assert.equal(whole.headers.get('x-frame-options'), 'DENY');
  // A page in a frame opens a window for a browser login, and is told by it that it is back.
  const opener = [framed, whole].map(({ headers }) => headers.get('cross-origin-opener-policy'));
  // A page of its own is cut off from its opener, and sees a window close that it opened.
  assert.deepEqual(opener, [null, 'same-origin-allow-popups']);
  const shop = await fetch(bench.platform.ready.urls.shop);
  assert.equal(shop.headers.get('cross-origin-opener-policy'), 'same-origin-allow-popups');
  const html = await framed.text();
  assert.doesNotMatch(html, /<script(?! type="module" src="\/ui\/assets\/)|<style|style=| on\w+=/);
  const [asset = ''] = /\/ui\/assets\/main-[^"]+/.exec(html) ?? [];
  for (const host of [urls.widget, urls.hosted]) {
    const file = await fetch(host + asset);
    assert.equal(file.status, 200);
    assert.equal(file.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.equal(file.headers.get('content-type'), 'text/javascript; charset=utf-8');
    assert.equal(file.headers.get('content-encoding'), 'gzip');
    assert.equal((await fetch(`${host}/ui/assets/constructor`)).status, 404);
  }
});

test("a tenant's texts are escaped in the page and in its link previews", async () => {
  const name = `A & B "quoted" <script>alert('x')</script>`;
  await settings({ name, look: { preview_text: `Pay "here" & <now>` } });
  try {
    const link = await bench.link('kyc', HOSTED);
    const html = await (await fetch(link)).text();
    assert.equal(html.match(/<script/g)?.length, 1);
    assert.ok(html.includes('<title>Identity check · A &amp; B &quot;quoted&quot; &lt;script&gt;'));
    assert.ok(html.includes('content="Pay &quot;here&quot; &amp; &lt;now&gt;"'));
    assert.ok(html.includes('<meta name="robots" content="noindex, nofollow">'));
    const visitor = await bench.visitor();
    await visitor.page.goto(link);
    await hook(visitor.page, 'continue').waitFor();
    assert.ok((await visitor.page.locator('.brand').textContent())?.includes(name));
  } finally {
    await settings({ name: 'Sandbox', look: { preview_text: '' } });
  }
});

test('a click opens a link, a reload continues, another browser finds it used', async () => {
  const link = await bench.link('tos', HOSTED);
  const visitor = await bench.visitor();
  await visitor.page.goto(link);
  await hook(visitor.page, 'continue').waitFor();
  // Loaded any number of times it is still unopened.
  await visitor.page.reload();
  await hook(visitor.page, 'continue').click();
  await hook(visitor.page, 'screen-agree').waitFor();
  const nonce = new URL(link).pathname.split('/').at(-1) ?? '';
  const address = visitor.page.url();
  assert.ok(!address.includes(nonce), 'the address holds no nonce any more');
  await visitor.page.reload();
  await hook(visitor.page, 'screen-agree').waitFor();
  assert.equal(visitor.page.url(), address);
  // Nor does any entry of the history lead back to it.
  await visitor.page.goto('about:blank');
  await visitor.page.goBack();
  await hook(visitor.page, 'screen-agree').waitFor();
  assert.equal(visitor.page.url(), address);
  const handle = new URL(address).pathname.split('/').at(-1);
  const opening = await fetch(new URL('/ui/api/session', address), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ nonce: handle }),
  });
  assert.match(await opening.text(), /LINK_NOT_FOUND/, 'what stands there opens nothing');
  const third = await bench.visitor();
  await third.page.goto(address);
  await hook(third.page, 'screen-link').waitFor();
  assert.match(await third.page.locator('main').innerText(), /was already used/);
  assert.equal(await visitor.page.evaluate('document.cookie'), '');
  const other = await bench.visitor();
  other.expect(/410 \(Gone\)/);
  await other.page.goto(link);
  await hook(other.page, 'screen-link').waitFor();
  assert.match(await other.page.locator('main').innerText(), /was already used/);
  assert.equal(await hook(other.page, 'close').count(), 0);
  await hook(visitor.page, 'agree-cancel').click();
  await hook(visitor.page, 'screen-end').waitFor();
  assert.equal(await visitor.page.locator('h1').innerText(), 'Cancelled');
});

test('at the end a person is sent to an allowed URL with the result, or nowhere', async () => {
  await settings({ return_addresses: [`${bench.shop}/back`] });
  try {
    const ends = [
      [`${bench.shop}/back/here?order=7`, true],
      ['https://other.example/back', false],
      ['javascript:alert(1)', false],
    ] as const;
    for (const [address, allowed] of ends) {
      const link = await bench.link('tos', HOSTED);
      const visitor = await bench.visitor();
      await visitor.page.goto(`${link}?returnUrl=${encodeURIComponent(address)}`);
      await hook(visitor.page, 'continue').click();
      await hook(visitor.page, 'agree-cancel').click();
      if (!allowed) {
        await hook(visitor.page, 'screen-end').waitFor();
        continue;
      }
      await visitor.page.waitForURL((url) => url.origin === bench.shop);
      const { pathname, searchParams } = new URL(visitor.page.url());
      assert.equal(pathname, '/back/here');
      assert.deepEqual(Object.fromEntries(searchParams), {
        order: '7',
        state: 'cancel',
        source: 'service',
        event: 'service.tos.complete',
      });
    }
  } finally {
    await settings({ return_addresses: [] });
  }
});

test('an unknown link, or one at the wrong address, gets a page that says so', async () => {
  const { urls, integrator } = bench.platform.ready;
  const hosted = await bench.link('tos', HOSTED);
  const framed = await bench.link('tos');
  const nonce = (link: string): string => new URL(link).pathname.split('/').at(-1) ?? '';
  const wrong = [
    `${urls.widget}/ui/appauth/none`,
    `${urls.widget}/ui/appauth/${nonce(hosted)}`,
    `${urls.hosted}/checkout/${nonce(hosted)}`,
    `${urls.hosted}/${integrator}/kyc/${nonce(hosted)}`,
    `${urls.hosted}/${integrator}/tos/${nonce(framed)}`,
  ];
  for (const address of wrong) {
    const answer = await fetch(address);
    assert.equal(answer.status, 404, address);
    assert.match(await answer.text(), /This link is unknown\. Go back/);
  }
  const visitor = await bench.visitor();
  visitor.expect(/404 \(Not Found\)/);
  await visitor.page.goto(wrong[0] as string);
  await hook(visitor.page, 'screen-link').waitFor();
  const odd = await fetch(`${urls.hosted}/ui/api/session`);
  assert.equal(odd.status, 405);
});

test('an expired link says what to do', async () => {
  const link = await bench.link('tos', HOSTED);
  const past = "clock_timestamp() - interval '1 second'";
  await bench.platform.db.query(`update link set expires = ${past}`);
  const answer = await fetch(link);
  assert.equal(answer.status, 410);
  assert.match(await answer.text(), /no longer valid\. Go back to where you got it/);
  const visitor = await bench.visitor();
  visitor.expect(/410 \(Gone\)/);
  await visitor.page.goto(link);
  assert.equal(await visitor.page.locator('h1').innerText(), 'This link cannot be opened');
});

test('an app that shows a page in its web view gets the result', async () => {
  const visitor = await bench.visitor();
  await visitor.page.addInitScript(`
    window.told = [];
    window.ServiceNative = { postMessage: (text) => told.push(['android', text]) };
    window.webkit = { messageHandlers: { Service: {
      postMessage: (text) => told.push(['ios', text]),
    } } };`);
  await visitor.page.goto(await bench.link('tos', HOSTED));
  await hook(visitor.page, 'continue').click();
  await hook(visitor.page, 'agree-cancel').click();
  await hook(visitor.page, 'screen-end').waitFor();
  const told = (await visitor.page.evaluate('told')) as [string, string][];
  assert.deepEqual(
    told.map(([who]) => who),
    ['ios', 'android'],
  );
  const result = { state: 'cancel', source: 'service', event: 'service.tos.complete' };
  for (const [, text] of told) assert.deepEqual(JSON.parse(text), result);
});
