// The vendor simulator from outside: every test person, failures and the truth after them, scripts,
// who may call, and that it stores nothing personal.
import assert from 'node:assert/strict';
import { hash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { checkFor, inventedPerson } from '../../../providers/identity/identity-vendor.contract.ts';
import type { CheckedPerson, CheckOrder, CheckOutcome } from '../../../providers/identity/port.ts';
import { bookKey } from '../store/access.ts';
import { exchangeOf } from '../processor/exchanges.ts';
import { httpVendor, type HttpVendor } from '../clients/vendor.ts';
import { EXCHANGES, TEST_PERSONS, vendorKey } from './index.ts';
import { treatmentFor } from './persons.ts';
import { docOfTestPersons } from '../../../../scripts/docs/test-persons-page.ts';
import type { TestBook, TestHost } from '../../../../test/kit/processor-host.ts';
import { openBook, openHost, testKeys } from '../../../../test/kit/processor-host.ts';

const TABLES = ['check', 'exchange', 'script', 'notice', 'due'].map((name) => `vendor_${name}`);

let book: TestBook;
let host: TestHost;
let vendor: HttpVendor;
/** The waits that the simulator asked for; one longer than a client's timeout ends at once. */
let waits: number[] = [];
let lastWorkspace = 100;

const keyOf = (workspace: number): string => vendorKey(testKeys, workspace);

before(async () => {
  book = await openBook();
  host = await openHost(book, async (ms) => void waits.push(ms));
  vendor = httpVendor({ url: host.url, keyOf });
});
after(async () => {
  await vendor.close();
  await host.close();
  await book.drop();
});

/** A check in a workspace of its own, with that last name. */
function orderOf(last: string): CheckOrder {
  waits = [];
  return checkFor((lastWorkspace += 1), last);
}

function personNamed(name: string): string {
  const person = TEST_PERSONS.find((one) => one.name === name);
  assert.ok(person, name);
  return person.last;
}

interface Reply {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

async function call(
  workspace: number,
  method: string,
  path: string,
  body?: object,
  authorization = `Bearer ${keyOf(workspace)}`,
): Promise<Reply> {
  const response = await fetch(`${host.url}/v1/identity/${path}`, {
    method,
    headers: { authorization, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Reply['body'] };
}

test('names are unique, and docs/test-persons.md shows the list', () => {
  for (const field of ['name', 'last'] as const) {
    assert.equal(new Set(TEST_PERSONS.map((one) => one[field])).size, TEST_PERSONS.length);
  }
  const page = new URL('../../../../docs/test-persons.md', import.meta.url);
  assert.equal(readFileSync(page, 'utf8'), docOfTestPersons());
});

for (const person of TEST_PERSONS) {
  test(`person ${person.name}: ${person.story}`, async () => {
    const order = orderOf(person.last);
    const state = person.verdict === 'pending' ? 'pending' : person.verdict.state;
    const { reply, effect, holdMs, waitMs } = exchangeOf(person.begin ?? 'honest');
    const first = await vendor.begin(order);
    assert.equal(first.state, reply === 'truth' ? state : 'unknown');
    const looked = await vendor.retrieve(order.workspace, order.key);
    assert.equal(looked.state, effect === 'none' ? 'absent' : state);
    const again = await vendor.begin(order);
    assert.equal(again.state, person.always === true ? 'unknown' : state);
    const last = await vendor.retrieve(order.workspace, order.key);
    assert.equal(last.state, state);
    if (effect !== 'none') assert.deepEqual(last, looked);
    if (person.verdict !== 'pending' && 'reasons' in last) {
      assert.deepEqual(last.reasons, person.verdict.reasons);
    }
    if (reply === 'truth') assert.equal(waits.includes(2_000), waitMs > 0 || holdMs !== undefined);
  });
}

test('all others are accepted at once, except minors and foreign documents', () => {
  const today = '2026-11-20';
  const decided = (change: Partial<CheckedPerson>): string =>
    treatmentFor(inventedPerson(change), today).name;
  assert.equal(decided({}), 'anybody');
  assert.equal(decided({ last: 'Specimen' }), 'anybody');
  assert.equal(decided({ last: 'specimen  WATCH list' }), 'watch_list');
  assert.equal(decided({ date_of_birth: '2008-11-20' }), 'anybody');
  assert.equal(decided({ date_of_birth: '2008-11-21' }), 'minor');
  assert.equal(decided({ date_of_birth: '' }), 'anybody');
  assert.equal(decided({ document_country: 'DE' }), 'foreign_document');
  assert.equal(decided({ document_country: '' }), 'anybody');
  assert.equal(decided({ last: personNamed('review'), document_country: 'DE' }), 'review');
});

test('an outside decision can come later and be changed, once each', async () => {
  const order = orderOf(personNamed('late'));
  const { workspace, key } = order;
  assert.equal(await vendor.happen(workspace, key, 'accept'), 'refused', 'not known yet');
  await vendor.begin(order);
  const ends = { accept: 'accepted', deny: 'denied', review: 'review', ask: 'incomplete' } as const;
  for (const [event, state] of Object.entries(ends)) {
    assert.equal(await vendor.happen(workspace, key, event as keyof typeof ends), 'done');
    assert.equal(await vendor.happen(workspace, key, event as keyof typeof ends), 'refused');
    assert.equal((await vendor.retrieve(workspace, key)).state, state);
  }
  await vendor.forget(workspace, key);
  assert.equal(await vendor.happen(workspace, key, 'accept'), 'refused', 'forgotten');
});

test("scripts come before a person's behaviour, for one or any; calls are counted", async () => {
  const order = orderOf('Example');
  const { workspace, key } = order;
  const queue = (body: object): Promise<Reply> => call(workspace, 'POST', 'script', body);
  await queue({ operation: 'begin', exchange: 'fault_before_effect', times: 2 });
  await queue({ operation: 'begin', exchange: 'busy', person: 'review' });
  await queue({ operation: 'look', exchange: 'timeout_before_effect' });
  const told: CheckOutcome['state'][] = [];
  for (let n = 0; n < 3; n += 1) told.push((await vendor.begin(order)).state);
  for (let n = 0; n < 2; n += 1) told.push((await vendor.retrieve(workspace, key)).state);
  assert.deepEqual(told, ['unknown', 'unknown', 'accepted', 'unknown', 'accepted']);
  const { body } = await call(workspace, 'GET', `checks/${key}/exchanges`);
  const counted = body['exchanges'] as { operation: string; times: number }[];
  assert.deepEqual(
    counted.map(({ operation, times }) => [operation, times]),
    [['begin', 3], ['look', 2]],
  );
  const review = checkFor(workspace, personNamed('review'));
  assert.equal((await vendor.begin(review)).state, 'unknown');
  assert.equal((await vendor.begin(review)).state, 'review');
  const odd = await queue({ operation: 'begin', exchange: 'captured_twice' });
  assert.equal(odd.status, 400);
});

test("every endpoint needs the workspace's own key, which is not the processor's", async () => {
  const order = orderOf('Example');
  await vendor.begin(order);
  const right = keyOf(order.workspace);
  const mac = right.slice(right.indexOf('_') + 1);
  const calls = [
    ['POST', `checks/${order.key}`, { person: order.person, files: [] }],
    ['GET', `checks/${order.key}`, undefined],
    ['POST', `checks/${order.key}/forget`, {}],
    ['GET', `checks/${order.key}/exchanges`, undefined],
    ['POST', 'script', { operation: 'look', exchange: EXCHANGES[0] }],
    ['POST', 'outside-events', { key: order.key, event: 'deny' }],
  ] as const;
  const processor = bookKey(testKeys, 'processor', order.workspace);
  const wrong = ['', right, `Bearer ${order.workspace + 1}_${mac}`, `Bearer ${processor}`];
  for (const [method, path, content] of calls) {
    for (const authorization of wrong) {
      const reply = await call(order.workspace, method, path, content, authorization);
      assert.equal(reply.status, 401, `${method} ${path}`);
    }
  }
  assert.equal((await vendor.retrieve(order.workspace, order.key)).state, 'accepted');
});

test('no submitted data is stored, in clear or as a plain hash', async () => {
  const fields = Object.keys(inventedPerson());
  const marked = fields.map((field) => [field, `mark${field}${randomUUID()}`]);
  const person = Object.fromEntries(marked) as unknown as CheckedPerson;
  const bytes = Buffer.from(`mark of a file ${randomUUID()}`);
  const files = (['front', 'back', 'extra'] as const).map((role) => {
    return { role, mime: 'application/pdf', bytes } as const;
  });
  const order = orderOf('');
  const sent = [{ ...order, person, files }];
  for (const { last, name } of TEST_PERSONS.slice(0, 12)) {
    sent.push({ ...order, key: `${order.key}:${name}`, person: { ...person, last }, files });
  }
  for (const one of sent) await vendor.begin(one);
  await vendor.begin({ ...order, person: { ...person, city: `mark ${randomUUID()}` }, files });
  await vendor.happen(order.workspace, order.key, 'deny');
  const rows = await Promise.all(
    TABLES.map((table) => host.db.query<{ row: string }>(`select t::text as row from ${table} t`)),
  );
  const found = rows.flat().map(({ row }) => row).join('\n');
  assert.ok(found.includes(order.key), 'the rows are looked at');
  const texts = [...Object.values(person), bytes.toString('utf8'), bytes.toString('base64')];
  for (const text of [...texts, ...texts.map((one) => hash('sha256', one))]) {
    assert.ok(!found.toLowerCase().includes(text.toLowerCase()), text.slice(0, 20));
  }
  assert.ok(!/mark/i.test(found));
  assert.ok(!/specimen/i.test(found));
});

test("a person's digest differs per check; erasure leaves only the key", async () => {
  const order = orderOf(personNamed('accepted_later'));
  const other = { ...order, key: randomUUID() };
  await vendor.begin(order);
  await vendor.begin(other);
  const digests = await host.db.query<{ digest: string }>({
    text: 'select distinct digest from vendor_check where workspace = $1',
    values: [order.workspace],
  });
  assert.equal(digests.length, 2);
  for (const { key } of [order, other]) assert.equal(await vendor.forget(order.workspace, key),
  true);
  const left = await Promise.all(
    TABLES.map(async (table) => {
      const text = `select from ${table} where workspace = $1`;
      return [table, (await host.db.query({ text, values: [order.workspace] })).length];
    }),
  );
  assert.deepEqual(left, TABLES.map((table) => [table, table === 'vendor_check' ? 2 : 0]));
  const [row] = await host.db.query<Record<string, unknown>>({
    text: `select digest, person, reference, state, reasons, rules from vendor_check
      where workspace = $1`,
    values: [order.workspace],
  });
  const empty = { digest: null, person: null, reference: null, reasons: [], rules: [] };
  assert.deepEqual(row, { ...empty, state: 'forgotten' });
});

test("the database enforces the check's states against every writer", async () => {
  const order = orderOf('Example');
  await vendor.begin(order);
  const { workspace, key } = order;
  const change = (set: string): Promise<number> =>
    host.db.execute({
      text: `update vendor_check set ${set} where workspace = $1 and key = $2`,
      values: [workspace, key],
    });
  const odd = [`state = 'pending', reasons = '{}', rules = '{}'`, `digest = 'x'`, `person = 'x'`];
  for (const set of odd) await assert.rejects(change(set), { code: '23514' });
  await vendor.forget(workspace, key);
  const back = `state = 'accepted', digest = 'x', person = 'x', reference = 'x'`;
  await assert.rejects(change(back), { code: '23514' });
  await assert.rejects(host.db.execute('delete from vendor_check'));
});
