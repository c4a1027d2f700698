// Attacks on everything between the socket and an operation's run: the answer is always one
// envelope with the right status, nothing runs that should not, and the process survives.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { RunningHosts } from '../../src/http/hosts.ts';
import {
  assertFailure,
  logged,
  parseRaw,
  platformWith,
  postTo,
  raw,
  seen,
  startKit,
} from './kit.ts';
import type { FailureBody } from './kit.ts';

let hosts: RunningHosts;
let base = '';
const ID = '019b76da-a800-7000-8000-000000000000';
const GOOD = { authorization: 'Bearer good' };
const JSON_TYPE = { 'content-type': 'application/json' };

before(async () => {
  hosts = await startKit();
  base = hosts.urls.invoicing;
});
after(() => hosts.stop());

const post = (body: string | Buffer | null, headers: Record<string, string>, path?: string) =>
  postTo(base, body, headers, path);

test('a good request runs, and its answer is exactly the envelope', async () => {
  const answer = await fetch(`${base}/v1/thing`, {
    method: 'POST',
    headers: { ...GOOD, ...JSON_TYPE },
    body: '{"amount":5,"note":null}',
  });
  assert.equal(answer.status, 201);
  assert.equal(answer.headers.get('content-type'), 'application/json');
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  assert.equal(answer.headers.get('x-powered-by'), null);
  assert.equal(answer.headers.get('server'), null);
  assert.equal(
    await answer.text(),
    '{"status":"Success","message":[],"codes":[],"payload":{"amount":5}}',
  );
});

test('every media type and charset but JSON in UTF-8 is 415', async () => {
  const wrong = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'application/json; charset=latin1',
    'application/json; charset=utf-8; charset=utf-16',
    'application/json; charset=utf-8; charset=utf-8',
    'application/json; charset=',
    'application/json, text/plain',
    'application/jsonp',
    'application/json;charset="utf-7"',
    'application/vnd.api+json',
    'json',
    '*/*',
    'application/json; x',
    `application/json; a=${'b'.repeat(300)}`,
  ];
  const runs = seen.runs;
  for (const type of wrong) {
    const { status, body } = await post('{"amount":5}', { ...GOOD, 'content-type': type });
    assert.equal(status, 415, type);
    assert.match(body.codes[0] ?? '', /_UNSUPPORTED$/);
  }
  const right = ['application/json', 'Application/JSON ; Charset="UTF-8"', 'application/json;a=b'];
  for (const type of right) {
    const { status } = await post('{"amount":5}', { ...GOOD, 'content-type': type });
    assert.equal(status, 201, type);
  }
  assert.equal(seen.runs, runs + right.length);
});

test('compressed bodies and bodies without a type are 415', async () => {
  for (const encoding of ['gzip', 'br', 'deflate', 'gzip, identity', 'x']) {
    const headers = { ...GOOD, ...JSON_TYPE, 'content-encoding': encoding };
    assert.equal((await post('{"amount":5}', headers)).status, 415, encoding);
  }
  const bare = `POST /v1/thing HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\n`;
  const answer = parseRaw(await raw(base, `${bare}Content-Length: 2\r\n\r\n{}`, 400));
  assert.equal(answer.status, 415);
});

test('bodies that strict JSON refuses', async () => {
  const deep = '['.repeat(100_000);
  const wrong: readonly (readonly [string, string])[] = [
    ['', 'MISSING_FIELD'],
    ['{', 'INPUT_ERROR'],
    ['{"amount":1}{"amount":2}', 'INPUT_ERROR'],
    ['{"amount":1,"amount":2}', 'DUPLICATE_KEY'],
    ['{"amount":1,"\\u0061mount":2}', 'DUPLICATE_KEY'],
    ['{"amount":1,"__proto__":{"x":1}}', 'INPUT_ERROR'],
    ['{"amount":1,"note":"\\u0000"}', 'INPUT_ERROR'],
    ['{"amount":1,"note":"\\ud800"}', 'INPUT_ERROR'],
    ['\ufeff{"amount":1}', 'INPUT_ERROR'],
    ['{"amount":1,"constructor":1}', 'UNKNOWN_FIELD'],
    ['{"amount":"1"}', 'INVALID_FIELD'],
    ['{"amount":1e2}', 'INVALID_FIELD'],
    ['{"amount":100.0}', 'INVALID_FIELD'],
    ['{"amount":-0}', 'INVALID_FIELD'],
    ['{"amount":true}', 'INVALID_FIELD'],
    ['{"amount":[5]}', 'INVALID_FIELD'],
    ['{"amount":null}', 'INVALID_FIELD'],
    ['{"amount":9007199254740993}', 'INVALID_FIELD'],
    ['[]', 'INVALID_FIELD'],
    ['"x"', 'INVALID_FIELD'],
  ];
  const runs = seen.runs;
  for (const [text, code] of wrong) {
    const { status, body } = await post(text, { ...GOOD, ...JSON_TYPE });
    assert.equal(status, 400, text);
    assert.equal(body.codes[0], code, text);
  }
  const bomb = await post(deep.slice(0, 9_000), { ...GOOD, ...JSON_TYPE });
  assertFailure(bomb.body, 'JSON_TOO_DEEP');
  assert.equal((await post(deep, { ...GOOD, ...JSON_TYPE })).status, 413);
  const bytes = Buffer.from('{"amount":1,"note":"\xff"}', 'latin1');
  assert.equal((await post(bytes, { ...GOOD, ...JSON_TYPE })).status, 400);
  assert.equal(seen.runs, runs);
});

