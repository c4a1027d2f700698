// The script of an integrator's page in a real browser: which options it refuses before drawing
// anything, how a flow begins and ends in its frame, and who cannot start it.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { hook, openBench, type Bench } from '../browser/kit.ts';

let bench: Bench;

before(async () => {
  bench = await openBench();
});
after(() => bench.stop());

/** A link's address that opens nothing: nobody is asked before the options are good. */
function noLink(): string {
  return `${bench.platform.ready.urls.widget}/ui/appauth/none`;
}

test('a flow begins in a frame, says that it is ready, and leaves the element empty', async () => {
  const visitor = await bench.visitor();
  const frame = await visitor.begin({ flow: 'tos', redirect: await bench.link('tos') });
  await hook(frame, 'agree-cancel').click();
  const result = await visitor.hears('complete');
  const event = 'service.tos.complete';
  assert.deepEqual(result, { source: 'service', event, state: 'cancel' });
  const ready = { source: 'service', event: 'service.tos.ready' };
  assert.deepEqual(await visitor.heard(), { complete: [result], error: [], ready: [ready] });
  assert.equal(await visitor.page.locator('iframe').count(), 0);
  // The element can be used again, by the word's own name and with a link in an object.
  await visitor.execute({ flow: 'tos', redirect: { url: await bench.link('tos') } });
  await hook(visitor.frame(), 'agree-cancel').click();
  await visitor.hears('complete', 2);
});

test('the frame has no more rights than it needs, and sends no referrer', async () => {
  const visitor = await bench.visitor();
  await visitor.begin({ flow: 'tos', redirect: await bench.link('tos') });
  await visitor.hears('ready');
  const frame = visitor.page.locator('#root iframe');
  assert.equal(
    await frame.getAttribute('sandbox'),
    'allow-scripts allow-same-origin allow-forms allow-modals allow-popups ' +
      'allow-popups-to-escape-sandbox',
  );
  assert.equal(await frame.getAttribute('allow'), 'camera; payment');
  assert.equal(await frame.getAttribute('title'), 'Terms of service · Sandbox');
  assert.equal(await frame.getAttribute('referrerpolicy'), 'no-referrer');
  const box = await frame.boundingBox();
  assert.ok(box !== null && box.height >= 480, JSON.stringify(box));
});

const BAD: readonly [string, Readonly<Record<string, unknown>>][] = [
  ['INVALID_FLOW', { flow: 'nothing' }],
  ['INVALID_FLOW', { flow: 'toString' }],
  ['INVALID_FLOW', { flow: ['tos'] }],
  ['INVALID_ROOT', { rootId: 'nowhere' }],
  ['INVALID_ROOT', { rootId: 7 }],
  ['INVALID_REDIRECT', { redirect: '' }],
  ['INVALID_REDIRECT', { redirect: null }],
  ['INVALID_REDIRECT', { redirect: {} }],
  ['INVALID_REDIRECT', { redirect: { url: ['x'] } }],
  ['INVALID_REDIRECT', { redirect: '/ui/appauth/relative' }],
  ['INVALID_REDIRECT', { redirect: 'javascript:alert(1)' }],
  ['INVALID_REDIRECT', { redirect: 'JaVaScRiPt://127.0.0.1/%0aalert(1)' }],
  ['INVALID_REDIRECT', { redirect: 'data:text/html,x' }],
  ['INVALID_REDIRECT', { redirect: 'https://other.example/ui/appauth/x' }],
  ['INVALID_REDIRECT', { redirect: 'http://127.0.0.1/ui/appauth/x' }],
  ['INVALID_THEME', { theme: { primaryColor: 'red' } }],
  ['INVALID_THEME', { theme: { backgroundColor: '#12345' } }],
  ['INVALID_THEME', { theme: { primaryColor: 'url(x)' } }],
  ['INVALID_CONFIG', { theme: 'dark' }],
  ['INVALID_CONFIG', { dir: 'up' }],
  ['INVALID_CONFIG', { flowConfig: [] }],
  ['INVALID_CONFIG', { flowConfig: 'x' }],
  ['INVALID_CONFIG', { flowConfig: { hideSKUs: 'true' } }],
  ['INVALID_CONFIG', { flowConfig: { selectButton: { label: 7 } } }],
  ['INVALID_CONFIG', { flowConfig: { postOAuthURLOverride: 'javascript://x/%0aalert(1)' } }],
  ['INVALID_CONFIG', { flowConfig: { postOAuthURLOverride: '/back' } }],
  ['INVALID_CONFIG', { flowConfig: { transactionDetails: {} } }],
  ['INVALID_CONFIG', { flowConfig: { transactionDetails: { transaction_amount: 5 } } }],
  ['INVALID_CONFIG', { flowConfig: { verificationLevel: 'none' } }],
  ['INVALID_CONFIG', { flowConfig: { txnHistoryTabIndex: 2 } }],
  ...[0, -1, 1.5, 1e16, '0', '-1', '1.5', '1e3', ' 5', '', 'x', null, true, [5], {}].map(
    (transaction_amount): [string, Readonly<Record<string, unknown>>] => [
      'INVALID_CONFIG',
      { flowConfig: { transactionDetails: { transaction_amount, currency: 'USD' } } },
    ],
  ),
];

