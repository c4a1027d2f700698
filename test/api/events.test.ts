// Events as a receiver gets them: endpoints by API, the forwarded stream, signatures checked by
// hand, bodies equal to those of /v1/events. [seed: Events; G-02, G-60 to G-64]
import assert from 'node:assert/strict';
import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import type { JWK } from 'jose';
import { startPlatform, type Platform } from './kit.ts';
import { Market, pause, type Body } from './market.ts';
import type { Event, Invoice } from './records.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

interface Received {
  readonly path: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly event: Event;
}

/** A receiver that keeps what it gets and answers as told. */
class Receiver {
  readonly got: Received[] = [];
  status = 204;
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const { url, method, headers } = request;
        const event = JSON.parse(body) as Event;
        this.got.push({ path: url ?? '', method: method ?? '', headers, body, event });
        response.writeHead(this.status).end();
      });
    });
  }

  async open(): Promise<string> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Waits for an event that fits. */
  async waitFor(fits: (got: Received) => boolean): Promise<Received> {
    for (const until = Date.now() + 10_000; Date.now() < until; await pause()) {
      const found = this.got.find(fits);
      if (found !== undefined) return found;
    }
    throw new Error('an event did not come');
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((done) => void this.#server.close(() => done()));
  }
}

/** The signature by hand, as Standard Webhooks writes it. */
function signature(secret: string, got: Received): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const { 'webhook-id': id, 'webhook-timestamp': at } = got.headers;
  return `v1,${createHmac('sha256', key).update(`${id}.${at}.${got.body}`).digest('base64')}`;
}

function isSignedBy(secret: string, got: Received): boolean {
  const mine = Buffer.from(signature(secret, got));
  const theirs = String(got.headers['webhook-signature'])
    .split(' ')
    .map((text) => Buffer.from(text));
  return theirs.some((one) => one.length === mine.length && timingSafeEqual(one, mine));
}

const receiver = new Receiver();
let target = '';
let platform: Platform;
let market: Market;
before(async () => {
  target = await receiver.open();
  platform = await startPlatform({ options: ['--forward-to', `${target}/forwarded`] });
  market = new Market(platform.api);
});
after(async () => {
  await platform?.stop();
  await receiver.close();
});

const endpoints = '/v1/webhook_endpoints';
const about =
  (id: string, path: string) =>
  (got: Received): boolean =>
    got.path === path && got.event.message['invoice_id'] === id;

test("a finished invoice is announced, signed with the ready line's secret", async () => {
  const done = await market.sold(market.sale(20));
  const got = await receiver.waitFor(about(done.invoice_id, '/forwarded'));
  assert.equal(got.method, 'POST');
  assert.equal(got.headers['content-type'], 'application/json');
  assert.ok(isSignedBy(platform.ready.webhook.secret, got));
  assert.ok(!isSignedBy(platform.ready.webhook.secret, { ...got, body: `${got.body} ` }));
  assert.ok(!isSignedBy(`whsec_${Buffer.alloc(32).toString('base64')}`, got));
  const { event } = got;
  assert.deepEqual(Object.keys(event), [
    ...['event_id', 'event_name', 'bucket_key', 'sent_at', 'sequence', 'resource_version'],
    'message',
  ]);
  assert.match(event.event_id, UUID);
  assert.equal(event.event_id, got.headers['webhook-id']);
  assert.equal(event.event_name, 'invoice-completed');
  assert.equal(event.bucket_key, 'staging');
  assert.match(event.sent_at, TIME);
  assert.ok(Number.isSafeInteger(event.sequence) && event.sequence > 0);
  assert.ok(event.resource_version >= 2);
  const at = Number(got.headers['webhook-timestamp']);
  assert.ok(Math.abs(at - Date.now() / 1000) < 60);
  assert.deepEqual(event.message as unknown as Invoice, done, 'the payload of GET, success');
});

