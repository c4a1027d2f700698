// Escrows in parts: released and returned by line item, by milestone and by date; refused where it
// does not fit; refunded after it. [G-94, G-95]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startPlatform, type Platform } from '../api/kit.ts';
import { Market, ownLine, saleLine, type Body } from '../api/market.ts';
import type { Event } from '../api/records.ts';

interface Escrow {
  readonly id: string;
  readonly status: string;
  readonly escrow_invoice_id: string;
  readonly commit_invoice_id: string;
  readonly cancel_invoice_id: string;
  readonly released_amount?: number;
  readonly returned_amount?: number;
  readonly held_amount?: number;
  readonly movements?: readonly { kind: string; amount: number; invoice_id: string }[];
  readonly milestones?: readonly { name: string; amount: number; status: string }[];
  readonly default_outcome?: string;
  readonly release_at?: string;
  readonly holding_ends?: string;
}

const DAY = 86_400;

let platform: Platform;
let market: Market;
before(async () => {
  platform = await startPlatform();
  market = new Market(platform.api);
});
after(() => platform?.stop());

/** Two lines: a seller with a fee and tax, and the integrator. */
function basket(more: Body = {}): Body {
  const { seller } = platform.ready.accounts;
  const [recipient] = saleLine(seller.wallet_id, 270)['recipients'] as Body[];
  const recipients = [{ ...recipient, fee_amount: 30 }];
  const tax = { amount: 21, description: 'VAT' };
  const line_items = [{ ...saleLine(seller.wallet_id, 300), recipients, tax }, ownLine(50)];
  return market.sale(0, { line_items, ...more });
}

const send = (id: string, name: string, body?: Body, key?: string) =>
  platform.api.send('invoicing', 'POST', `/v2/escrow/${id}/${name}`, {
    ...(body && { body }),
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  });
const read = (id: string): Promise<Escrow> =>
  platform.api.must(200, 'invoicing', 'GET', `/v2/escrow/${id}`);

async function must(id: string, name: string, body?: Body): Promise<Escrow> {
  const reply = await send(id, name, body);
  assert.equal(reply.status, 200, reply.text);
  return reply.body?.payload as unknown as Escrow;
}

async function held(more: Body = {}): Promise<{ escrow: Escrow; lines: readonly string[] }> {
  const body = basket(more);
  const made = await platform.api.must<Escrow>(201, 'invoicing', 'POST', '/v2/escrow', { body });
  const escrow = await must(made.id, 'pay');
  assert.equal(escrow.status, 'ESCROWED');
  const { line_items } = await market.read(escrow.escrow_invoice_id);
  return { escrow, lines: Object.keys(line_items) };
}

async function refused(id: string, name: string, body: Body, code: string): Promise<void> {
  const before = await platform.rows();
  const reply = await send(id, name, body);
  assert.deepEqual([reply.status, reply.body?.codes], [400, [code]], reply.text);
  assert.deepEqual(await platform.rows(), before);
}

async function balances(): Promise<readonly number[]> {
  const { buyer, seller } = platform.ready.accounts;
  return Promise.all([buyer, seller].map(({ account_id }) => market.balance(account_id)));
}

const part = (line_item_id: string | undefined, amount?: number): Body => ({
  line_items: [{ line_item_id, ...(amount !== undefined && { amount }) }],
});

/** A moment so many days from now. */
const inDays = (days: number): string =>
  new Date(Date.now() + days * DAY * 1_000).toISOString().replace('Z', '000Z');

async function ahead(seconds: number): Promise<void> {
  await platform.db.execute({
    text: `update workspace set clock_offset = make_interval(secs => $1)
      where workspace = (select min(workspace) from workspace)`,
    values: [seconds],
  });
}

const named = (id: string, name: string) => (event: Event): boolean =>
  event.event_name === name && event.message['id'] === id;

