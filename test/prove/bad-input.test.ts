// Bad input at every operation that takes a body: generated from the hosts' own OpenAPI documents.
// Each is 4xx with an envelope, names the field, echoes nothing and stores nothing, and the next
// request works. [G-70 to G-72, G-75]
import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { after, before, test } from 'node:test';
import { startPlatform, type Platform } from '../api/kit.ts';
import { Market, type Body } from '../api/market.ts';
import { rightBodies, type RightBodies } from '../api/right-bodies.ts';
import type { Reply } from '../kit/api.ts';
import type { Schema } from '../api/answers.ts';
import type { HostName } from '../../src/core/operation.ts';
import { CANARY, formOf, wrongBodies } from '../api/wrong-values.ts';

/** An operation with a body that it takes. */
interface Right {
  readonly id: string;
  readonly host: HostName;
  readonly method: string;
  readonly path: string;
  readonly body: Body;
  readonly schema: Schema;
  /** Absent: the client's. */
  readonly token?: string;
}

let platform: Platform;
let market: Market;
let rights: Right[] = [];
before(async () => {
  platform = await startPlatform();
  market = new Market(platform.api);
  rights = rightOnes(await rightBodies(platform.api));
  await market.lastSequence();
});
after(() => platform?.stop());

/**
 * Not tested here: endpoints that read forms too, those that take signed webhooks (all have
 * tests of their own), and the processor simulator's.
 */
const APART: ReadonlySet<string> = new Set([
  ...['createToken', 'revokeToken', 'introspectToken'],
  ...['takeProcessorNotice', 'takeIdentityNotice'],
  ...['takeConnectionNotice', 'takeIdentityConnectionNotice'],
]);

function rightOnes(known: RightBodies): Right[] {
  return platform.api.places.flatMap(({ host, method, operation }) => {
    const { operationId: id, requestBody } = operation;
    if (requestBody === undefined || host === 'processor' || APART.has(id)) return [];
    const found = known[id];
    assert.ok(found, `${id} takes a body: it needs a right one here`);
    const [path, body, token] = found;
    const schema = formOf(requestBody.content['application/json']?.schema ?? {}, body);
    return [{ id, host, method, path, body, schema, ...(token === undefined ? {} : { token }) }];
  });
}

function send(right: Right, raw: string | Uint8Array<ArrayBuffer>, type?: string): Promise<Reply> {
  const headers = type === undefined ? {} : { 'content-type': type };
  const call = { raw, headers, ...userOf(right) };
  return platform.api.send(right.host, right.method, right.path, call);
}

function userOf({ token }: Right): { token?: string } {
  return token === undefined ? {} : { token };
}

function isClean(reply: Reply, what: string): void {
  assert.ok(reply.status >= 400 && reply.status < 500, `${what}: ${reply.status} ${reply.text}`);
  assert.ok(!reply.text.includes(CANARY.slice(3)), `${what} is echoed: ${reply.text}`);
}

test('every wrong value of every field of every operation is refused', async () => {
  let count = 0;
  for (const right of rights) {
    const before = await platform.rows();
    for (const { what, raw, path } of wrongBodies(right.schema, right.body)) {
      const reply = await send(right, raw);
      const name = `${right.id}: ${what}`;
      assert.equal(reply.status, 400, `${name}: ${reply.status} ${reply.text}`);
      isClean(reply, name);
      if (path !== null) assert.ok(path in reply.errors, `${name}: ${reply.text}`);
      count += 1;
    }
    assert.deepEqual(await platform.rows(), before, `${right.id} stored nothing`);
  }
  assert.ok(count > 1_000, `${count} wrong bodies`);
});

test('bodies that are not JSON, not UTF-8 or not an object are refused', async () => {
  const deep = (open: string, close: string, times: number): string =>
    open.repeat(times) + close.repeat(times);
  const documents: readonly (string | Uint8Array<ArrayBuffer>)[] = [
    '{',
    '}',
    '[]',
    '[{}]',
    '5',
    'true',
    `"${CANARY}"`,
    '{}{}',
    '{},',
    "{'a':1}",
    '{"a":1,}',
    '{a:1}',
    '// x\n{}',
    '{"a":undefined}',
    `{"${CANARY}`,
    `${CANARY}`,
    '\ufeff{}',
    '\u00a0{}',
    '{"a":1}\u0000',
    new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    new Uint8Array([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
    new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22]),
    new Uint8Array([0x22, 0xc0, 0xaf, 0x22]),
    deep('[', ']', 33),
    deep('[', ']', 100_000),
    deep('{"a":', '}', 33),
    deep('[', '', 500_000),
    `{"metadata":${deep('{"a":', '}', 32).replace('{"a":}', '{}')}}`,
  ];
  for (const right of rights) {
    const before = await platform.rows();
    for (const [at, document] of documents.entries()) {
      const reply = await send(right, document);
      assert.equal(reply.status, 400, `${right.id}, document ${at}: ${reply.text}`);
      isClean(reply, `${right.id}, document ${at}`);
    }
    assert.deepEqual(await platform.rows(), before, `${right.id} stored nothing`);
  }
});

