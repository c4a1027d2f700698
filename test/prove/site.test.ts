// The documentation as people meet it: a fresh checkout makes it when somebody first asks, every
// page and link works without another host, search too, and nothing but its files is served.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { join, posix } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { after, before, test } from 'node:test';
import { listOf, placeOf } from '../../scripts/site/list.ts';
import { siteFolder } from '../../src/pages/site.ts';
import { openBench, type Bench, type Visitor } from '../browser/kit.ts';
import { CHECKOUT, launch } from '../start/launch.ts';

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const MADE_MS = 280_000;
const folder = siteFolder();
let bench: Bench;
let base = '';

before(async () => {
  rmSync(folder, { recursive: true, force: true });
  bench = await openBench();
  base = bench.platform.ready.urls.invoicing;
});
after(() => bench.stop());

const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(base + path, { headers, redirect: 'manual' });

/** Pages as the browser asks for them. */
const pages = (): string[] => globSync('**/*.html', { cwd: folder }).toSorted();

test('who asks first is told to wait, and sees it when it is made', async () => {
  const first = await get('/docs/', BROWSER);
  assert.equal(first.status, 503);
  assert.equal(first.headers.get('refresh'), '3');
  assert.match(await first.text(), /<h1>The documentation is being made<\/h1>/);
  const end = Date.now() + MADE_MS;
  let now = first;
  while (now.status === 503 && Date.now() < end) {
    await pause(500);
    now = await get('/docs/', BROWSER);
    const text = await now.text();
    assert.doesNotMatch(text, /not made yet/);
  }
  assert.equal(now.status, 200);
});

test('a second build is the same to the byte', async () => {
  const again = `${folder}-again`;
  const call = [join(CHECKOUT, 'scripts/site/build.ts'), CHECKOUT, again].map((one) => `'${one}'`);
  const program = `const [path, ...args] = [${call}];
    await (await import(path)).buildSite(...args);
    process.exit(0);`;
  try {
    const args = ['--input-type=module', '-e', program];
    const made = launch({ command: process.execPath, args });
    assert.equal(await made.ended, 0, made.stderr());
    const same = spawnSync('diff', ['-rq', folder, again], { encoding: 'utf8' });
    assert.deepEqual([same.status, same.stdout], [0, '']);
  } finally {
    rmSync(again, { recursive: true, force: true });
  }
});

test('browsers are led there, and programs get what they always got', async () => {
  const { urls } = bench.platform.ready;
  for (const host of ['invoicing', 'payments', 'accounts', 'wallets', 'pii', 'auth'] as const) {
    for (const path of ['/', '/docs']) {
      const led = await fetch(urls[host] + path, { headers: BROWSER, redirect: 'manual' });
      assert.deepEqual([led.status, led.headers.get('location')], [303, `${base}/docs/`], host);
      for (const accept of ['*/*', 'application/json']) {
        const told = await fetch(urls[host] + path, { headers: { accept } });
        assert.deepEqual([told.status, told.headers.get('location')], [404, null]);
        assert.deepEqual(((await told.json()) as { codes: unknown }).codes, ['NOT_FOUND']);
      }
    }
  }
});

test('every page of the list answers, also as it was written, by its own scripts', async () => {
  const listed = listOf(CHECKOUT).flatMap(({ pages: all }) => all);
  const each = listed.flatMap((page) => (page.inside.length > 0 ? page.inside : [page]));
  assert.ok(each.length > 80, String(each.length));
  for (const { source } of each) {
    const place = placeOf(source) as string;
    assert.equal((await get(`/docs/${place}`)).status, 200, place);
    if (!place.endsWith('.md')) continue;
    const page = await get(`/docs/${place.replace(/md$/, 'html')}`);
    assert.deepEqual([page.status, page.headers.get('x-frame-options')], [200, 'DENY'], place);
    const policy = page.headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none'; script-src 'self'(?: 'sha256-[^']+')*; /, place);
    assert.match(policy, /connect-src 'self'; img-src 'self' data:;.+frame-ancestors 'none'$/);
  }
  const llms = await get('/llms.txt');
  assert.equal(llms.headers.get('content-type'), 'text/plain; charset=utf-8');
  assert.equal(await llms.text(), await (await get('/docs/llms.txt')).text());
});