test('a release, a return and the commit of the rest: every cent once', async () => {
  const [buyer = 0, seller = 0] = await balances();
  const { escrow, lines } = await held();
  const { id } = escrow;
  assert.equal('held_amount' in escrow, false, 'the interface\'s record until it is used');
  const first = await must(id, 'release', part(lines[0], 107));
  assert.deepEqual(
    [first.status, first.released_amount, first.returned_amount, first.held_amount],
    ['ESCROWED', 107, 0, 264],
  );
  const second = await must(id, 'return', part(lines[0], 100));
  assert.deepEqual([second.returned_amount, second.held_amount], [100, 164]);
  const [released, returned] = second.movements ?? [];
  for (const one of [released, returned]) {
    const path = `/v2/escrow/by_invoice/${one?.invoice_id}`;
    assert.deepEqual(await platform.api.must(200, 'invoicing', 'GET', path), second);
    const invoice = await market.read(one?.invoice_id ?? '');
    assert.deepEqual([invoice.state, invoice.summary.total_amount], ['success', one?.amount]);
  }
  const done = await must(id, 'commit');
  assert.deepEqual(
    [done.status, done.released_amount, done.returned_amount, done.held_amount],
    ['COMMITTED', 271, 100, 0],
  );
  assert.equal(done.movements?.[2]?.invoice_id, done.commit_invoice_id);
  assert.deepEqual(await read(id), done);
  // 107 of 321 for the seller: 90 of 270, and of the rest 117 of 270.
  const after = await balances();
  assert.deepEqual(after, [buyer - 271, seller + after[1]! - seller]);
  const moved = await market.events(0, 2, named(id, 'escrow-part-moved'));
  assert.deepEqual(moved.map(({ message }) => message), [first, second]);
  assert.equal((await market.events(0, 2, named(id, 'escrow-transaction-update'))).length, 2);
});

test('what does not fit is refused, and nothing changes', async () => {
  const { escrow: { id }, lines } = await held({
    milestones: [{ name: 'Draft', amount: 100 }],
  });
  const other = await held();
  await refused(id, 'release', part(lines[0], 322), 'ESCROW_PART_TOO_LARGE');
  await refused(id, 'return', part(other.lines[0], 1), 'ESCROW_LINE_NOT_FOUND');
  const twice = { line_items: [{ line_item_id: lines[0], amount: 1 }, { line_item_id: lines[0] }] };
  await refused(id, 'release', twice, 'ESCROW_LINE_REPEATED');
  await refused(id, 'release', { milestone: 'Final' }, 'ESCROW_MILESTONE_NOT_FOUND');
  const never = { return_at: inDays(4), milestones: [{ name: 'Draft', release_at: inDays(5) }] };
  await refused(id, 'schedule', never, 'ESCROW_DATES_CONFLICT');
  for (const amount of [0, -1]) {
    assert.equal((await send(id, 'return', part(lines[0], amount))).status, 400);
  }
  await refused(id, 'schedule', { release_at: inDays(-1) }, 'ESCROW_DATE_PASSED');
  await refused(id, 'schedule', { release_at: inDays(91) }, 'ESCROW_DATE_TOO_LATE');
  const both = { release_at: inDays(3), return_at: inDays(4) };
  await refused(id, 'schedule', both, 'ESCROW_DATES_CONFLICT');
  await must(id, 'release', { milestone: 'Draft' });
  await refused(id, 'release', { milestone: 'Draft' }, 'ESCROW_MILESTONE_RELEASED');
  await must(id, 'cancel');
  await refused(id, 'release', part(lines[0], 1), 'ESCROW_NOT_ESCROWED');
  await refused(id, 'schedule', { release_at: inDays(1) }, 'ESCROW_NOT_ESCROWED');
  for (const [plan, code] of [
    [{ release_at: inDays(-1) }, 'ESCROW_DATE_PASSED'],
    [{ return_at: inDays(91) }, 'ESCROW_DATE_TOO_LATE'],
    [both, 'ESCROW_DATES_CONFLICT'],
    [{ milestones: [{ name: 'A', amount: 300 }, { name: 'B', amount: 72 }] },
      'ESCROW_MILESTONE_TOO_LARGE'],
    [{ milestones: [{ name: 'A', line_items: [{ line_item: 2, amount: 1 }] }] },
      'ESCROW_MILESTONE_TOO_LARGE'],
    [{ milestones: [{ name: 'A', amount: 1 }, { name: ' A ', amount: 1 }] },
      'ESCROW_MILESTONE_REPEATED'],
    [{ return_at: inDays(3), milestones: [{ name: 'A', amount: 1, release_at: inDays(4) }] },
      'ESCROW_DATES_CONFLICT'],
  ] as const) {
    const reply = await platform.api.send('invoicing', 'POST', '/v2/escrow', {
      body: basket(plan as unknown as Body),
    });
    assert.deepEqual([reply.status, reply.body?.codes], [400, [code]], reply.text);
  }
});

