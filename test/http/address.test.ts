// Bad paths: unknown, with another method, malformed, with a malformed id. None of them reveals
// more than an unknown id does. [G-11]
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import type { RunningHosts } from '../../src/http/hosts.ts';
import { parseRaw, raw, requestText, startKit } from './kit.ts';
import type { FailureBody } from './kit.ts';

let hosts: RunningHosts;
let base = '';
const ID = '019b76da-a800-7000-8000-000000000000';
const GOOD = { authorization: 'Bearer good' };

before(async () => {
  const hosted = (app: FastifyInstance): void => {
    app.get('/page/:id', () => 'a page');
    app.get('/broken', () => {
      throw new Error('a fault with a secret');
    });
  };
  const pages = { hosted };
  hosts = await startKit({ pages, front: { host: 'invoicing', path: '/docs/' } });
  base = hosts.urls.invoicing;
});
after(() => hosts.stop());

async function post(path: string): Promise<{ status: number; body: FailureBody }> {
  const headers = { ...GOOD, 'content-type': 'application/json' };
  const answer = await fetch(base + path, { method: 'POST', headers, body: '{}' });
  return { status: answer.status, body: (await answer.json()) as FailureBody };
}

function assertFailure(body: FailureBody, code: string): void {
  assert.equal(body.status, 'Failure');
  assert.deepEqual(body.codes, [code]);
  assert.equal(body.payload.error, body.message[0]);
}

test('unknown addresses are 404, known ones with another method 405 with Allow', async () => {
  const unknown = [
    '/',
    '/v1',
    '/v1/thing/',
    '//v1/thing',
    '/V1/thing',
    '/v1/thing/x/y',
    '/v1/thing//poke',
  ];
  for (const path of unknown) {
    const { status, body } = await post(path);
    assert.equal(status, 404, path);
    assertFailure(body, 'NOT_FOUND');
  }
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'QUERY', 'TRACE', 'LINK']) {
    const text = await raw(
      base,
      `${method} /v1/thing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    const { status, head, body } = parseRaw(text);
    assert.equal(status, 405, method);
    assert.match(head, /Allow: OPTIONS, POST\r\n/);
    assertFailure(body, 'METHOD_NOT_ALLOWED');
  }
  const options = await fetch(`${base}/v1/thing/${ID}`, { method: 'OPTIONS' });
  assert.equal(options.status, 204);
  assert.equal(options.headers.get('allow'), 'GET, HEAD, OPTIONS');
  const other = await fetch(`${hosts.urls.pii}/v1/thing`, { method: 'POST' });
  assert.equal(other.status, 404);
  assert.equal((await fetch(`${hosts.urls.internal}/readyz`)).status, 200);
});

test('the address of a page is known too: 405 with Allow, 204 to OPTIONS', async () => {
  const url = `${hosts.urls.hosted}/page/x`;
  assert.equal(await (await fetch(url)).text(), 'a page');
  const posted = await fetch(url, { method: 'POST' });
  assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD, OPTIONS']);
  assertFailure((await posted.json()) as FailureBody, 'METHOD_NOT_ALLOWED');
  assert.equal((await fetch(url, { method: 'OPTIONS' })).status, 204);
  assert.equal((await fetch(`${url}/y`, { method: 'POST' })).status, 404);
  assert.equal((await fetch(`${hosts.urls.hosted}/page/%ff`)).status, 404);
});

test('HEAD is GET without the body', async () => {
  const url = `${base}/v1/thing/${ID}`;
  const get = await fetch(url, { headers: GOOD });
  const head = await fetch(url, { method: 'HEAD', headers: GOOD });
  assert.equal(head.status, 200);
  assert.equal(head.headers.get('content-length'), get.headers.get('content-length'));
  assert.equal(await head.text(), '');
  assert.equal((await fetch(url, { method: 'HEAD' })).status, 401);
});

test('a malformed id is answered byte for byte like an unknown one', async () => {
  const texts = new Set<string>();
  for (const id of [
    'zz',
    ID.toUpperCase(),
    `${ID}x`,
    'a%2Fb',
    '%F0%9F%98%80',
    '..%2f..',
    'x'.repeat(5000),
  ]) {
    const answer = await fetch(`${base}/v1/thing/${id}`, { headers: GOOD });
    assert.equal(answer.status, 404, id);
    texts.add(await answer.text());
  }
  assert.equal(texts.size, 1);
  assert.match([...texts].join(''), /THING_NOT_FOUND/);
});

function ask(line: string, token = 'good'): Promise<string> {
  return raw(
    base,
    requestText([
      `${line} HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${token}`,
      'Connection: close',
    ]),
  );
}

test('an id that cannot be decoded is 404, after the token check', async () => {
  const unknown = parseRaw(await ask('GET /v1/thing/zz'));
  const ids = ['%', '%zz', '%ff', '%c0%af', '%00', `${ID}%00`, '%ed%a0%80', '%00%zz'];
  for (const id of ids) {
    const { status, body } = parseRaw(await ask(`GET /v1/thing/${id}`));
    assert.deepEqual([status, body], [404, unknown.body], id);
    assert.equal(parseRaw(await ask(`GET /v1/thing/${id}`, 'bad')).status, 401, id);
    const head = await ask(`HEAD /v1/thing/${id}`);
    assert.match(head, /^HTTP\/1\.1 404 /, id);
    assert.equal(head.split('\r\n\r\n')[1], '');
    const other = parseRaw(await ask(`PUT /v1/thing/${id}`));
    assert.deepEqual([other.status, other.body.codes], [405, ['METHOD_NOT_ALLOWED']], id);
    assertFailure(parseRaw(await ask(`GET /v1/${id}/x/y`)).body, 'NOT_FOUND');
  }
});

test('an address with a fragment is 400 in the envelope', async () => {
  const { status, body } = parseRaw(await ask(`GET /v1/thing/${ID}#x`));
  assert.equal(status, 400);
  assertFailure(body, 'URL_MALFORMED');
});

