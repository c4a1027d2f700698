// Webhooks of the processor simulator: signed so that the client accepts them; sent once, twice,
// late or never as scripted; repeated until accepted, finally given up; and never delaying an
// answer.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, test } from 'node:test';
import type { ChargeOrder, Notice } from '../../../providers/processor/port.ts';
import type { HttpProcessor } from '../clients/processor.ts';
import { httpProcessor } from '../clients/processor.ts';
import { startNotices, type Notices } from '../store/notices.ts';
import { NOTICES, processorKey } from './index.ts';
import type { TestBook, TestHost } from '../../../../test/kit/processor-host.ts';
import { openBook, openHost, testKeys } from '../../../../test/kit/processor-host.ts';

const WITHIN_MS = 10_000;
const keyOf = (workspace: number): string => processorKey(testKeys, workspace);

let book: TestBook;
let host: TestHost;
let processor: HttpProcessor;
let intake: Server;
let notices: Notices | null = null;
let lastWorkspace = 900;
/** Webhooks that came in and were accepted, and how the intake answers. */
let taken: Notice[] = [];
let answers: () => number = () => 200;
const faults: unknown[] = [];

before(async () => {
  book = await openBook();
  const pause = (ms: number): number => (ms > 10_000 ? 0 : ms / 20);
  host = await openHost(book, (ms) => new Promise((resolve) => setTimeout(resolve, pause(ms))));
  processor = httpProcessor({ url: host.url, keyOf });
  intake = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const raw = { headers: request.headers, body: Buffer.concat(chunks) };
    const notice = processor.readNotice(raw, null);
    assert.ok(notice, 'a notice is read by the client');
    response.statusCode = answers();
    if (response.statusCode === 200) taken.push(notice);
    response.end('{}');
  });
  await new Promise<void>((listening) => intake.listen(0, '127.0.0.1', listening));
});
afterEach(async () => {
  await notices?.stop();
  notices = null;
  taken = [];
  answers = () => 200;
  await host.db.execute('delete from processor_notice');
  assert.deepEqual(faults, []);
});
after(async () => {
  intake.closeAllConnections();
  await new Promise((closed) => intake.close(closed));
  await processor.close();
  await host.close();
  await book.drop();
});

