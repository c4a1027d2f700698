// Attacks on the socket: too much, too slow, not HTTP, two requests in one. The answer is always an
// envelope or a closed connection, and the process survives.
import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, test } from 'node:test';
import type { RunningHosts } from '../../src/http/hosts.ts';
import { assertFailure, parseRaw, postTo, raw, requestText, startKit } from './kit.ts';

let hosts: RunningHosts;
let base = '';
const ID = '019b76da-a800-7000-8000-000000000000';
const GOOD = { authorization: 'Bearer good' };
const JSON_TYPE = { 'content-type': 'application/json' };

before(async () => {
  hosts = await startKit({ limits: { requestMs: 1_500, headersMs: 1_000 } });
  base = hosts.urls.invoicing;
});
after(() => hosts.stop());

/** Streams up to `bytes` bytes; gives the status and how much the server let us send. */
function flood(
  bytes: number,
  headers: Record<string, string | number>,
): Promise<{ status: number; sent: number }> {
  return new Promise((resolve) => {
    const { port } = new URL(base);
    let sent = 0;
    let status = 0;
    const chunk = Buffer.alloc(65_536, 0x20);
    const request = http.request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/v1/thing',
      headers,
    });
    const more = (): void => {
      while (sent < bytes && !request.destroyed) {
        sent += chunk.length;
        if (!request.write(chunk)) return void request.once('drain', more);
      }
      request.end();
    };
    request.on('response', (answer) => {
      status = answer.statusCode ?? 0;
      answer.resume();
    });
    request.on('error', () => {});
    request.on('close', () => resolve({ status, sent }));
    more();
  });
}

test('100 MB are cut at the limit, declared or not, and the answer arrives', async () => {
  const total = 100 * 1024 * 1024;
  const declared = await flood(total, { ...GOOD, ...JSON_TYPE, 'content-length': total });
  assert.equal(declared.status, 413);
  assert.ok(declared.sent < 8 * 1024 * 1024, `${declared.sent} bytes were taken`);
  const chunked = await flood(total, { ...GOOD, ...JSON_TYPE });
  assert.equal(chunked.status, 413);
  assert.ok(chunked.sent < 8 * 1024 * 1024, `${chunked.sent} bytes were taken`);
  const stranger = await flood(total, JSON_TYPE);
  assert.equal(stranger.status, 401);
  assert.ok(stranger.sent < 8 * 1024 * 1024, `${stranger.sent} bytes were taken`);
});

test('a body one byte over the limit is 413, at the limit it is read', async () => {
  const body = (size: number) => `{"amount":5${' '.repeat(size - 12)}}`;
  assert.equal((await postTo(base, body(10_000), { ...GOOD, ...JSON_TYPE })).status, 201);
  assert.equal((await postTo(base, body(10_001), { ...GOOD, ...JSON_TYPE })).status, 413);
  const chunk = (size: number) => `${size.toString(16)}\r\n${' '.repeat(size)}\r\n`;
  const head = requestText([
    'POST /v1/thing HTTP/1.1',
    'Host: x',
    'Authorization: Bearer good',
    'Content-Type: application/json',
    'Transfer-Encoding: chunked',
  ]);
  const over = parseRaw(await raw(base, `${head}${chunk(9_000)}${chunk(1_001)}`));
  assert.equal(over.status, 413);
  assert.match(over.head, /Connection: close/);
});

test('a request with Expect: 100-continue is refused before its body', async () => {
  const type = 'Content-Type: application/json';
  const head = `POST /v1/thing HTTP/1.1\r\nHost: x\r\n${type}\r\nExpect: 100-continue\r\n`;
  const token = 'Authorization: Bearer good';
  const large = await raw(base, `${head}${token}\r\nContent-Length: 99999999\r\n\r\n`, 1_500);
  assert.ok(large.startsWith('HTTP/1.1 413'));
  const unknown = await raw(base, `${head}Content-Length: 12\r\n\r\n`, 1_500);
  assert.ok(unknown.startsWith('HTTP/1.1 401'));
  const good = await raw(
    base,
    `${head}${token}\r\nContent-Length: 12\r\nConnection: close\r\n\r\n{"amount":5}`,
  );
  assert.match(good, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201/);
  const odd = await raw(
    base,
    'GET / HTTP/1.1\r\nHost: x\r\nExpect: coffee\r\nConnection: close\r\n\r\n',
  );
  assertFailure(parseRaw(odd).body, 'EXPECTATION_FAILED');
});

