// Call limits on a node as in production: whoever calls too often is told when to retry, the call
// has no effect, and nobody else notices. [G-06]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { setTenantLimits } from '../../src/product/tenant/tenant/index.ts';
import { startPlatform, type Platform, type Tenant } from '../api/kit.ts';
import type { Call, Reply } from '../kit/api.ts';
import { raw, requestText } from './kit.ts';

let platform: Platform;
let tenant: Tenant;
let other: Tenant;
before(async () => {
  const settings = { HOLDFAST_TENANT_WRITES: '2', HOLDFAST_TENANT_READS: '3' };
  platform = await startPlatform({ env: 'production', settings });
  [tenant, other] = [await platform.tenant(), await platform.tenant()];
});
after(() => platform?.stop());

function register(username: string, call: Call): Promise<Reply> {
  return platform.api.send('accounts', 'POST', '/register', { body: { username }, ...call });
}

function read({ token }: Tenant): Promise<Reply> {
  const path = '/v2/invoice/019b76da-a800-7000-8000-000000000000';
  return platform.api.send('invoicing', 'GET', path, { token });
}

function assertRefused(reply: Reply): void {
  assert.deepEqual([reply.status, reply.code], [429, 'TOO_MANY_REQUESTS'], reply.text);
  assert.equal(reply.headers.get('retry-after'), '1');
}

const accounts = async (): Promise<number> => {
  const rows = await platform.db.query('select from account');
  return rows.length;
};

test('after a burst a tenant must wait as long as told, others need not', async () => {
  const there = await accounts();
  const calls = Array.from({ length: 12 }, (_, n) => ({
    token: tenant.token,
    headers: { 'idempotency-key': `once${n}` },
  }));
  const replies = await Promise.all(calls.map((call, n) => register(`a${n}`, call)));
  assert.equal((await register('b', other)).status, 200);
  assert.equal((await read(tenant)).status, 404, 'reads are counted apart');
  const done = replies.filter(({ status }) => status === 200);
  assert.ok(done.length >= 4, `${done.length} of a burst of four`);
  const late = replies.findIndex(({ status }) => status !== 200);
  for (const reply of replies) if (!done.includes(reply)) assertRefused(reply);
  assert.equal(await accounts(), there + done.length + 1, 'nothing was changed');
  await sleep(1_000);
  assert.equal((await register(`a${late}`, calls[late] as Call)).status, 200);
});

test('the body of a refused call is not read', async () => {
  const lines = [
    ...['POST /register HTTP/1.1', 'Host: x', `Authorization: Bearer ${other.token}`],
    ...['Content-Type: application/json', 'Content-Length: 900000', ''],
  ];
  const send = () => raw(platform.ready.urls.accounts, requestText(lines, '{'), 1_000);
  await setTenantLimits(platform.db, other.integrator, { inFlight: 1, writes: 0, reads: 0 });
  let answer = '';
  // Of two at once one waits for its body, and the other is refused, once the limit is known here.
  for (let n = 0; n < 10 && answer === ''; n += 1) {
    await read(other);
    answer = (await Promise.all([send(), send()])).find((got) => got !== '') ?? '';
  }
  assert.match(answer, /^HTTP\/1\.1 429 /);
  assert.match(answer, /\r\nConnection: close\r\n/i);
});

test("a tenant's new limits apply within seconds", async () => {
  const own = { inFlight: 0, writes: 0, reads: 1 };
  await setTenantLimits(platform.db, other.integrator, own);
  const statuses: number[] = [];
  // The first question after a second begins to read what was set.
  for (let n = 0; n < 20 && !statuses.includes(429); n += 1) {
    await sleep(300);
    const reads = await Promise.all(Array.from({ length: 8 }, () => read(other)));
    statuses.push(...reads.map(({ status }) => status));
  }
  assert.ok(statuses.includes(429));
  const writes = await Promise.all(Array.from({ length: 9 }, (_, n) => register(`d${n}`, other)));
  assert.ok(writes.every(({ status }) => status === 200));
});

function from(address: string) {
  return { headers: { 'x-forwarded-for': address } };
}

function askToken(secret: string, address: string): Promise<Reply> {
  const form = { grant_type: 'client_credentials', ...tenant.client, client_secret: secret };
  return platform.api.send('auth', 'POST', '/token', { form, token: null, ...from(address) });
}

/** Sixteen wrong secrets and then the right one, from one address. */
async function guessAndAsk(right: string, statuses: number[]): Promise<Reply> {
  const guesses = Array.from({ length: 16 }, (_, n) => askToken(`wrong${n}`, '9.9.9.9, 1.1.1.1'));
  const last = askToken(right, '1.1.1.1');
  for (const { status } of await Promise.all(guesses)) statuses.push(status);
  return last;
}

test('wrong secrets are limited after ten tries; right ones are not counted', async () => {
  const right = tenant.client.client_secret;
  for (let n = 0; n < 12; n += 1) assert.equal((await askToken(right, '1.1.1.1')).status, 200);
  const [began, statuses]: [number, number[]] = [performance.now(), []];
  // Five a second come back meanwhile: the right secret is refused when it finds none.
  let closed = await guessAndAsk(right, statuses);
  for (let n = 0; n < 9 && closed.status === 200; n += 1) {
    closed = await guessAndAsk(right, statuses);
  }
  const most = 10 + ((performance.now() - began) / 1_000) * 5;
  assert.ok(statuses.filter((status) => status === 401).length <= most);
  assertRefused(closed);
  assert.equal((closed.body as { error?: string }).error, 'temporarily_unavailable');
  assert.equal((await askToken(right, '8.8.8.8')).status, 200, 'from elsewhere');
});

test('link pages allow a burst of four from one address', async () => {
  const look = async (path: string, address: string): Promise<number> =>
    (await fetch(platform.ready.urls.hosted + path, from(address))).status;
  const looks = Array.from({ length: 16 }, () => look('/checkout/nothing', '2.2.2.2'));
  const statuses = (await Promise.all(looks)).sort();
  assert.deepEqual(statuses.slice(0, 4), [404, 404, 404, 404]);
  assert.equal(statuses.at(-1), 429);
  assert.equal(await look('/checkout/nothing', '2.2.2.2, 3.3.3.3'), 404);
  const files = Array.from({ length: 30 }, () => look('/ui/assets/none.js', '2.2.2.2'));
  assert.deepEqual(new Set(await Promise.all(files)), new Set([404]));
});

test('calls without a token are counted by address, but not callbacks and health', async () => {
  const ask = (host: 'auth' | 'pii' | 'internal', path: string, more: Call = {}) =>
    platform.api.send(host, more.body ? 'POST' : 'GET', path, {
      ...from('4.4.4.4'),
      ...more,
      token: null,
    });
  const keys = Array.from({ length: 40 }, () => ask('auth', '/.well-known/jwks.json'));
  const statuses = (await Promise.all(keys)).map(({ status }) => status);
  assert.ok(statuses.filter((status) => status === 200).length >= 20);
  assert.ok(statuses.includes(429));
  const free = Array.from({ length: 30 }, () => ask('pii', '/v1/identity_notices', { body: {} }));
  assert.ok((await Promise.all(free)).every(({ status }) => status < 429));
  const health = await Promise.all(Array.from({ length: 30 }, () => ask('internal', '/readyz')));
  assert.ok(health.every(({ status }) => status === 200));
});