function start(): void {
  const { port } = intake.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/v1/processor_notices`;
  const fault = (error: unknown): void => void faults.push(error);
  notices = startNotices({ db: host.db, url, keyOf, fault, beat: 20, firstPause: 20 }, NOTICES);
}

async function orderWith(name: string): Promise<ChargeOrder> {
  const workspace = (lastWorkspace += 1);
  const { token } = await processor.attachTestCard(workspace, name);
  return { workspace, key: randomUUID(), token, amount: 1_000n, currency: 'USD' };
}

async function charged(order: ChargeOrder): Promise<ChargeOrder> {
  await processor.authorize(order);
  await processor.capture(order);
  return order;
}

/** Waits until nothing is left to send. */
async function quiet(): Promise<void> {
  const deadline = Date.now() + WITHIN_MS;
  const text = 'select 1 from processor_notice where remaining > 0 and tries < 10';
  while ((await host.db.query(text)).length > 0) {
    assert.ok(Date.now() < deadline, 'notices are still waiting');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Webhooks stored now, without a sender: about what, how often, and how urgent. */
async function noted(workspace: number): Promise<(string | number | boolean)[][]> {
  const rows = await host.db.query<{ about: string; remaining: number; ordinary: boolean }>({
    text: `select about, remaining, ordinary from processor_notice where workspace = $1
      order by number`,
    values: [workspace],
  });
  return rows.map(({ about, remaining, ordinary }) => [about, remaining, ordinary]);
}

test('an ended payment is reported once, by a webhook that the client accepts', async () => {
  const order = await charged(await orderWith('visa'));
  const declined = await charged({ ...order, key: randomUUID(), token: 'card_unknown' });
  const refund = { ...order, kind: 'refund', target: order.key, key: randomUUID() } as const;
  await processor.remit(refund);
  start();
  await quiet();
  const { workspace } = order;
  assert.deepEqual(
    new Set(taken.map(({ workspace: of, key, about }) => `${of} ${key} ${about}`)),
    new Set([
      `${workspace} ${order.key} charge`,
      `${workspace} ${declined.key} charge`,
      `${workspace} ${refund.key} remittance`,
    ]),
  );
  assert.equal(taken.length, 3);
});

test('a change that an answer reported is ordinary; any other is urgent', async () => {
  const plain = await charged(await orderWith('visa'));
  assert.deepEqual(await noted(plain.workspace), [['charge', 1, true]]);
  await charged(plain);
  assert.deepEqual(
    await noted(plain.workspace),
    [['charge', 1, true]],
    'asking again tells nothing',
  );
  await processor.happen(plain.workspace, plain.key, 'chargeback');
  await processor.happen(plain.workspace, plain.key, 'chargeback');
  assert.deepEqual((await noted(plain.workspace)).slice(1), [['statement', 1, false]]);
  const silent = await orderWith('timeout_after_effect');
  await processor.authorize(silent);
  assert.deepEqual(await noted(silent.workspace), [['charge', 1, false]]);
  const bank = await charged(await orderWith('bank'));
  assert.deepEqual(await noted(bank.workspace), [], 'pending is no end');
  await processor.happen(bank.workspace, bank.key, 'settle');
  assert.deepEqual(await noted(bank.workspace), [['charge', 1, false]]);
});

test('webhooks repeat, swap or vanish as scripted; a repetition has the same id', async () => {
  const mixed = await orderWith('visa');
  await processor.play(mixed.workspace, 'notices_in_disorder', mixed.token);
  await charged(mixed);
  assert.deepEqual(await noted(mixed.workspace), [
    ['charge', 1, false],
    ['charge', 2, false],
  ]);
  const hidden = await orderWith('visa');
  await processor.play(hidden.workspace, 'statement_only', null);
  await charged(hidden);
  assert.deepEqual(await noted(hidden.workspace), []);
  start();
  await quiet();
  const ids = taken.map(({ id }) => id);
  assert.equal(ids.length, 3);
  assert.deepEqual([ids[0], ids[2] === ids[0]], [ids[1], false], 'the older one comes last');
});

test('the early notice arrives before the answer', async () => {
  const order = await orderWith('visa');
  await processor.play(order.workspace, 'notice_first', null);
  await processor.authorize(order);
  start();
  const capture = processor.capture(order).then(() => taken.length);
  assert.equal(await capture, 1);
});

test('a webhook is repeated until accepted, and no answer waits for it', async () => {
  let refused = 0;
  answers = () => ((refused += 1) <= 3 ? 503 : 200);
  start();
  const order = await charged(await orderWith('bank_settled'));
  assert.equal(await processor.happen(order.workspace, order.key, 'return'), 'done');
  await quiet();
  assert.equal(refused, 5, 'three refusals, then both were taken');
  assert.deepEqual(taken.map(({ about }) => about).toSorted(), ['charge', 'statement']);
});

test('a webhook that is never accepted is given up, and the next one is sent', async () => {
  let tries = 0;
  answers = () => ((tries += 1), 404);
  start();
  const order = await charged(await orderWith('bank_settled'));
  await processor.happen(order.workspace, order.key, 'return');
  const hurried = `update processor_notice set due = clock_timestamp()
    where due < clock_timestamp() + interval '5 seconds' and tries > 0`;
  const deadline = Date.now() + WITHIN_MS;
  const trying = 'select 1 from processor_notice where tries < 10 or posting';
  while ((await host.db.query(trying)).length > 0) {
    assert.ok(Date.now() < deadline, 'not given up');
    await host.db.execute(hurried);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await notices?.stop();
  assert.equal(tries, 20);
  assert.deepEqual(taken, []);
  start();
  answers = () => 200;
  const other = await charged(await orderWith('visa'));
  await quiet();
  assert.deepEqual(
    taken.map(({ key }) => key),
    [other.key],
  );
});

test('two senders send each webhook once; a stop waits for running ones', async () => {
  start();
  const first = notices;
  start();
  const orders = await Promise.all(
    Array.from({ length: 20 }, async () => charged(await orderWith('bank'))),
  );
  await Promise.all(orders.map(({ workspace, key }) => processor.happen(workspace, key, 'settle')));
  await quiet();
  await first?.stop();
  const keys = taken.map(({ key }) => key).toSorted();
  assert.deepEqual(keys, orders.map(({ key }) => key).toSorted());
});

test('delayed events happen by themselves when due', async () => {
  const order = await orderWith('visa');
  await processor.play(order.workspace, 'declined_late', null);
  await processor.authorize(order);
  await processor.capture(order);
  start();
  assert.equal((await processor.retrieve(order)).state, 'pending');
  await host.db.execute('update processor_due set due = clock_timestamp()');
  const deadline = Date.now() + WITHIN_MS;
  while ((await processor.retrieve(order)).state !== 'declined') assert.ok(Date.now() < deadline);
  await quiet();
  assert.deepEqual(taken.at(-1), { ...taken.at(-1), key: order.key, about: 'charge' });
});