test('slow headers and slow bodies are cut with 408', async () => {
  const started = Date.now();
  const [headers, body] = await Promise.all([
    raw(base, 'POST /v1/thing HTTP/1.1\r\nHost: x\r\n', 6_000),
    raw(
      base,
      requestText(
        [
          'POST /v1/thing HTTP/1.1',
          'Host: x',
          'Authorization: Bearer good',
          'Content-Type: application/json',
          'Content-Length: 100',
        ],
        '{',
      ),
      6_000,
    ),
  ]);
  assert.ok(Date.now() - started < 5_000);
  assertFailure(parseRaw(headers).body, 'REQUEST_TIMEOUT');
  assertFailure(parseRaw(body).body, 'REQUEST_TIMEOUT');
});

test('what is not HTTP is answered in the envelope and closed', async () => {
  const bad: readonly (readonly [string, number])[] = [
    ['hello\r\n\r\n', 400],
    ['GET /\r\n\r\n', 400],
    ['FOO / HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
    ['POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n', 400],
    ['POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\nHost: x\r\nBad Header: y\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\nHost: x\r\n folded: y\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    [`GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
  ];
  for (const [text, status] of bad) {
    const answer = parseRaw(await raw(base, text, 1_500));
    assert.equal(answer.status, status, text.slice(0, 60));
    assert.equal(answer.body.status, 'Failure');
    assert.match(answer.head, /Content-Type: application\/json/);
  }
  assert.equal((await fetch(`${base}/v1/thing/${ID}`, { headers: GOOD })).status, 200);
});

test('a whole address is routed by its path, and refused where it names no host', async () => {
  const ask = async (target: string, ...more: string[]) => {
    const lines = [`GET ${target} HTTP/1.1`, 'Authorization: Bearer good', 'Connection: close'];
    return parseRaw(await raw(base, requestText([...lines, ...more]), 1_500));
  };
  const path = `/v1/thing/${ID}`;
  for (const target of [path, `http://pii.example${path}`, `HTTPS://[::1]:7401${path}?view=a`]) {
    assert.equal((await ask(target, 'Host: x')).status, 200, target);
  }
  assertFailure((await ask('http://x?view=a', 'Host: x')).body, 'NOT_FOUND');
  for (const target of ['http://me@x/', 'http:///v1', 'ftp://x/', 'http://x:y/', 'http://x%2f/']) {
    const { status, body } = await ask(target, 'Host: x');
    // Some of these Node's parser refuses already.
    assert.deepEqual([target, status, body.codes[0]?.slice(-9)], [target, 400, 'MALFORMED']);
  }
  assertFailure((await ask(`http://x${path}`)).body, 'REQUEST_MALFORMED');
});

test('a request smuggled behind another is read as its own, or not at all', async () => {
  const inner = requestText([
    'GET /v1/listed HTTP/1.1',
    'Host: x',
    'Authorization: Bearer good',
    'Connection: close',
  ]);
  const outer = requestText([
    'POST /v1/thing HTTP/1.1',
    'Host: x',
    'Content-Type: application/json',
    `Content-Length: ${inner.length}`,
  ]);
  // The inner one is the body of a request without a token: one answer, 401.
  const text = await raw(base, outer + inner, 1_000);
  assert.equal(text.match(/HTTP\/1\.1 /g)?.length, 1);
  assert.ok(text.startsWith('HTTP/1.1 401'));
});

test('a peer that disconnects in the middle harms nobody', async () => {
  const head = requestText(
    [
      'POST /v1/thing HTTP/1.1',
      'Host: x',
      'Authorization: Bearer good',
      'Content-Type: application/json',
      'Content-Length: 100',
    ],
    '{"am',
  );
  await Promise.all(Array.from({ length: 20 }, () => raw(base, head, 30)));
  assert.equal((await fetch(`${base}/v1/thing/${ID}`, { headers: GOOD })).status, 200);
});