test('the part that takes the last cent ends it; refunds give back what was released', async () => {
  const { escrow, lines } = await held();
  const { id } = escrow;
  await must(id, 'release', part(lines[0], 200));
  await must(id, 'release', part(lines[1]));
  const ask = (amount: number) => platform.api.send('invoicing', 'POST', '/v2/line-item/refund', {
    body: { line_item_id: lines[0], amount, reason: 'billing' },
  });
  const tooMuch = await ask(201);
  assert.deepEqual(tooMuch.body?.codes, ['REFUND_TOO_LARGE']);
  const part1 = await ask(150);
  assert.equal(part1.status, 200, part1.text);
  const ended = await must(id, 'return', part(lines[0]));
  assert.deepEqual([ended.status, ended.released_amount, ended.returned_amount],
    ['CANCELLED', 250, 121]);
  assert.equal(ended.movements?.[2]?.invoice_id, ended.cancel_invoice_id);
  assert.deepEqual((await ask(51)).body?.codes, ['REFUND_TOO_LARGE']);
  const rest = await platform.api.send('invoicing', 'POST', '/v2/refund', {
    body: { invoice_id: escrow.escrow_invoice_id, reason: 'billing' },
  });
  assert.equal(rest.status, 200, rest.text);
  const whole = await held();
  const all = whole.lines.map((line_item_id) => ({ line_item_id }));
  const once = await must(whole.escrow.id, 'release', { line_items: all });
  assert.deepEqual([once.status, 'movements' in once], ['COMMITTED', false], 'as a commit');
});

test('the same key moves once', async () => {
  const { escrow: { id }, lines } = await held();
  const all = await Promise.all([1, 2, 3].map(() => {
    return send(id, 'release', part(lines[0], 50), `key of ${id}`);
  }));
  for (const one of all) assert.deepEqual(one.body?.payload, all[0]?.body?.payload);
  await must(id, 'release', part(lines[0], 1));
  const again = await send(id, 'release', part(lines[0], 50), `key of ${id}`);
  assert.deepEqual(again.body?.payload, all[0]?.body?.payload, 'the record as it was then');
  assert.equal((await read(id)).released_amount, 51);
});

test('a program that does not know parts cannot move such an escrow', async () => {
  const { escrow, lines } = await held();
  await must(escrow.id, 'release', part(lines[0], 1));
  const moves = [
    `state = 'COMMITTED', due = null, version = version + 1`,
    `disputes = '{"open":0,"taken":{}}'`,
  ];
  for (const change of moves) {
    const text = `update escrow set ${change} where course is not null and state = 'ESCROWED'`;
    await assert.rejects(platform.db.execute(text), /escrow_course/);
  }
  await must(escrow.id, 'cancel');
});

test('milestones and dates come by the clock, each after a warning', async () => {
  const { escrow } = await held({
    default_outcome: 'commit',
    milestones: [
      { name: 'Draft', amount: 100, release_at: inDays(10) },
      { name: 'Final', line_items: [{ line_item: 0, amount: 200 }] },
    ],
  });
  const { id } = escrow;
  assert.deepEqual([escrow.held_amount, escrow.default_outcome], [371, 'commit']);
  const planned = await must(id, 'schedule', { return_at: inDays(30) });
  assert.equal((await market.events(0, 1, named(id, 'escrow-schedule-changed'))).length, 1);
  assert.equal(planned.holding_ends, escrow.holding_ends);
  await ahead(6 * DAY);
  await market.events(0, 1, named(id, 'escrow-date-near'));
  assert.equal((await read(id)).released_amount, 0, 'a warning moves nothing');
  await ahead(10 * DAY + 60);
  const [moved] = await market.events(0, 1, named(id, 'escrow-part-moved'));
  assert.deepEqual([moved?.message['released_amount'], moved?.message['held_amount']], [100, 271]);
  await refused(id, 'release', { milestone: 'Draft' }, 'ESCROW_MILESTONE_RELEASED');
  await ahead(30 * DAY + 60);
  const ends = await market.events(0, 2, named(id, 'escrow-transaction-update'));
  assert.equal(ends[1]?.message['status'], 'CANCELLED');
  const ended = await read(id);
  assert.deepEqual([ended.released_amount, ended.returned_amount], [100, 271]);
  assert.deepEqual(ended.milestones?.map(({ status }) => status), ['released', 'pending']);
  await ahead(0);
});