test("the bearer token is the auth host's, for this receiver alone, without scopes", async () => {
  const got = await receiver.waitFor(() => true);
  const token = String(got.headers.authorization).replace(/^Bearer /, '');
  const header = decodeProtectedHeader(token);
  const claims = decodeJwt(token);
  const { keys } = (await (
    await fetch(`${platform.ready.urls.auth}/.well-known/jwks.json`)
  ).json()) as { keys: JWK[] };
  const jwk = keys.find((one) => one.kid === header.kid);
  assert.ok(jwk);
  const [head, body, sign] = token.split('.') as [string, string, string];
  const key = {
    key: createPublicKey({ key: jwk, format: 'jwk' }),
    dsaEncoding: 'ieee-p1363',
  } as const;
  assert.ok(verify('sha256', Buffer.from(`${head}.${body}`), key, Buffer.from(sign, 'base64url')));
  assert.match(String(claims.aud), UUID);
  assert.equal(claims.scope ?? claims['scopes'], undefined);
  const misused = await platform.api.send('invoicing', 'GET', '/v2/invoice/x', { token });
  assert.deepEqual([misused.status, misused.code], [401, 'TOKEN_INVALID']);
});

test('a failed invoice is announced with its reason, a zero total as success', async () => {
  const { buyer } = platform.ready.accounts;
  const payment_methods = [{ payment_method_id: buyer.declined_card_payment_method_id }];
  const failed = await market.sold(market.sale(30, { payment_methods }));
  const got = await receiver.waitFor(about(failed.invoice_id, '/forwarded'));
  assert.equal(got.event.message['state'], 'failed');
  assert.equal(got.event.message['failure_code'], 'card_declined');
  assert.ok(got.event.message['failure_reason']);
});

test('the stream is what was delivered, in order and without gaps', async () => {
  await market.lastSequence();
  const path = '/v1/events?after=0&limit=1000';
  type Page = { events: Event[]; next_after: number };
  const page = await platform.api.must<Page>(200, 'invoicing', 'GET', path);
  assert.deepEqual(
    page.events.map((event) => event.sequence),
    page.events.map((_, at) => at + 1),
  );
  const sold = page.events.filter((event) => event.event_name === 'invoice-completed');
  assert.ok(sold.length >= 2);
  for (const event of sold) {
    const got = await receiver.waitFor((one) => one.event.event_id === event.event_id);
    assert.equal(got.body, JSON.stringify(event), 'the same bytes');
    const { event: one } = await platform.api.must<{ event: Event }>(
      200,
      'invoicing',
      'GET',
      `/v1/events/${event.event_id}`,
    );
    assert.deepEqual(one, event);
  }
  const next = await platform.api.must<Page>(200, 'invoicing', 'GET', '/v1/events?after=1&limit=2');
  assert.deepEqual(next.events, page.events.slice(1, 3));
  assert.equal(next.next_after, 3);
  const end = await platform.api.must<Page>(200, 'invoicing', 'GET', '/v1/events?after=999999');
  assert.deepEqual(end, { events: [], next_after: 999_999, epoch: 'first' });
  for (const query of [
    'after=-1',
    'after=x',
    'after=1.5',
    'limit=0',
    'limit=1001',
    'limit=',
    'x=1',
    'after=1&after=2',
    `after=${2 ** 53}`,
  ]) {
    const reply = await platform.api.send('invoicing', 'GET', `/v1/events?${query}`);
    assert.equal(reply.status, 400, `${query}: ${reply.text}`);
  }
});

interface Endpoint extends Body {
  readonly endpoint_id: string;
  readonly secret?: string;
}