test('every link and anchor leads somewhere', () => {
  const anchors = new Map(
    pages().map((path) => {
      const text = readFileSync(join(folder, path), 'utf8');
      return [path, new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))];
    }),
  );
  const files = new Set(globSync('**/*.*', { cwd: folder }));
  let seen = 0;
  const lost: string[] = [];
  for (const path of anchors.keys()) {
    const text = readFileSync(join(folder, path), 'utf8');
    for (const [, to = ''] of text.matchAll(/ href="([^"]+)"/g)) {
      if (/^(?:https?|mailto|data):/.test(to)) continue;
      const [way = '', hash] = decodeURI(to).split('#');
      const at = way === '' ? `/docs/${path}` : posix.resolve(`/docs/${posix.dirname(path)}`, way);
      const place = (way.endsWith('/') ? `${at}/index.html` : at).replace(/^\/docs\//, '');
      seen += 1;
      const there = files.has(place) && (hash === undefined || anchors.get(place)?.has(hash));
      if (hash === 'VPContent' || hash === '') continue;
      if (there !== true) lost.push(`${path}: ${to}`);
    }
  }
  assert.ok(seen > 5_000, String(seen));
  assert.deepEqual([...new Set(lost)], []);
});

test('nothing but its files is served', async () => {
  const up = ['../package.json', '..%2fpackage.json', '%2e%2e/package.json', '....//package.json'];
  const named = ['files.json', 'ten-minutes.html.gz', 'constructor', '__proto__', '/etc/passwd'];
  for (const path of [...up, ...named, '%00', '%zz']) {
    const { hostname, port } = new URL(base);
    const status = await new Promise((done, fail) => {
      const asked = { hostname, port, path: `/docs/${path}` };
      request(asked, (answer) => done(answer.resume().statusCode)).on('error', fail).end();
    });
    assert.equal(status, 404, path);
  }
});

test('files are kept by their hashes, and pages asked for again', async () => {
  const page = await get('/docs/tour.html', { 'accept-encoding': 'identity' });
  assert.equal(page.headers.get('cache-control'), 'no-cache');
  const tag = page.headers.get('etag') ?? '';
  const again = await get('/docs/tour.html', {
    ...{ 'accept-encoding': 'identity', 'if-none-match': tag },
  });
  assert.deepEqual([again.status, await again.text()], [304, '']);
  const [, asset = ''] = /src="(\/docs\/assets\/app[^"]+)"/.exec(await page.text()) ?? [];
  const script = await get(asset);
  assert.equal(script.headers.get('content-encoding'), 'gzip');
  assert.match(script.headers.get('cache-control') ?? '', /immutable$/);
  assert.match(await script.text(), /createApp/);
});

/** A reader in the dark on a phone, or in the light at a desk, who is offline but for this host. */
async function reader(look: { width: number; colorScheme: 'dark' | 'light' }): Promise<Visitor> {
  const { width, colorScheme } = look;
  const visitor = await bench.visitor({ viewport: { width, height: 900 }, colorScheme });
  await visitor.context.route('**/*', (route) => {
    const own = route.request().url().startsWith(base);
    assert.ok(own, route.request().url());
    return route.continue();
  });
  return visitor;
}

test('every page works in a browser, fits a phone, and asks no other host', async () => {
  const visitor = await reader({ width: 390, colorScheme: 'dark' });
  for (const path of pages().filter((one) => !/^(?:404|examples\/native-app)\./.test(one))) {
    await visitor.page.goto(`${base}/docs/${path}`);
    const heading = path.startsWith('api/') ? '.back' : '.VPNav, .VPHome';
    await visitor.page.locator(heading).first().waitFor();
    const fits = await visitor.page.evaluate('document.documentElement.scrollWidth <= innerWidth');
    assert.equal(fits, true, path);
  }
});

test('search finds a page, and the reference shows an operation', async () => {
  const { page, until } = await desk();
  await page.goto(`${base}/docs/tour.html`);
  await page.locator('.VPNavBarSearch button').click();
  await page.locator('.VPLocalSearchBox input').fill('reserve');
  await page.locator('.VPLocalSearchBox .result').first().click();
  await page.waitForURL(/\/docs\/.+\.html#/);
  await page.goto(`${base}/docs/`);
  await page.locator('.VPHero .actions a', { hasText: 'API reference' }).click();
  await page.getByText('Invoice', { exact: true }).first().click();
  await page.getByText('Creates an invoice without charging it.').first().waitFor();
  await until('document.querySelector("#app").textContent.includes("/v2/invoice")');
  await page.locator('.back a').click();
  await page.locator('.VPHero').waitFor();
});

async function desk() {
  const visitor = await reader({ width: 1280, colorScheme: 'light' });
  return { page: visitor.page, until: (text: string) => visitor.until(text) };
}
