// The processor simulator from outside: test cards, failures and the truth after them, restarts,
// scripts, its statement, and who may call.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { DECLINE_CODES, type ChargeOrder } from '../../../providers/processor/port.ts';
import type { HttpProcessor } from '../clients/processor.ts';
import { httpProcessor } from '../clients/processor.ts';
import { countCall, queueScript } from '../store/calls.ts';
import { EXCHANGE_NAMES, TEST_CARDS, processorKey } from './index.ts';
import { docOfTestCards } from '../../../../scripts/docs/test-cards-page.ts';
import type { TestBook, TestHost } from '../../../../test/kit/processor-host.ts';
import { openBook, openHost, testKeys } from '../../../../test/kit/processor-host.ts';

let book: TestBook;
let host: TestHost;
let processor: HttpProcessor;
/** The waits that the simulator asked for, and how a test makes it wait. */
let waits: number[] = [];
let wait: (ms: number) => Promise<void> = async () => {};
let lastWorkspace = 100;

const keyOf = (workspace: number): string => processorKey(testKeys, workspace);

async function start(): Promise<void> {
  host = await openHost(book, (ms) => {
    waits.push(ms);
    return wait(ms);
  });
  processor = httpProcessor({ url: host.url, keyOf });
}

async function stop(): Promise<void> {
  await processor.close();
  await host.close();
}

before(async () => {
  book = await openBook();
  await start();
});
after(async () => {
  await stop();
  await book.drop();
});

/** A payment in a workspace of its own with a test card. */
async function paymentWith(card: string, amount = 2_500n): Promise<ChargeOrder> {
  waits = [];
  wait = async () => {};
  const workspace = (lastWorkspace += 1);
  const { token } = await processor.attachTestCard(workspace, card);
  return { workspace, key: randomUUID(), token, amount, currency: 'USD' };
}

type Reply = { status: number; body: Record<string, unknown> };