test('unsupported media types, charsets and encodings are refused', async () => {
  for (const right of rights) {
    const raw = JSON.stringify(right.body);
    const before = await platform.rows();
    for (const type of [
      ...['text/plain', 'text/json', 'application/xml', 'application/jsonp', 'application/json5'],
      ...['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'json', '*/*'],
      ...['application/merge-patch+json', 'application/json/x', 'application/json, text/plain'],
      ...['application/json; charset=utf-16', 'application/json; charset=latin1'],
      ...['application/json; charset=utf-8; charset=utf-16', 'application/json; charset=""'],
    ]) {
      const reply = await send(right, raw, type);
      assert.equal(reply.status, 415, `${right.id} ${type}: ${reply.text}`);
      isClean(reply, type);
    }
    const headers = { 'content-encoding': 'gzip' };
    const zipped = await platform.api.send(right.host, right.method, right.path, {
      raw: new Uint8Array(gzipSync(raw)),
      headers,
      ...userOf(right),
    });
    assert.equal(zipped.status, 415, `${right.id} gzip`);
    assert.deepEqual(await platform.rows(), before, `${right.id} stored nothing`);
  }
});

test('a body one byte over a megabyte is refused, the largest allowed is read', async () => {
  const { api } = platform;
  const right = rights.find((one) => one.id === 'createInvoice') as Right;
  const padded = (size: number): string => {
    const text = JSON.stringify(right.body);
    return text + ' '.repeat(size - Buffer.byteLength(text));
  };
  const before = await platform.rows();
  for (const one of rights) {
    const heavy = [
      ...['submitKYC', 'onboardEntity', 'addEntityDocument', 'addDisputeEvidence'],
      'addDisagreementStatement',
    ].includes(one.id);
    const most = heavy ? 40 * 1_048_576 : 1_048_576;
    const reply = await send(one, `{"x":"${'y'.repeat(most)}"}`);
    assert.deepEqual([reply.status, reply.code], [413, 'BODY_TOO_LARGE'], one.id);
  }
  const { status } = await send(right, padded(1_048_577));
  assert.equal(status, 413);
  assert.deepEqual(await platform.rows(), before);
  assert.equal((await send(right, padded(1_048_576))).status, 201);
  const health = await api.send('internal', 'GET', '/readyz', { token: null });
  assert.equal(health.status, 200);
});

test('a megabyte of wrong items is a refusal like any other', async () => {
  const before = await platform.rows();
  const items = (item: unknown, length = 300_000): unknown[] => Array.from({ length }, () => item);
  const line = { amount: 1, currency: 'USD', transaction_type: 'user_to_user' };
  for (const more of [
    { line_items: items({}) },
    { line_items: items(null, 200_000) },
    { line_items: [{ ...line, recipients: items(1) }] },
    { line_items: [{ ...line, recipients: items({ amount: '1' }, 60_000) }] },
    { payment_methods: items(1) },
  ]) {
    const reply = await market.tryCreate(market.sale(1, more));
    assert.equal(reply.status, 400, reply.text.slice(0, 300));
    assert.ok(Object.keys(reply.errors).length <= 50);
  }
  assert.deepEqual(await platform.rows(), before);
});

const CARDS = [
  ...['4111111111111111', '4111 1111 1111 1111', '4111-1111-1111-1111', '378282246310005'],
  ...['my card is 5555 5555 5555 4444, thanks', '(6011111111111117)'],
  '\uff14\uff11\uff11\uff11 1111 1111 1111',
  '4111\u00a01111\u00a01111\u00a01111',
];

test('card numbers are refused in what a person types', async () => {
  const places: Readonly<Record<string, readonly string[]>> = {
    registerAccount: [
      ...['full_name', 'first_name', 'last_name', 'street_address_1', 'street_address_2'],
      ...['street_address_3', 'city', 'state_province', 'zip_postal_code'],
    ],
    updateUserInfo: ['full_name', 'street_address_1', 'city', 'zip_postal_code'],
    blockAccount: ['note'],
    unblockAccount: ['note'],
    recheckKYC: ['note'],
    submitKYC: ['first', 'middle', 'last', 'street', 'street2', 'city', 'signature'].map(
      (field) => `kyc_pii.${field}`,
    ),
    changeSettings: ['name', 'look.preview_text'],
    renamePaymentMethod: ['display_string'],
    onboardEntity: ['entity_name', 'agents.0.agent_name'],
    saveEntityForm: ['entity_name', 'agents.0.agent_name'],
    addEntityDocument: ['pii_document_name'],
  };
  for (const [id, paths] of Object.entries(places)) {
    const right = rights.find((one) => one.id === id) as Right;
    const before = await platform.rows();
    for (const path of paths) {
      for (const card of CARDS) {
        const body = structuredClone(right.body);
        put(body, path, card);
        const reply = await send(right, JSON.stringify(body));
        assert.deepEqual(
          [reply.status, reply.code],
          [400, 'CARD_NUMBER_REFUSED'],
          `${id} ${path} ${card}`,
        );
        assert.ok(!reply.text.includes(card));
      }
    }
    assert.deepEqual(await platform.rows(), before, `${id} stored nothing`);
  }
});

test('numbers that a program sends are not taken for card numbers', async () => {
  const places: Readonly<Record<string, readonly string[]>> = {
    registerAccount: ['username', 'email.address', 'external_platforms.a'],
    createInvoice: ['reference_type', 'reference_id', 'description', 'metadata.a'].concat(
      ['product_sku', 'reference_id', 'description', 'metadata.a'].map(
        (one) => `line_items.0.${one}`,
      ),
      ['description', 'fee_description', 'reference_id'].map(
        (one) => `line_items.0.recipients.0.${one}`,
      ),
    ),
    authorizeInvoice: ['description', 'line_items.0.recipients.0.fee_description'],
    createWebhookEndpoint: ['description'],
  };
  for (const [id, paths] of Object.entries(places)) {
    const right = rights.find((one) => one.id === id) as Right;
    for (const [at, path] of paths.entries()) {
      const card = CARDS[at % 4] as string;
      const body = structuredClone(right.body);
      if (id === 'registerAccount') body['username'] = `program ${path}`;
      put(body, path, path === 'email.address' ? `${card.replaceAll(' ', '')}@a.example` : card);
      const reply = await send(right, JSON.stringify(body));
      assert.ok(reply.status < 300, `${id} ${path}: ${reply.text}`);
    }
  }
  const [username] = CARDS;
  const search = `/v1/user-info/search?username=${username}`;
  const found = await platform.api.send('accounts', 'GET', search);
  assert.notEqual(found.code, 'CARD_NUMBER_REFUSED', found.text);
});

/** Puts a value at a path of a body; what lies on the way and is missing is made. */
function put(body: Body, path: string, value: unknown): void {
  const parts = path.split('.');
  const last = parts.pop() as string;
  let holder = body as Record<string, unknown>;
  for (const part of parts) holder = (holder[part] ??= {}) as Record<string, unknown>;
  holder[last] = value;
}

test('text limits count characters, not bytes', async () => {
  for (const [field, most] of [
    ['description', 2_048],
    ['reference_id', 255],
    ['reference_type', 255],
  ] as const) {
    const text = '\u{1f40b}'.repeat(most);
    const made = await market.create(market.sale(1, { [field]: text }));
    assert.equal(made[field], text);
    const longer = await market.tryCreate(market.sale(1, { [field]: `${text}x` }));
    assert.deepEqual([longer.status, Object.keys(longer.errors)], [400, [field]]);
  }
  const full = { a: 'x'.repeat(16_384 - 8) };
  assert.deepEqual((await market.create(market.sale(1, { metadata: full }))).metadata, full);
  const over = await market.tryCreate(market.sale(1, { metadata: { a: `${full.a}x` } }));
  assert.deepEqual([over.status, Object.keys(over.errors)], [400, ['metadata']]);
  for (const strange of [
    '<script>alert(1)</script>',
    "'; drop table invoice; --",
    '\u202e\u0007\r\n',
    '{{7*7}}',
  ]) {
    const made = await market.create(
      market.sale(1, { description: strange, reference_id: strange }),
    );
    assert.deepEqual([made.description, made.reference_id], [strange, strange], 'kept as it is');
  }
});

test('null for an optional field means absent, everywhere', async () => {
  for (const right of rights) {
    const required = (right.schema['required'] ?? []) as readonly string[];
    for (const name of Object.keys(right.body)) {
      if (required.includes(name)) continue;
      const { [name]: _, ...rest } = right.body;
      const absent = await send(right, JSON.stringify({ ...rest, surprise: 1 }));
      const asNull = await send(right, JSON.stringify({ ...rest, [name]: null, surprise: 1 }));
      assert.deepEqual(asNull.errors, absent.errors, `${right.id} ${name}`);
      assert.ok('surprise' in asNull.errors, `${right.id} ${name}: ${asNull.text}`);
    }
  }
});

test('unknown and malformed query parameters are refused', async () => {
  for (const { host, method, path, operation } of platform.api.places) {
    const access = operation['x-access'] as { client?: string } | undefined;
    // What no client may call is refused for that before anything is read.
    if (host === 'processor' || (access !== undefined && access.client === undefined)) continue;
    const real = path.replace(/\{[a-z_]+\}/g, crypto.randomUUID());
    const call = operation.requestBody === undefined ? {} : { body: {} };
    for (const query of [
      'surprise=1',
      '__proto__=1',
      'a=%zz',
      'a=%ff',
      'a=%00',
      '=',
      'a=1&a=2',
      '%',
    ]) {
      const reply = await platform.api.send(host, method, `${real}?${query}`, call);
      assert.equal(reply.status, 400, `${method} ${path}?${query}: ${reply.text}`);
    }
  }
});

test('the unspoiled bodies are accepted', async () => {
  for (const right of rights) {
    const reply = await send(right, JSON.stringify(right.body));
    assert.ok(reply.status < 300, `${right.id}: ${reply.text}`);
  }
});

test('every answer above is declared by its operation', () => {
  assert.deepEqual([...platform.api.undeclared], []);
});
