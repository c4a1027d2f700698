// Origins and return addresses against hostile spellings: an allowed address leads every browser
// where its entry says, and an unregistered one is never allowed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressAllowed, frameOrigins } from './index.ts';
import { isAddress, isOrigin } from './address.ts';

const STAGING = 'staging';
const PRODUCTION = 'production';

test('an origin is what a browser says of a page, and nothing more', () => {
  for (const good of [
    ...['https://shop.example', 'https://a.b-c.example:8443', 'https://xn--bcher-kva.example'],
    ...['https://203.0.113.9', 'https://localhost:3000'],
  ]) {
    assert.ok(isOrigin(good, PRODUCTION), good);
  }
  for (const good of ['http://localhost', 'http://127.0.0.1:7409', 'http://shop.localhost:1']) {
    assert.ok(isOrigin(good, STAGING), good);
    assert.ok(!isOrigin(good, PRODUCTION), good);
  }
  for (const bad of [
    ...['', 'shop.example', '//shop.example', 'https:', 'https://', 'https:shop.example', '*'],
    ...['https:///shop.example', 'https:/shop.example', 'https:\\\\shop.example', 'null'],
    ...['https://shop.example/', 'https://shop.example/x', 'https://shop.example?', 'self'],
    ...['https://shop.example#', 'https://*', 'https://*.shop.example', 'https://shop.example:*'],
    ...['https://shop.example:443', 'https://shop.example:', 'https://shop.example:99999'],
    ...['https://u@shop.example', 'https://u:p@shop.example', 'https://@shop.example'],
    ...['HTTPS://shop.example', 'https://Shop.example', 'https://b\u00fccher.example'],
    ...['https://0x7f.1', 'https://2130706433', 'https://127.1', 'https://0177.0.0.1'],
    ...['https://\uff11\uff12\uff17.0.0.1', 'https://[::1]', 'https://shop.example.', 'https://-'],
    ...["https://a;script-src'none'", 'https://a,b', 'https://a b', ' https://a', 'https://a\n'],
    ...['https://a\u0000', 'https://a%00', 'https://%61', 'https://a_b', "https://a'"],
    ...['https://a"'],
    ...['http://shop.example', 'http://localhost.shop.example', 'http://127.0.0.1.example'],
    ...['http://10.0.0.1', 'http://0.0.0.0', 'http://[::1]:3000', 'javascript://shop.example'],
    ...['data:text/html,x', 'file:///etc', 'blob:https://shop.example/x', 'wss://shop.example'],
    ...['myapp://return', `https://${'a'.repeat(2_100)}.example`],
  ]) {
    assert.ok(!isOrigin(bad, STAGING), JSON.stringify(bad));
  }
});

test('an address may have a path; one of an app may have its own scheme', () => {
  for (const good of ['https://shop.example', 'https://shop.example/', 'https://a.example/b/c/']) {
    assert.ok(isAddress(good, PRODUCTION, false), good);
  }
  for (const app of ['myapp://return', 'com.example.shop://login/done', 'a+b-c.d://x']) {
    assert.ok(isAddress(app, PRODUCTION, true), app);
    assert.ok(!isAddress(app, PRODUCTION, false), app);
  }
  for (const bad of [
    ...['javascript://shop.example/%0aalert(1)', 'javascript:alert(1)', 'data://x', 'file://x/y'],
    ...['blob://x', 'about://blank', 'vbscript://x', 'ftp://shop.example', 'ws://shop.example'],
    ...['http://shop.example', 'intent://x', 'view-source://x', 'myapp:return', 'myapp:///return'],
    ...['myapp://', 'MyApp://return', 'myapp://Return', 'myapp://u@return', 'myapp://return#x'],
    ...['1app://x', 'my app://x', 'myapp://re turn', 'myapp://return/../x', 'myapp://*'],
    ...['https://shop.example/a?b', 'https://shop.example/#', 'https://shop.example/a/../b'],
    ...['https://shop.example/./a', 'https://shop.example/%2e%2e/a', 'https://shop.example/a%2Fb'],
    ...['https://shop.example/a%5cb', 'https://shop.example/a\\b', 'https://shop.example/a b'],
    ...['https://shop.example/\u00e9', 'https://shop.example/<x>', 'https://shop.example/%00'],
  ]) {
    assert.ok(!isAddress(bad, STAGING, true), JSON.stringify(bad));
  }
});