test('an endpoint is created, listed, changed, filtered, rotated and deleted by API', async () => {
  const { api } = platform;
  const body = { url: `${target}/own`, event_names: ['invoice-completed'], description: 'mine' };
  const made = await api.must<Endpoint>(201, 'invoicing', 'POST', endpoints, { body });
  const { endpoint_id, secret, ...shown } = made;
  assert.match(secret ?? '', /^whsec_/);
  assert.equal(shown['url'], body.url);
  assert.equal(shown['state'], 'enabled');
  const one = `${endpoints}/${endpoint_id}`;
  assert.deepEqual(await api.must(200, 'invoicing', 'GET', one), { endpoint_id, ...shown });
  const list = await api.must<{ webhook_endpoints: Endpoint[] }>(
    200,
    'invoicing',
    'GET',
    endpoints,
  );
  assert.ok(list.webhook_endpoints.every((each) => each.secret === undefined));
  assert.ok(list.webhook_endpoints.some((each) => each.endpoint_id === endpoint_id));

  const done = await market.sold(market.sale(21));
  const got = await receiver.waitFor(about(done.invoice_id, '/own'));
  assert.ok(isSignedBy(secret ?? '', got));
  assert.ok(!isSignedBy(platform.ready.webhook.secret, got), 'one secret for each receiver');

  const rotated = await api.must<Endpoint>(200, 'invoicing', 'POST', `${one}/rotate_secret`, {
    body: {},
  });
  assert.notEqual(rotated.secret, secret);
  const next = await market.sold(market.sale(22));
  const both = await receiver.waitFor(about(next.invoice_id, '/own'));
  assert.ok(isSignedBy(secret ?? '', both) && isSignedBy(rotated.secret ?? '', both));

  await api.must(200, 'invoicing', 'PATCH', one, { body: { event_names: ['kyc-webhook'] } });
  const silent = await market.sold(market.sale(23));
  await receiver.waitFor(about(silent.invoice_id, '/forwarded'));
  await pause(100);
  assert.ok(!receiver.got.some(about(silent.invoice_id, '/own')), 'not asked for, not sent');

  const ended = await api.send('invoicing', 'DELETE', one);
  assert.deepEqual([ended.status, ended.text], [204, '']);
  for (const [method, path] of [
    ['GET', one],
    ['DELETE', one],
    ['PATCH', one],
    ['POST', `${one}/rotate_secret`],
    ['POST', `${one}/replay`],
    ['GET', `${one}/deliveries`],
  ] as const) {
    const body = method === 'PATCH' || method === 'POST' ? { body: {} } : {};
    const reply = await api.send('invoicing', method, path, body);
    assert.deepEqual(
      [reply.status, reply.code],
      [404, 'WEBHOOK_ENDPOINT_NOT_FOUND'],
      `${method} ${path}`,
    );
  }
});

test('a failed delivery is retried with the same body and shown in deliveries', async () => {
  const { api } = platform;
  const slow = new Receiver();
  slow.status = 500;
  const url = await slow.open();
  try {
    const body = { url, event_names: ['invoice-completed'] };
    const made = await api.must<Endpoint>(201, 'invoicing', 'POST', endpoints, { body });
    const done = await market.sold(market.sale(24));
    const first = await slow.waitFor((got) => got.event.message['invoice_id'] === done.invoice_id);
    slow.status = 200;
    const path = `${endpoints}/${made.endpoint_id}`;
    await api.must(200, 'invoicing', 'POST', `${path}/replay`, {
      body: { sequence: first.event.sequence },
    });
    const second = await slow.waitFor((got) => got !== first && got.body === first.body);
    assert.equal(second.headers['webhook-id'], first.headers['webhook-id']);
    type Deliveries = { deliveries: { event_id: string; attempts: number; state: string }[] };
    for (let state = ''; state !== 'delivered'; await pause()) {
      const page = await api.must<Deliveries>(200, 'invoicing', 'GET', `${path}/deliveries`);
      const found = page.deliveries.find((one) => one.event_id === first.event.event_id);
      assert.ok(found);
      state = found.state;
    }
    await api.must(204, 'invoicing', 'DELETE', path);
  } finally {
    await slow.close();
  }
});

test('forbidden URLs are refused', async () => {
  const bad = [
    ...['', 'x', '/hook', '//example.test/x', 'ftp://example.test/', 'file:///etc/passwd'],
    ...['http://user:secret@127.0.0.1/', 'http://127.0.0.1/#x', 'http://10.0.0.1/'],
    ...['http://169.254.169.254/latest', 'http://[fe80::1]/', 'https://192.168.0.1/'],
    ...['http://0.0.0.0/', 'http://0x7f.1.2.3.4/', 'javascript:alert(1)', 'http://2852039166/'],
    `https://example.test/${'x'.repeat(2_100)}`,
  ];
  const before = await platform.rows();
  for (const url of bad) {
    const reply = await platform.api.send('invoicing', 'POST', endpoints, { body: { url } });
    assert.equal(reply.status, 400, `${url}: ${reply.text}`);
    assert.ok(url.length < 6 || !reply.text.includes(url), 'not echoed');
  }
  assert.equal((await platform.rows())['webhook_endpoint'], before['webhook_endpoint']);
});

test('every answer above is declared by its operation', () => {
  assert.deepEqual([...platform.api.undeclared], []);
});