test('no answer repeats what the caller sent', async () => {
  const marker = 'MARKER12345';
  const tries = [
    post(`{"amount":"${marker}"}`, { ...GOOD, ...JSON_TYPE }),
    post(`{"amount":1,"note":${marker}}`, { ...GOOD, ...JSON_TYPE }),
    post('{}', { ...JSON_TYPE, authorization: `Bearer ${marker}` }),
    post('{}', { ...GOOD, ...JSON_TYPE }, `/v1/${marker}`),
    post('{}', { ...GOOD, ...JSON_TYPE }, `/v1/thing?a=${marker}`),
    post('{"amount":1}', { ...GOOD, 'content-type': marker }),
    post(`{"secret":"${marker}"}`, JSON_TYPE, '/v1/break'),
  ];
  for (const { body, status } of await Promise.all(tries)) {
    assert.ok(status >= 400);
    assert.ok(!JSON.stringify(body).includes(marker));
  }
  assert.ok(!logged.join('\n').includes(marker));
});

test('a fault is 500 with a reference only, found in the log with its place', async () => {
  const { status, body } = await post('{"secret":"CANARY"}', JSON_TYPE, '/v1/break');
  assert.equal(status, 500);
  assertFailure(body, 'SERVER_ERROR');
  const reference = body.payload.reference as string;
  const line = logged.find((text) => text.includes(reference) && text.includes('"fault"')) ?? '';
  assert.match(line, /"error":"TypeError"/);
  assert.match(line, /"message":null/);
  assert.match(line, /kit\.ts/);
  assert.ok(!logged.join('').includes('CANARY'));
});

test('query strings are exact: unknown, repeated, malformed parameters are refused', async () => {
  const status = async (query: string) =>
    (await fetch(`${base}/v1/thing/${ID}?${query}`, { headers: GOOD })).status;
  assert.equal(await status('view=a'), 200);
  assert.equal(await status('view=%20a+'), 200);
  const wrong = [
    'view=a&view=b',
    'vie%77=a&view=b',
    'view[]=a',
    'view=a&x=1',
    'x',
    '=',
    '&',
    'view=%',
    'view=%00',
    'view=%ff',
    '__proto__=1',
    'constructor=1',
    `view=${'a'.repeat(11)}`,
  ];
  for (const query of wrong) assert.equal(await status(query), 400, query);
});

test('tokens are read from one Authorization header and nowhere else', async () => {
  const wrong: (string | null)[] = [
    null,
    '',
    'good',
    'Bearer',
    'Bearer ',
    'Bearer  good',
    'Basic good',
    'Bearer good x',
    'Bearer good,Bearer good',
    'Bearer bad',
    'Bearergood',
    `Bearer ${'a'.repeat(9000)}`,
  ];
  const runs = seen.runs;
  for (const value of wrong) {
    const headers = value === null ? JSON_TYPE : { ...JSON_TYPE, authorization: value };
    const { status, body, answer } = await post('{"amount":5}', headers);
    assert.equal(status, 401, String(value));
    assert.match(body.codes[0] ?? '', /^TOKEN_/);
    assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer /);
  }
  const twice = 'Authorization: Bearer good\r\n';
  const head =
    'POST /v1/thing HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\n';
  const tail = 'Content-Length: 12\r\n\r\n{"amount":5}';
  assert.equal(parseRaw(await raw(base, `${head}${twice}${twice}${tail}`)).status, 401);
  assert.equal(
    parseRaw(await raw(base, `${head}${twice}aUTHORIZATION: Bearer bad\r\n${tail}`)).status,
    401,
  );
  assert.equal(
    (await post('{"amount":5}', { ...GOOD, ...JSON_TYPE }, '/v1/thing?access_token=good')).status,
    401,
  );
  assert.equal((await post('{"amount":5}', JSON_TYPE, '/v1/thing?access_token=good')).status, 401);
  assert.equal((await post('{"amount":5,"access_token":"good"}', JSON_TYPE)).status, 401);
  assert.equal(
    (await post('{"amount":5}', { ...JSON_TYPE, cookie: 'access_token=good' })).status,
    401,
  );
  assert.equal(seen.runs, runs);
});