test('an address is allowed with the origin of an entry, at its path or below', () => {
  const list = ['https://shop.example/return', 'https://two.example/', 'https://dir.example/d/'];
  const allowed = (url: string): boolean => addressAllowed(list, PRODUCTION, url);
  for (const good of [
    ...['https://shop.example/return', 'https://shop.example/return/'],
    ...['https://shop.example/return?a=1'],
    ...['https://shop.example/return/x/y?name=O\'Brien&u=https://evil.example/\u0026'],
    ...['https://two.example'],
    ...['https://two.example/any', 'https://two.example/?', 'https://dir.example/d/e'],
  ]) {
    assert.ok(allowed(good), good);
  }
  for (const bad of [
    ...['https://shop.example', 'https://shop.example/', 'https://shop.example/returned'],
    ...['https://shop.example/Return', 'https://shop.example/return/../admin'],
    ...['https://dir.example/d'],
    ...['https://shop.example/return/%2e%2e/admin', 'https://shop.example/return/..%2fadmin'],
    ...['https://shop.example/return/%2E./admin', 'https://shop.example/return\\..\\admin'],
    ...['http://shop.example/return', 'https://shop.example:444/return'],
    ...['https://shop.example:443/return'],
    ...['https://evil.example/return', 'https://shop.example.evil.example/return'],
    ...['https://shop.example@evil.example/return', 'https://evil.example\\@shop.example/return'],
    ...['https://evil.example#@shop.example/return'],
    ...['https://evil.example?https://shop.example/return'],
    ...['//shop.example/return', '/return', 'shop.example/return', 'https:shop.example/return'],
    ...['https:/shop.example/return', 'https:///shop.example/return'],
    ...['\thttps://shop.example/return'],
    ...['https://shop.example/ret\turn', 'https://shop.example/return\n'],
    ...['https://shop.example/return#x'],
    ...['https://sh\u00adop.example/return', 'https://shop\u3002example/return'],
    ...['javascript://shop.example/return'],
    ...['https://SHOP.example/return', 'https://shop.example./return', 'https://two.example.', ''],
  ]) {
    assert.ok(!allowed(bad), JSON.stringify(bad));
  }
});

test("an app's own scheme is compared to the letter", () => {
  const list = ['myapp://return', 'myapp://other/done'];
  const allowed = (url: string): boolean => addressAllowed(list, PRODUCTION, url);
  for (const good of ['myapp://return', 'myapp://return?a=1', 'myapp://other/done/x']) {
    assert.ok(allowed(good), good);
  }
  for (const bad of [
    ...['yourapp://return', 'myapp://returned', 'myapp://other', 'myapp://other/doner'],
    ...['myapp:return'],
    ...['myapp:/return', 'MYAPP://return', 'myapp://Return', 'myapp://u@return'],
    ...['myapp://return:1'],
    ...['myapp://other/done/../x', 'myapp://return#x', 'myapp://return\\x', 'https://return'],
  ]) {
    assert.ok(!allowed(bad), bad);
  }
});

test('while nothing is registered, a sandbox returns to the own machine only', () => {
  for (const url of ['http://localhost:3000/x', 'http://127.0.0.1/', 'https://localhost/a?b']) {
    assert.ok(addressAllowed([], STAGING, url), url);
    assert.ok(!addressAllowed([], PRODUCTION, url), url);
    assert.ok(!addressAllowed(['https://shop.example'], STAGING, url), url);
  }
  for (const url of ['https://shop.example/', 'myapp://localhost', 'http://localhost@e.example/']) {
    assert.ok(!addressAllowed([], STAGING, url), url);
  }
});

/** A seeded generator of integers. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

const PIECES = [
  ...['https:', 'http:', 'javascript:', 'myapp:', 'HTTPS:', '//', '/', '\\', '@', ':', '?', '#'],
  ...['shop.example', 'evil.example', 'localhost', '127.0.0.1', '127.1', '0x7f000001', '443', '80'],
  ...['return', 'returned', '..', '.', '%2e', '%2f', '%5c', '%00', '*', ';', ',', "'", '"', '<'],
  ...['\t', '\n', ' ', '\u0000', '\u3002', '\uff0f', '\u00ad', '[::1]', 'x', ':443', 'u:p', '-'],
];

test('whatever is allowed or taken leads a browser to what is registered', () => {
  const roll = dice(20_240_517);
  const entry = new URL('https://shop.example/return');
  const list = [entry.href];
  let [allowed, origins] = [0, 0];
  for (let round = 0; round < 60_000; round += 1) {
    const start = roll(3) === 0 ? '' : ['https://shop.example', entry.href][roll(2)];
    const rest = Array.from({ length: roll(6) }, () => PIECES[roll(PIECES.length)]).join('');
    const text = `${start}${rest}`;
    if (addressAllowed(list, PRODUCTION, text)) {
      allowed += 1;
      const url = new URL(text);
      const path = decodeURIComponent(url.pathname).replaceAll('\\', '/');
      assert.equal(url.origin, entry.origin, text);
      assert.equal(url.username + url.password + url.hash, '', text);
      assert.match(path, /^\/return(\/|$)/, text);
      assert.doesNotMatch(path, /(^|\/)\.\.?(\/|$)/, text);
    }
    if (isOrigin(text, PRODUCTION)) {
      origins += 1;
      assert.equal(new URL(text).origin, text);
      assert.match(text, /^https:\/\/[a-z0-9.:-]+$/);
    }
  }
  assert.ok(allowed > 1_000 && origins > 1_000, `${allowed} allowed, ${origins} origins`);
});

test('who may hold a page in a frame', () => {
  const registered_origins = ['https://shop.example', 'http://localhost:3000'];
  assert.deepEqual(frameOrigins({ registered_origins }, STAGING), registered_origins);
  assert.deepEqual(frameOrigins({ registered_origins }, PRODUCTION), ['https://shop.example']);
  const nothing = { registered_origins: [] };
  const machine = ['http://localhost:*', 'http://127.0.0.1:*'];
  assert.deepEqual(frameOrigins(nothing, STAGING), machine);
  assert.deepEqual(frameOrigins(nothing, PRODUCTION), [], 'nobody');
  const broken = { registered_origins: ["https://a;script-src 'unsafe-inline'", '*'] };
  assert.deepEqual(frameOrigins(broken, PRODUCTION), [], 'not even out of the database');
});
