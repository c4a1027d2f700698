// Webhooks of the vendor simulator: signed so that the client accepts them; sent once, twice, out
// of order or never as the person wants; and later decisions happen by themselves.
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, test } from 'node:test';
import { readJson } from '../../../core/json.ts';
import { checkFor } from '../../../providers/identity/identity-vendor.contract.ts';
import type { CheckNotice, CheckOrder } from '../../../providers/identity/port.ts';
import { startNotices, type Notices } from '../store/notices.ts';
import { httpVendor, type HttpVendor } from '../clients/vendor.ts';
import { NOTICES, vendorKey } from './index.ts';
import type { TestBook, TestHost } from '../../../../test/kit/processor-host.ts';
import { openBook, openHost, testKeys } from '../../../../test/kit/processor-host.ts';

const WITHIN_MS = 10_000;
const keyOf = (workspace: number): string => vendorKey(testKeys, workspace);

let book: TestBook;
let host: TestHost;
let vendor: HttpVendor;
let intake: Server;
let notices: Notices | null = null;
let lastWorkspace = 900;
/** Webhooks that came in and were accepted, with their bodies. */
let taken: CheckNotice[] = [];
let bodies: string[] = [];
const faults: unknown[] = [];

before(async () => {
  book = await openBook();
  const pause = (ms: number): number => (ms > 10_000 ? 0 : ms / 20);
  host = await openHost(book, (ms) => new Promise((resolve) => setTimeout(resolve, pause(ms))));
  vendor = httpVendor({ url: host.url, keyOf });
  intake = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    const read = readJson(new Uint8Array(bytes));
    const notice = vendor.readNotice(request.headers, read.ok ? read.value : null);
    assert.ok(notice, 'a notice is read by the client');
    taken.push(notice);
    bodies.push(bytes.toString('utf8'));
    response.end('{}');
  });
  await new Promise<void>((listening) => intake.listen(0, '127.0.0.1', listening));
});
afterEach(async () => {
  await notices?.stop();
  notices = null;
  [taken, bodies] = [[], []];
  await host.db.execute('delete from vendor_notice');
  await host.db.execute('delete from vendor_due');
  assert.deepEqual(faults, []);
});
after(async () => {
  intake.closeAllConnections();
  await new Promise((closed) => intake.close(closed));
  await vendor.close();
  await host.close();
  await book.drop();
});

function start(): void {
  const { port } = intake.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/v1/identity_notices`;
  const fault = (error: unknown): void => void faults.push(error);
  notices = startNotices({ db: host.db, url, keyOf, fault, beat: 20, firstPause: 20 }, NOTICES);
}

async function begun(last: string): Promise<CheckOrder> {
  const order = checkFor((lastWorkspace += 1), last);
  await vendor.begin(order);
  return order;
}

/** Waits until nothing is left to decide or send. */
async function quiet(): Promise<void> {
  const deadline = Date.now() + WITHIN_MS;
  const text = `select 1 from vendor_notice where remaining > 0
    union all select 1 from vendor_due`;
  while ((await host.db.query(text)).length > 0) {
    assert.ok(Date.now() < deadline, 'something is still waiting');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Webhooks stored now, without a sender: how often, and how urgent. */
async function noted({ workspace }: CheckOrder): Promise<(number | boolean)[][]> {
  const rows = await host.db.query<{ remaining: number; ordinary: boolean }>({
    text: 'select remaining, ordinary from vendor_notice where workspace = $1 order by number',
    values: [workspace],
  });
  return rows.map(({ remaining, ordinary }) => [remaining, ordinary]);
}

test('a change an answer reported is ordinary, any other urgent; pending is no end', async () => {
  const plain = await begun('Example');
  assert.deepEqual(await noted(plain), [[1, true]]);
  await vendor.begin(plain);
  assert.deepEqual(await noted(plain), [[1, true]], 'asking again tells nothing');
  await vendor.happen(plain.workspace, plain.key, 'deny');
  assert.deepEqual(await noted(plain), [[1, true], [1, false]]);
  assert.deepEqual(await noted(await begun('Specimen-Timeout-After-Effect')), [[1, false]]);
  assert.deepEqual(await noted(await begun('Specimen-Only-A-Look-Tells')), []);
  assert.deepEqual(await noted(await begun('Specimen-Late')), []);
  assert.deepEqual(await noted(await begun('Specimen-Notice-Twice')), [[2, false]]);
});

test('later decisions happen by themselves and are reported unless scripted lost', async () => {
  start();
  const orders = {
    accepted: await begun('Specimen-Accepted-Later'),
    denied: await begun('Specimen-Denied-Later'),
    lost: await begun('Specimen-Notice-Lost'),
    changed: await begun('Specimen-Accepted-Then-Denied'),
  };
  for (const { workspace, key } of [orders.accepted, orders.denied, orders.lost]) {
    assert.equal((await vendor.retrieve(workspace, key)).state, 'pending');
  }
  await quiet();
  const ends = { accepted: 'accepted', denied: 'denied', lost: 'accepted', changed: 'denied' };
  for (const [name, state] of Object.entries(ends)) {
    const { workspace, key } = orders[name as keyof typeof orders];
    assert.equal((await vendor.retrieve(workspace, key)).state, state, name);
  }
  const told = (order: CheckOrder): number =>
    taken.filter(({ workspace, key }) => workspace === order.workspace && key === order.key).length;
  assert.deepEqual(Object.values(orders).map(told), [1, 1, 0, 2]);
});

test('out of order the older comes last; a repeat has the same id; bodies hold a key', async () => {
  const mixed = await begun('Specimen-Notices-Reordered');
  await host.db.execute(`update vendor_due set due = clock_timestamp()`);
  start();
  await quiet();
  const [first = 0, second = 0] = taken.map(({ id }) => Number(id.slice('vntc_'.length)));
  assert.ok(first > second && second > 0, 'not reordered');
  assert.equal((await vendor.retrieve(mixed.workspace, mixed.key)).state, 'accepted');
  for (const body of bodies) {
    assert.deepEqual(Object.keys(JSON.parse(body) as object), ['notice_id', 'key', 'at']);
  }
  taken = [];
  await begun('Specimen-Notice-Twice');
  await quiet();
  assert.equal(taken.length, 2);
  assert.deepEqual(taken[0], taken[1]);
});

test('the early notice arrives before the answer', async () => {
  start();
  const order = checkFor((lastWorkspace += 1), 'Specimen-Notice-Early');
  assert.equal(await vendor.begin(order).then(() => taken.length), 1);
});

test('an erased check is never reported again', async () => {
  const order = await begun('Specimen-Accepted-Later');
  await vendor.happen(order.workspace, order.key, 'deny');
  await vendor.forget(order.workspace, order.key);
  start();
  await quiet();
  assert.deepEqual(taken, []);
});