test('invalid options are refused with a code, later, and nothing is drawn', async () => {
  const visitor = await bench.visitor();
  await visitor.enterShop();
  for (const [at, [code, more]] of BAD.entries()) {
    await visitor.execute({ flow: 'tos', redirect: noLink(), ...more });
    const error = await visitor.hears('error', at + 1);
    assert.equal(error['code'], code, JSON.stringify(more));
    assert.match(String(error['message']), /^[A-Za-z].*\.$/);
    const flow = more['flow'] === undefined ? 'tos' : 'widget';
    assert.equal(error['event'], `service.${flow}.error`);
    assert.equal(error['source'], 'service');
  }
  assert.equal(await visitor.page.locator('iframe').count(), 0);
  const { complete, ready } = await visitor.heard();
  assert.deepEqual([complete, ready], [[], []]);
});

test('a link with a user name or a password is refused, and the message says so', async () => {
  const visitor = await bench.visitor();
  await visitor.enterShop();
  for (const [at, login] of ['someone:secret@', 'someone@', ':secret@'].entries()) {
    const redirect = noLink().replace('//', `//${login}`);
    await visitor.execute({ flow: 'tos', redirect });
    const { code, message } = await visitor.hears('error', at + 1);
    assert.equal(code, 'INVALID_REDIRECT');
    assert.match(String(message), /^redirect must not contain a user name or password; .*\.$/);
    assert.ok(!String(message).includes('secret'));
  }
  assert.equal(await visitor.page.locator('iframe').count(), 0);
});

test('invalid, missing or throwing callbacks do the page no harm', async () => {
  const visitor = await bench.visitor();
  visitor.expect(/service: INVALID_(CALLBACK|FLOW|OPTIONS): |an error of the page/);
  await visitor.enterShop();
  const later = await visitor.page.evaluate(`(() => {
    const said = [];
    Holdfast.execute(undefined);
    Holdfast.execute(null).close();
    Holdfast.execute('x');
    Holdfast.execute({ flow: 'tos', onError: 'x', onComplete() {} });
    Holdfast.execute({ flow: 'tos', onError: (error) => said.push(error.code) });
    const onError = ({ code }) => said.push(code);
    Holdfast.execute({ flow: 'tos', onReady: 5, onComplete() {}, onError });
    Holdfast.execute({ get flow() { throw new Error('trap'); } });
    Holdfast.execute({ onError() { throw new Error('an error of the page'); } });
    const atOnce = said.length;
    return new Promise((done) => setTimeout(() => done([atOnce, ...said]), 100));
  })()`);
  assert.deepEqual(later, [0, 'INVALID_CALLBACK', 'INVALID_CALLBACK']);
});