async function call(
  workspace: number,
  method: string,
  path: string,
  body?: object,
  authorization = `Bearer ${keyOf(workspace)}`,
): Promise<Reply> {
  const response = await fetch(host.url + path, {
    method,
    headers: { authorization, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Reply['body'] };
}

async function statesOf(order: ChargeOrder): Promise<string[]> {
  const authorized = await processor.authorize(order);
  const captured = await processor.capture(order);
  return [authorized, captured, await processor.retrieve(order)].map((outcome) =>
    outcome.state === 'declined' ? outcome.code : outcome.state,
  );
}

test('the list has a card for each failure code, unique names and valid test numbers', () => {
  const names = TEST_CARDS.map((card) => card.name);
  for (const code of DECLINE_CODES) assert.ok(names.includes(code), code);
  assert.equal(new Set(names).size, names.length);
  assert.equal(new Set(TEST_CARDS.map((card) => card.number)).size, names.length);
  for (const { number, last4, name } of TEST_CARDS) {
    const digits = [...number].reverse().map(Number);
    const sum = digits.reduce((total, digit, at) => {
      const twice = digit * 2;
      return total + (at % 2 === 0 ? digit : twice > 9 ? twice - 9 : twice);
    }, 0);
    assert.equal(sum % 10, 0, name);
    assert.ok(number.endsWith(last4) && last4.length === 4, name);
  }
});

test('docs/test-cards.md shows the list', () => {
  const page = new URL('../../../../docs/test-cards.md', import.meta.url);
  assert.equal(readFileSync(page, 'utf8'), docOfTestCards());
});

for (const card of TEST_CARDS) {
  const { authorize = 'honest', capture = 'honest' } = card.behaviour;
  if (/timeout/.test(`${authorize} ${capture}`)) continue;
  test(`card ${card.name}: ${card.outcome}`, async () => {
    const order = await paymentWith(card.name);
    const states = await statesOf(order);
    const declined = [authorize, capture].find((name) => name.startsWith('decline_'));
    const code = declined?.slice('decline_'.length) ?? '';
    if (authorize === declined) assert.deepEqual(states, [code, code, code]);
    else if (authorize === 'challenge') assert.deepEqual([...new Set(states)], ['challenged']);
    else if (capture === declined) assert.deepEqual(states, ['authorized', code, code]);
    else assert.deepEqual(states, ['authorized', 'captured', 'captured']);
    assert.deepEqual(waits, authorize === 'slow' ? [2_000] : []);
  });
}

test('a card entered by number acts like the one by name, if code and date are right', async () => {
  const workspace = (lastWorkspace += 1);
  const ways = [
    ['4111111111111111', '123', 12, 2090, 'captured'],
    ['4000000000009995', '123', 12, 2090, 'insufficient_funds'],
    ['378282246310005', '0000', 12, 2090, 'incorrect_cvc'],
    ['4111111111111111', '123', 10, 2051, 'card_expired'],
  ] as const;
  for (const [number, cvc, expiry_month, expiry_year, end] of ways) {
    const entered = { number, cvc, expiry_month, expiry_year };
    const { status, body } = await call(workspace, 'POST', '/v1/cards', entered);
    assert.equal(status, 200);
    assert.equal(body['last4'], number.slice(-4));
    const token = String(body['token']);
    const order = { workspace, key: randomUUID(), token, amount: 5n, currency: 'USD' };
    assert.equal((await statesOf(order)).at(-1), end);
  }
});

test('no number or code is stored; other numbers and past dates are refused', async () => {
  const workspace = (lastWorkspace += 1);
  const entered = { number: '4111111111111111', cvc: '737', expiry_month: 12, expiry_year: 2090 };
  await call(workspace, 'POST', '/v1/cards', entered);
  const rows = await host.db.query<{ row: string }>({
    text: 'select to_jsonb(c)::text as row from processor_card c where workspace = $1',
    values: [workspace],
  });
  assert.equal(rows.length, 1);
  const { token, created, ...rest } = JSON.parse(String(rows[0]?.row)) as Record<string, string>;
  assert.ok(token && created);
  assert.doesNotMatch(JSON.stringify(rest), /411111|737/);
  const refused = async (change: object, why: RegExp): Promise<void> => {
    const { status, body } = await call(workspace, 'POST', '/v1/cards', { ...entered, ...change });
    assert.equal(status, 400);
    assert.match(JSON.stringify(body), why);
    assert.doesNotMatch(JSON.stringify(body), /41111|7007|737/);
  };
  await refused({ number: '4111111111111112' }, /CARD_NOT_A_TEST_CARD/);
  await refused({ number: '4000000000007007' }, /CARD_NOT_A_TEST_CARD/);
  await refused({ expiry_year: 2020 }, /CARD_DATE_PAST/);
  await refused({ expiry_month: 13 }, /INPUT_ERROR|INVALID_FIELD/);
  await assert.rejects(processor.attachTestCard(workspace, 'no_such_card'));
});

const SILENCES = [
  ['timeout_before_effect', 'authorize', 'absent'],
  ['timeout_after_effect', 'authorize', 'authorized'],
  ['capture_timeout_before_effect', 'capture', 'authorized'],
  ['capture_timeout_after_effect', 'capture', 'captured'],
] as const;

for (const [card, operation, truth] of SILENCES) {
  test(`${card}: unknown, then looked up as ${truth}, then sent again`, async () => {
    const order = await paymentWith(card);
    if (operation === 'capture') await processor.authorize(order);
    assert.deepEqual(await processor[operation](order), { state: 'unknown' });
    assert.deepEqual(waits, [60_000]);
    assert.equal((await processor.retrieve(order)).state, truth);
    assert.deepEqual(await statesOf(order), [
      truth === 'captured' ? 'captured' : 'authorized',
      'captured',
      'captured',
    ]);
    assert.deepEqual(waits, [60_000], 'silent once only');
    const lines = (await call(order.workspace, 'GET', '/v1/statement')).body['lines'];
    assert.equal((lines as unknown[]).length, 1);
  });
}

test('after a client timeout the key still gives the true outcome', async () => {
  const order = await paymentWith('timeout_after_effect');
  let silent = (): void => {};
  const reached = new Promise<void>((resolve) => (silent = resolve));
  let release = (): void => {};
  wait = () => {
    silent();
    return new Promise((resolve) => (release = resolve));
  };
  const hasty = httpProcessor({ url: host.url, keyOf, timeoutMs: 1_000 });
  assert.deepEqual(await hasty.authorize(order), { state: 'unknown' });
  await reached;
  assert.equal((await processor.retrieve(order)).state, 'authorized');
  assert.equal((await processor.capture(order)).state, 'captured');
  release();
  await hasty.close();
});

test('an authorization that arrives after the key was given up holds nothing', async () => {
  const order = await paymentWith('visa');
  const late = { operation: 'authorize', exchange: 'late_effect' };
  assert.equal((await call(order.workspace, 'POST', '/v1/script', late)).status, 200);
  let waiting = (): void => {};
  const reached = new Promise<void>((resolve) => (waiting = resolve));
  let land = (): void => {};
  wait = () => {
    waiting();
    return new Promise((resolve) => (land = resolve));
  };
  const first = processor.authorize(order);
  await reached;
  assert.equal((await processor.retrieve(order)).state, 'absent');
  assert.equal((await processor.reverse(order)).state, 'reversed');
  wait = async () => {};
  land();
  assert.deepEqual(await first, { state: 'unknown' });
  assert.equal((await processor.retrieve(order)).state, 'reversed');
  assert.equal((await processor.authorize(order)).state, 'declined');
  const { body } = await call(order.workspace, 'GET', '/v1/book');
  assert.deepEqual(body['totals'], []);
});

test('records survive a restart, and a silent card is not silent again after it', async () => {
  const order = await paymentWith('capture_timeout_after_effect');
  const paid = await paymentWith('visa');
  const authorized = await processor.authorize(order);
  assert.deepEqual(await processor.capture(order), { state: 'unknown' });
  await processor.authorize(paid);
  await stop();
  assert.deepEqual(await processor.retrieve(order).catch(() => 'closed'), { state: 'unknown' });
  await start();
  const captured = { ...authorized, state: 'captured' };
  assert.deepEqual(await processor.retrieve(order), captured);
  assert.deepEqual(await processor.capture(order), captured);
  assert.equal((await processor.retrieve(paid)).state, 'authorized');
  assert.equal((await processor.capture(paid)).state, 'captured');
});

test('scripts come first, in order, for one card or any, as often as they say', async () => {
  const order = await paymentWith('visa');
  const { workspace } = order;
  const queue = async (operation: string, exchange: string, more = {}): Promise<void> => {
    const { status } = await call(workspace, 'POST', '/v1/script', {
      operation,
      exchange,
      ...more,
    });
    assert.equal(status, 200);
  };
  await queue('authorize', 'decline_limit_exceeded', { token: 'card_other' });
  await queue('authorize', 'busy', { times: 2 });
  await queue('authorize', 'fault_before_effect', { token: order.token });
  await queue('look', 'timeout_before_effect');
  await queue('capture', 'fault_after_effect');
  await queue('capture', 'garbled_after_effect');
  const states: string[] = [];
  for (let n = 0; n < 3; n += 1) states.push((await processor.authorize(order)).state);
  assert.deepEqual(states, ['unknown', 'unknown', 'unknown']);
  assert.equal((await processor.retrieve(order)).state, 'unknown');
  assert.equal((await processor.retrieve(order)).state, 'absent');
  assert.equal((await processor.authorize(order)).state, 'authorized');
  assert.equal((await processor.capture(order)).state, 'unknown');
  assert.equal((await processor.retrieve(order)).state, 'captured');
  assert.equal((await processor.capture(order)).state, 'unknown');
  assert.equal((await processor.capture(order)).state, 'captured');
  const { body } = await call(workspace, 'GET', `/v1/charges/${order.key}/exchanges`);
  const counts = (body['exchanges'] as { operation: string; times: number }[]).map(
    ({ operation, times }) => [operation, times],
  );
  assert.deepEqual(counts, [
    ['authorize', 4],
    ['look', 3],
    ['capture', 3],
  ]);
  assert.equal((await call(workspace, 'POST', '/v1/script', { operation: 'look' })).status, 400);
});

test('a scripted capture of another amount or currency is shown as it was', async () => {
  const order = await paymentWith('visa');
  const { workspace } = order;
  for (const [exchange, amount, currency] of [
    ['one_less', 2_499n, 'USD'],
    ['other_currency', 2_500n, 'EUR'],
  ] as const) {
    const payment = { ...order, key: randomUUID() };
    await call(workspace, 'POST', '/v1/script', { operation: 'capture', exchange });
    await processor.authorize(payment);
    for (const outcome of [await processor.capture(payment), await processor.retrieve(payment)]) {
      assert.ok(outcome.state === 'captured');
      assert.deepEqual([outcome.amount, outcome.currency], [amount, currency]);
    }
  }
});

test('concurrent calls use each script exactly as often as it says', async () => {
  const workspace = (lastWorkspace += 1);
  const busy = { operation: 'look', exchange: 'busy', times: 1, token: '' } as const;
  for (let n = 0; n < 60; n += 1) await queueScript(host.db, 'processor', workspace, [busy]);
  const asked = { workspace, operation: 'look', token: null };
  const racers = Array.from({ length: 200 }, () =>
    countCall(host.db, 'processor', { ...asked, key: randomUUID() }),
  );
  const replies = (await Promise.all(racers)).map((turn) => turn.scripted);
  assert.equal(replies.filter((reply) => reply === 'busy').length, 60);
  assert.equal(replies.filter((reply) => reply === null).length, 140);
});

test('records and statement agree on what was captured, refunded and is still held', async () => {
  const order = await paymentWith('visa', 1_000n);
  const key = (name: string): ChargeOrder => ({ ...order, key: name });
  for (const name of ['a', 'b', 'c', 'd']) await processor.authorize(key(name));
  for (const name of ['b', 'c']) await processor.capture(key(name));
  for (const name of ['c', 'd']) await processor.reverse(key(name));
  const { body } = await call(order.workspace, 'GET', '/v1/book');
  const charges = body['charges'] as { key: string; state: string }[];
  assert.deepEqual(
    charges.map(({ key: name, state }) => [name, state]),
    [
      ['a', 'authorized'],
      ['b', 'captured'],
      ['c', 'reversed'],
      ['d', 'reversed'],
    ],
  );
  const none = { taken_back: '0', paid_out: '0' };
  assert.deepEqual(body['totals'], [
    { currency: 'USD', reserved: '1000', captured: '2000', refunded: '1000', ...none },
  ]);
  assert.equal(body['next'], null);
  const page = await call(order.workspace, 'GET', '/v1/book?after=c');
  assert.equal((page.body['charges'] as unknown[]).length, 1);
  const lines = (await call(order.workspace, 'GET', '/v1/statement')).body['lines'] as {
    line: string;
    key: string;
    kind: string;
  }[];
  const shown = lines.map(({ key: name, kind }) => [name, kind]);
  assert.deepEqual(shown, [
    ['b', 'capture'],
    ['c', 'capture'],
    ['c', 'refund'],
  ]);
  const rest = await call(order.workspace, 'GET', `/v1/statement?after=${lines[1]?.line}`);
  assert.equal((rest.body['lines'] as unknown[]).length, 1);
});

test("every endpoint needs the workspace's own key", async () => {
  const order = await paymentWith('visa');
  await processor.authorize(order);
  const right = keyOf(order.workspace);
  const mac = right.slice(right.indexOf('_') + 1);
  const body = { token: order.token, amount: '2500', currency: 'USD' };
  const transfer = { kind: 'refund', target: order.key, amount: '1', currency: 'USD' };
  const calls = [
    ['POST', '/v1/cards', { test_card: 'visa' }],
    ['POST', `/v1/charges/${order.key}/authorize`, body],
    ['POST', `/v1/charges/${order.key}/capture`, body],
    ['POST', `/v1/charges/${order.key}/reverse`, body],
    ['GET', `/v1/charges/${order.key}`, undefined],
    ['GET', `/v1/charges/${order.key}/exchanges`, undefined],
    ['GET', '/v1/book', undefined],
    ['GET', '/v1/statement', undefined],
    ['POST', '/v1/script', { operation: 'look', exchange: EXCHANGE_NAMES[0] }],
    ['POST', '/v1/outside-events', { key: order.key, event: 'settle' }],
    ['POST', `/v1/remittances/${order.key}`, transfer],
    ['GET', `/v1/remittances/${order.key}`, undefined],
  ] as const;
  const wrong = [
    '',
    right,
    `Bearer ${mac}`,
    `Bearer ${order.workspace + 1}_${mac}`,
    `Bearer ${right.slice(0, -1)}`,
    `Bearer 0${right}`,
    `Bearer ${right}0`,
    `Bearer 99999999999_${mac}`,
    `Bearer ${right.slice(0, -1)}${right.endsWith('0') ? '1' : '0'}`,
  ];
  for (const [method, path, content] of calls) {
    for (const authorization of wrong) {
      const reply = await call(order.workspace, method, path, content, authorization);
      assert.equal(reply.status, 401, `${method} ${path} ${authorization.slice(0, 12)}`);
    }
  }
  assert.equal((await processor.retrieve(order)).state, 'authorized');
  const other = await call(order.workspace + 1, 'GET', '/v1/book');
  assert.deepEqual(other.body['charges'], []);
});