/** As a browser asks for an address that somebody opens. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

/** What `method` answers there, to whoever takes `accept`. */
async function seen(method: string, address: string, accept: string) {
  const answer = await fetch(address, { method, headers: { accept } });
  const { status, headers } = answer;
  const [type, policy] = ['content-type', 'content-security-policy'].map((one) => headers.get(one));
  return { status, type, policy, text: await answer.text() };
}

test('on hosts with pages a person gets a page of the same status, a program not', async () => {
  const { hosted, invoicing } = hosts.urls;
  const lost: readonly (readonly [string, string, number, string])[] = [
    ['GET', '/', 404, 'NOT_FOUND'],
    ['GET', '/page/one/echoed-back', 404, 'NOT_FOUND'],
    ['GET', '/echoed-back%3Cscript%3E?echoed-back', 404, 'NOT_FOUND'],
    ['GET', '/%zz-echoed-back', 404, 'NOT_FOUND'],
    ['POST', '/page/echoed-back', 405, 'METHOD_NOT_ALLOWED'],
    ['GET', '/broken', 500, 'SERVER_ERROR'],
  ];
  for (const [method, path, status, code] of lost) {
    const page = await seen(method, hosted + path, BROWSER);
    assert.deepEqual([page.status, page.type], [status, 'text/html; charset=utf-8'], path);
    assert.match(page.text, /^<!doctype html>[^]*<h1>[A-Z][^<]+<\/h1>\n<p>[A-Z][^<]+\.<\/p>/);
    assert.doesNotMatch(page.text, /echoed-back|<script|secret|NOT_|Failure/);
    assert.equal(/tell us this: [0-9a-f-]{36}</.test(page.text), status === 500);
    const style = /<style>([^]*)<\/style>/.exec(page.text)?.[1] ?? '';
    assert.ok(page.policy?.includes(`'sha256-${hash('sha256', style, 'base64')}'`));
    for (const accept of ['*/*', 'application/json']) {
      const told = await seen(method, hosted + path, accept);
      assert.deepEqual([told.status, told.type], [status, 'application/json'], path);
      assertFailure(JSON.parse(told.text) as FailureBody, code);
    }
  }
  const led = { redirect: 'manual', headers: { accept: BROWSER } } as const;
  for (const path of ['/', '/docs', '/?x=1']) {
    const { status, headers } = await fetch(hosts.urls.pii + path, led);
    assert.deepEqual([status, headers.get('location')], [303, `${invoicing}/docs/`], path);
    const told = await seen('GET', hosts.urls.pii + path, '*/*');
    assert.deepEqual([told.status, told.type], [404, 'application/json'], path);
  }
  const api = await seen('GET', `${invoicing}/nothing`, BROWSER);
  assert.deepEqual([api.status, api.type], [404, 'application/json'], 'nobody lands there');
});