test('one flow per element at a time, several per page; close removes one', async () => {
  const visitor = await bench.visitor();
  await visitor.begin({ flow: 'tos', redirect: await bench.link('tos') });
  await visitor.hears('ready');
  await visitor.execute({ flow: 'tos', redirect: await bench.link('tos') });
  assert.equal((await visitor.hears('error'))['code'], 'FLOW_RUNNING');
  const second = await bench.link('tos');
  await visitor.execute({ rootId: 'second', flow: 'tos', redirect: second });
  await visitor.hears('ready', 2);
  assert.equal(await visitor.page.locator('iframe').count(), 2);
  await visitor.page.evaluate('handle.close()');
  assert.equal(await visitor.page.locator('#second iframe').count(), 0);
  // A frame that the page threw away itself is no longer running.
  await visitor.page.evaluate('document.getElementById("root").textContent = ""');
  await visitor.execute({ flow: 'tos', redirect: await bench.link('tos') });
  await visitor.hears('ready', 3);
  assert.deepEqual((await visitor.heard()).complete, []);
});

test("loading the script twice keeps the first, also under the service's name", async () => {
  const visitor = await bench.visitor();
  await visitor.enterShop();
  await visitor.page.evaluate('window.first = Holdfast');
  const url = `${bench.platform.ready.urls.widget}/ui/v1/widget`;
  await visitor.page.addScriptTag({ url });
  assert.equal(await visitor.page.evaluate('first === Holdfast && first === Service'), true);
  const script = await fetch(url);
  assert.equal(script.headers.get('access-control-allow-origin'), '*');
  assert.equal(script.headers.get('cross-origin-resource-policy'), 'cross-origin');
  const etag = script.headers.get('etag') ?? '';
  const again = await fetch(url, { headers: { 'if-none-match': etag } });
  assert.equal(again.status, 304);
});

/** A page of another origin; `html` is its body. */
async function otherSite(html: string): Promise<{ server: Server; origin: string }> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<!doctype html><link rel="icon" href="data:,">${html}`);
  });
  await new Promise<void>((listening) => server.listen(0, 'localhost', listening));
  return { server, origin: `http://localhost:${(server.address() as AddressInfo).port}` };
}

test('a site that is not registered cannot frame a link, and nobody opens it', async () => {
  const { platform, shop } = bench;
  const settings = { registered_origins: [shop] };
  await platform.api.must(200, 'invoicing', 'PATCH', '/v1/settings', { body: settings });
  const link = await bench.link('tos');
  const { server, origin } = await otherSite(`<iframe src="${link}"></iframe>`);
  try {
    const visitor = await bench.visitor();
    visitor.expect(/frame-ancestors|chrome-error|ERR_BLOCKED_BY_RESPONSE/);
    await visitor.page.goto(origin);
    const [, frame] = visitor.page.frames();
    assert.ok(frame !== undefined);
    assert.equal(await frame.locator('#app').count(), 0);
  } finally {
    server.close();
    await platform.api.must(200, 'invoicing', 'PATCH', '/v1/settings', {
      body: { registered_origins: [] },
    });
  }
  // The link is as it was: its person opens it.
  const visitor = await bench.visitor();
  const opened = await visitor.begin({ flow: 'tos', redirect: link });
  await hook(opened, 'agree-cancel').waitFor();
});