test('scopes are exact and per kind of token, and checked before the body', async () => {
  const as = (token: string) => ({ ...JSON_TYPE, authorization: `Bearer ${token}` });
  const narrow = await post('not json', as('narrow'));
  assert.equal(narrow.status, 403);
  assertFailure(narrow.body, 'INSUFFICIENT_SCOPE');
  assert.equal((await post('{"amount":5}', as('user'))).status, 201);
  const session = await post('{"amount":5}', as('session'));
  assert.equal(session.status, 403);
  assertFailure(session.body, 'TOKEN_KIND_REFUSED');
  const listed = (token: string) =>
    fetch(`${base}/v1/listed`, { headers: { authorization: `Bearer ${token}` } });
  assert.equal((await listed('good')).status, 200);
  const refused = await listed('narrow');
  assert.equal(refused.status, 401);
  const realm = 'Bearer realm="holdfast", error=';
  const challenge = (answer: Response) => answer.headers.get('www-authenticate');
  assert.equal(challenge(refused), `${realm}"insufficient_scope", scope="read_listed"`);
  assertFailure((await refused.json()) as FailureBody, 'INSUFFICIENT_SCOPE');
  assert.equal(challenge(await listed('session')), `${realm}"insufficient_scope"`);
  assert.equal(challenge(await listed('bad')), `${realm}"invalid_token"`);
  assert.equal(challenge(narrow.answer), `${realm}"insufficient_scope", scope="write_things"`);
});

test('an idempotency key is 1 to 255 printable ASCII characters, once', async () => {
  const key = (value: string) =>
    post('{"amount":5}', { ...GOOD, ...JSON_TYPE, 'idempotency-key': value });
  for (const value of ['', 'é', 'a\tb', 'x'.repeat(256)]) {
    const { status, body } = await key(value);
    assert.equal(status, 400, value);
    assertFailure(body, 'IDEMPOTENCY_KEY_INVALID');
  }
  assert.equal((await key('x'.repeat(255))).status, 201);
  const claim = async (body: string, value: string, token = 'good') => {
    const headers = { ...JSON_TYPE, authorization: `Bearer ${token}`, 'idempotency-key': value };
    assert.equal((await post(body, headers)).status, 201);
    return (seen.request as { idempotency: { scope: string; fingerprint: string } }).idempotency;
  };
  const first = await claim('{"amount":5,"note":"a"}', 'k');
  assert.deepEqual(await claim('{ "note" : "\\u0061", "amount":5 }', 'k'), first);
  assert.notEqual((await claim('{"amount":6,"note":"a"}', 'k')).fingerprint, first.fingerprint);
  assert.equal((await claim('{"amount":5,"note":"a"}', 'l')).fingerprint, first.fingerprint);
  assert.notEqual((await claim('{"amount":5,"note":"a"}', 'l')).scope, first.scope);
  assert.notEqual((await claim('{"amount":5,"note":"a"}', 'k', 'user')).scope, first.scope);
  // 128 bits or more of a hash, each.
  for (const text of [first.scope, first.fingerprint]) assert.match(text, /^[\w-]{22,}$/);
  assert.notEqual(first.scope, first.fingerprint);
});

test('hashes of keys and requests cannot be guessed without the secret', async () => {
  const other = await startKit({ platform: async () => platformWith('another') });
  const headers = { ...GOOD, ...JSON_TYPE, 'idempotency-key': 'k' };
  const claims: { scope: string; fingerprint: string }[] = [];
  for (const at of [base, other.urls.invoicing]) {
    const sent = { method: 'POST', headers, body: '{"amount":5}' };
    assert.equal((await fetch(`${at}/v1/thing`, sent)).status, 201);
    claims.push((seen.request as { idempotency: (typeof claims)[number] }).idempotency);
  }
  await other.stop();
  const [first, second] = claims;
  assert.notEqual(first?.fingerprint, second?.fingerprint);
  assert.notEqual(first?.scope, second?.scope);
});

test('an operation without a body takes none, an empty one, null or {}', async () => {
  const path = `/v1/thing/${ID}/poke`;
  const bodies: (string | null)[] = [null, '', 'null', '{}'];
  for (const body of bodies) {
    const answer = await fetch(base + path, {
      method: 'POST',
      headers: { ...GOOD, ...JSON_TYPE },
      body,
    });
    assert.equal(answer.status, 200, String(body));
    assert.equal(await answer.text(), '');
    assert.equal(answer.headers.get('content-type'), null);
  }
  assert.equal((await fetch(base + path, { method: 'POST', headers: GOOD })).status, 200);
  for (const body of ['{"amount":1}', '[]', '0', '""', 'false']) {
    const refused = await post(body, { ...GOOD, ...JSON_TYPE }, path);
    assert.equal(refused.status, 400, body);
    assertFailure(refused.body, 'BODY_NOT_ALLOWED');
  }
});

test('no body, an empty one, null and {} under one key are one request', async () => {
  const prints = new Set<string>();
  for (const body of [null, '', 'null', '{}', ' { } ']) {
    const headers = { ...GOOD, ...JSON_TYPE, 'idempotency-key': 'k' };
    const answer = await fetch(`${base}/v1/thing/${ID}/poke`, { method: 'POST', headers, body });
    assert.equal(answer.status, 200, String(body));
    prints.add((seen.request as { idempotency: { fingerprint: string } }).idempotency.fingerprint);
  }
  assert.equal(prints.size, 1);
});