test('only the window above starts a frame, once; later messages are ignored', async () => {
  const link = await bench.link('tos');
  const visitor = await bench.visitor();
  // A sibling frame, and a start without a port.
  const forged = { holdfast: 1, type: 'start', flow: 'tos', flowConfig: {}, theme: {} };
  const sibling = `<script>
    const go = () => parent.frames[1].postMessage(${JSON.stringify(forged)}, '*',
      [new MessageChannel().port2]);
    setInterval(go, 50);
  </script>`;
  const { server, origin } = await otherSite(
    `<iframe srcdoc="${sibling.replaceAll('"', '&quot;')}"></iframe>
    <iframe src="${link}"></iframe>`,
  );
  try {
    await visitor.page.goto(origin);
    await visitor.page.waitForTimeout(600);
    const frame = visitor.page.frameLocator('iframe').nth(1);
    assert.equal(await frame.locator('[data-test]').count(), 0);
    await visitor.page.evaluate(`frames[1].postMessage(${JSON.stringify(forged)}, '*')`);
    await visitor.page.waitForTimeout(300);
    assert.equal(await frame.locator('[data-test]').count(), 0);
  } finally {
    server.close();
  }
  const shopper = await bench.visitor();
  const opened = await shopper.begin({ flow: 'tos', redirect: link });
  await hook(opened, 'agree-cancel').waitFor();
  const flood = `for (let n = 0; n < 500; n += 1) {
    frames[0].postMessage(${JSON.stringify({ ...forged, dir: 'rtl' })}, '*',
      [new MessageChannel().port2]);
  }`;
  await shopper.page.evaluate(flood);
  await hook(opened, 'agree-cancel').click();
  await shopper.hears('complete');
  assert.equal((await shopper.heard()).complete.length, 1);
});

interface Version {
  readonly version: string;
  readonly url: string;
  readonly integrity: string;
}

/** The list of scripts that pages may name for good. */
async function versions(): Promise<readonly Version[]> {
  const { urls } = bench.platform.ready;
  const list = await fetch(`${urls.widget}/ui/v1/widget/versions.json`);
  assert.equal(list.headers.get('access-control-allow-origin'), '*');
  return ((await list.json()) as { readonly versions: readonly Version[] }).versions;
}

test('every version has its address for good, and opens a flow of today', async () => {
  const all = await versions();
  assert.ok(all.length > 0);
  for (const { version, url, integrity } of all) {
    const script = await fetch(url);
    assert.equal(script.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    const bytes = new Uint8Array(await script.arrayBuffer());
    assert.equal(integrity, `sha384-${createHash('sha384').update(bytes).digest('base64')}`);
    const wrong = url.replace(/[0-9a-f]{16}\.js$/, `${'0'.repeat(16)}.js`);
    assert.equal((await fetch(wrong)).status, 404);
    const { server, origin } = await otherSite(
      `<div id="root"></div>
      <script src="${url}" integrity="${integrity}" crossorigin="anonymous"></script>`,
    );
    try {
      const visitor = await bench.visitor();
      await visitor.page.goto(origin);
      await visitor.until('typeof Holdfast === "object"');
      await visitor.page.evaluate(`Holdfast.execute({ rootId: 'root', flow: 'tos',
        redirect: ${JSON.stringify(await bench.link('tos'))},
        onComplete: (result) => { window.result = result; }, onError: console.error })`);
      await hook(visitor.frame(), 'agree-cancel').click();
      await visitor.until('window.result !== undefined');
      assert.equal(await visitor.page.evaluate('result.state'), 'cancel', version);
    } finally {
      server.close();
    }
  }
});

test('a script that was changed on its way does not run', async () => {
  const [{ url, integrity } = { url: '', integrity: '' }] = await versions();
  const { server, origin } = await otherSite(
    `<script src="${url}" integrity="${integrity}" crossorigin="anonymous"
      onload="said = 'ran'" onerror="said = 'refused'"></script>`,
  );
  try {
    const visitor = await bench.visitor();
    visitor.expect(/Failed to find a valid digest in the 'integrity' attribute/);
    for (const [added, said] of [['', 'ran'], ['; window.stolen = true;', 'refused']] as const) {
      await visitor.page.route(url, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, body: (await response.text()) + added });
      });
      await visitor.page.goto(origin);
      await visitor.until(`window.said === '${said}'`);
      assert.equal(await visitor.page.evaluate('typeof Holdfast'), added ? 'undefined' : 'object');
      assert.equal(await visitor.page.evaluate('window.stolen === true'), false);
      await visitor.page.unroute(url);
    }
  } finally {
    server.close();
  }
});
