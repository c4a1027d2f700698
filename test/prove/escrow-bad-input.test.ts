// Everything wrong that can be asked of held money: each is refused by its own code, names the
// field, changes nothing, and tells nothing of anybody else. [G-70, G-94, G-95, G-96]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { agree } from '../api/fixtures.ts';
import { startPlatform, type Platform, type Tenant } from '../api/kit.ts';
import { Market, ownLine, saleLine, type Body } from '../api/market.ts';
import { newUuid } from '../../src/core/ids.ts';
import type { Reply } from '../kit/api.ts';

const DAY_MS = 86_400_000;
const MOVES = ['release', 'return'] as const;

let platform: Platform;
let market: Market;
let other: Tenant;
before(async () => {
  platform = await startPlatform();
  market = new Market(platform.api);
  other = await platform.tenant();
});
after(() => platform?.stop());

interface Held {
  readonly id: string;
  readonly lines: readonly string[];
}

const inDays = (days: number): string =>
  new Date(Date.now() + days * DAY_MS).toISOString().replace('Z', '000Z');

function send(id: string, name: string, body?: unknown, more: object = {}): Promise<Reply> {
  const path = ['/v2/escrow', id, name].filter((one) => one !== '').join('/');
  const call = { ...more, ...(body !== undefined && { body }) };
  return platform.api.send('invoicing', 'POST', path, call);
}

function basket(more: Body = {}): Body {
  const { seller } = platform.ready.accounts;
  return market.sale(0, { line_items: [saleLine(seller.wallet_id, 300), ownLine(50)], ...more });
}

/** An escrow of a seller's line and the integrator's, with a milestone; paid. */
async function held(pays = true): Promise<Held> {
  const body = basket({ milestones: [{ name: 'Draft', amount: 100 }] });
  type Made = { id: string; escrow_invoice_id: string };
  const made = await platform.api.must<Made>(201, 'invoicing', 'POST', '/v2/escrow', { body });
  if (pays) await must(made.id, 'pay');
  const { line_items } = await market.read(made.escrow_invoice_id);
  return { id: made.id, lines: Object.keys(line_items) };
}

async function must(id: string, name: string, body?: Body): Promise<unknown> {
  const reply = await send(id, name, body);
  assert.ok(reply.status < 300, reply.text);
  return reply.payload;
}

type Wrong = readonly [code: string, name: string, body?: unknown];

/** Each is refused, and nothing changes; `secrets` are in no answer. */
async function refused(id: string, all: readonly Wrong[], secrets: readonly string[] = []) {
  const before_ = await platform.rows();
  for (const [code, name, body] of all) {
    const reply = await send(id, name, body);
    const what = `${name} ${JSON.stringify(body)}: ${reply.text}`;
    assert.deepEqual(reply.body?.codes, [code], what);
    assert.ok(reply.status === 400 || reply.status === 404, what);
    for (const secret of secrets) assert.ok(!reply.text.includes(secret), what);
  }
  assert.deepEqual(await platform.rows(), before_);
}

const part = (line_item_id: unknown, amount?: unknown): Body => ({
  line_items: [{ line_item_id, ...(amount !== undefined && { amount }) }],
});
const split = (to_sellers: unknown, to_buyer: unknown, to_integrator: unknown = 0): Body => ({
  ...{ to_sellers, to_buyer, to_integrator },
});

test('parts that are no parts of what is held', async () => {
  const [one, foreign] = [await held(), await held()];
  const { id, lines: [line = '', own = ''] } = one;
  for (const name of MOVES) {
    const list = (...items: Body[]): Wrong => ['ESCROW_LINE_REPEATED', name, { line_items: items }];
    await refused(id, [
      ['ESCROW_PART_TOO_LARGE', name, part(line, 301)],
      ['ESCROW_PART_TOO_LARGE', name, part(own, 51)],
      ['INVALID_FIELD', name, part(line, 0)],
      ['INVALID_FIELD', name, part(line, -1)],
      ['INVALID_FIELD', name, part(line, 1.5)],
      ['INVALID_FIELD', name, part(line, '5')],
      ['INVALID_FIELD', name, part(line, 2 ** 53)],
      ['INVALID_FIELD', name, { line_items: [] }],
      ['MISSING_FIELD', name, { line_items: [{ amount: 5 }] }],
      ['ESCROW_LINE_NOT_FOUND', name, part(foreign.lines[0], 5)],
      ['ESCROW_LINE_NOT_FOUND', name, part(newUuid(), 5)],
      ['ESCROW_LINE_NOT_FOUND', name, part('', 5)],
      list({ line_item_id: line, amount: 1 }, { line_item_id: line, amount: 1 }),
      list({ line_item_id: line, amount: 300 }, { line_item_id: line }),
    ], foreign.lines);
  }
  await must(id, 'release', { milestone: 'Draft' });
  await refused(id, [
    ['ESCROW_MILESTONE_RELEASED', 'release', { milestone: 'Draft' }],
    ['ESCROW_MILESTONE_RELEASED', 'delivered', { milestone: 'Draft' }],
    ['ESCROW_MILESTONE_NOT_FOUND', 'release', { milestone: 'Final' }],
    ['ESCROW_MILESTONE_NOT_FOUND', 'delivered', { milestone: 'Final' }],
    ['INVALID_FIELD', 'release', { milestone: 'x'.repeat(65) }],
    // A third of the milestone was of the line of 50: what is left is less.
    ['ESCROW_PART_TOO_LARGE', 'release', part(line, 300)],
    ['ESCROW_PART_TOO_LARGE', 'return', part(line, 300)],
  ]);
});

test('dates in the past, after the end, of nothing, and two for one', async () => {
  const { id } = await held();
  const stage = (release_at: unknown, name = 'Draft'): Body => ({ name, release_at });
  await refused(id, [
    ['ESCROW_DATE_PASSED', 'schedule', { release_at: inDays(-1) }],
    ['ESCROW_DATE_PASSED', 'schedule', { return_at: '1970-01-01T00:00:00.000000Z' }],
    ['ESCROW_DATE_TOO_LATE', 'schedule', { release_at: inDays(91) }],
    ['ESCROW_DATE_TOO_LATE', 'schedule', { return_at: '9999-12-31T23:59:59.999999Z' }],
    ['ESCROW_DATES_CONFLICT', 'schedule', { release_at: inDays(1), return_at: inDays(2) }],
    ['INVALID_FIELD', 'schedule', { release_at: '2030-02-30T00:00:00.000000Z' }],
    ['INVALID_FIELD', 'schedule', { release_at: '2030-02-03' }],
    ['INVALID_FIELD', 'schedule', { release_at: 1_900_000_000 }],
    ['ESCROW_DATE_PASSED', 'schedule', { milestones: [stage(inDays(-1))] }],
    ['ESCROW_DATE_TOO_LATE', 'schedule', { milestones: [stage(inDays(91))] }],
    ['ESCROW_MILESTONE_NOT_FOUND', 'schedule', { milestones: [stage(null, 'Final')] }],
    ['ESCROW_MILESTONE_REPEATED', 'schedule', {
      milestones: [stage(inDays(1)), stage(inDays(2), ' Draft')],
    }],
    // Nothing would be left for the milestone.
    ['ESCROW_DATES_CONFLICT', 'schedule', { return_at: inDays(5), milestones: [stage(inDays(6))] }],
  ]);
  const last = inDays(5);
  await must(id, 'schedule', { return_at: last, milestones: [stage(last)] });
  await refused(id, [
    ['ESCROW_DATES_CONFLICT', 'schedule', { release_at: inDays(3) }],
    ['ESCROW_DATES_CONFLICT', 'schedule', { return_at: inDays(4) }],
    ['ESCROW_DATES_CONFLICT', 'schedule', { milestones: [stage(inDays(6))] }],
  ]);
  await must(id, 'release', { milestone: 'Draft' });
  await refused(id, [
    ['ESCROW_MILESTONE_RELEASED', 'schedule', { milestones: [stage(inDays(1))] }],
  ]);
  await must(id, 'schedule', { return_at: inDays(4) });
});

test('dates that are what they were: no step, no event, and no second warning', async () => {
  const { id } = await held();
  const version = async (): Promise<unknown> => (await platform.rows())['history'];
  const none = [{}, { milestones: [] }, { release_at: null }];
  const release_at = inDays(20);
  const set = { release_at, milestones: [{ name: 'Draft', release_at }] };
  for (const same of [none, [set, { release_at, return_at: null }, {}]]) {
    if (same[0] === set) await must(id, 'schedule', set);
    const before_ = await version();
    for (const body of same) await must(id, 'schedule', body);
    assert.deepEqual(await version(), before_);
  }
});

test('plans that do not fit the sale', async () => {
  const stages = (...milestones: Body[]): Body => basket({ milestones });
  const line = (line_item: unknown, amount: unknown) => ({ line_item, amount });
  const of = (...line_items: object[]): Body => stages({ name: 'A', line_items });
  const tooLarge = 'ESCROW_MILESTONE_TOO_LARGE';
  await refused('', [
    ['ESCROW_DATE_PASSED', '', basket({ release_at: inDays(-1) })],
    ['ESCROW_DATE_PASSED', '', stages({ name: 'A', amount: 5, release_at: inDays(-1) })],
    ['ESCROW_DATE_TOO_LATE', '', basket({ return_at: inDays(91) })],
    ['ESCROW_DATES_CONFLICT', '', basket({ release_at: inDays(3), return_at: inDays(3) })],
    [tooLarge, '', stages({ name: 'A', amount: 351 })],
    [tooLarge, '', stages({ name: 'A', amount: 300 }, { name: 'B', amount: 51 })],
    [tooLarge, '', of(line(2, 1))],
    [tooLarge, '', of(line(1, 51))],
    [tooLarge, '', of(line(0, 1), line(0, 1))],
    ['INVALID_FIELD', '', of(line(-1, 1))],
    ['INVALID_FIELD', '', of(line(0, 0))],
    ['INVALID_FIELD', '', of()],
    ['INVALID_FIELD', '', stages({ name: 'A', amount: -5 })],
    ['INVALID_FIELD', '', stages({ name: 'A', amount: 0 })],
    ['INVALID_FIELD', '', stages({ name: ' ', amount: 5 })],
    ['MISSING_FIELD', '', stages({ name: 'A' })],
    ['INVALID_FIELD', '', stages({ name: 'A', amount: 5, line_items: [line(0, 7)] })],
    ['ESCROW_MILESTONE_REPEATED', '', stages({ name: 'A', amount: 1 }, { name: 'A', amount: 1 })],
    ['ESCROW_MILESTONE_REPEATED', '', stages({ name: 'A', amount: 1 }, { name: ' A ', amount: 1 })],
    ['ESCROW_DATES_CONFLICT', '', basket({
      return_at: inDays(3), milestones: [{ name: 'A', amount: 1, release_at: inDays(4) }],
    })],
    ['INVALID_FIELD', '', stages(
      ...Array.from({ length: 21 }, (_, n) => ({ name: `${n}`, amount: 1 })),
    )],
    ['INVALID_FIELD', '', basket({ default_outcome: 'keep' })],
  ]);
});

test('a milestone is found by its name, whatever spaces are around it', async () => {
  const { id } = await held();
  await must(id, 'schedule', { milestones: [{ name: ' Draft', release_at: inDays(1) }] });
  await must(id, 'delivered', { milestone: 'Draft ' });
  await refused(id, [['ESCROW_DELIVERED', 'delivered', { milestone: 'Draft' }]]);
  await must(id, 'release', { milestone: ' Draft ' });
  await refused(id, [['ESCROW_MILESTONE_RELEASED', 'release', { milestone: 'Draft' }]]);
});

test('a person who pays plans nothing: what they send of a plan is refused', async () => {
  const { buyer } = platform.ready.accounts;
  const { session: token } = await agree(platform.api, buyer.account_id);
  const before_ = await platform.rows();
  const { payment_methods } = market.sale(5);
  const wish = { authorized_invoice_id: newUuid(), payment_methods };
  const milestones = [{ name: 'A', amount: 1 }];
  const dates = [{ release_at: inDays(1) }, { return_at: inDays(1) }];
  for (const plan of [...dates, { milestones }, { default_outcome: 'commit' }]) {
    const reply = await send('', '', { ...wish, ...plan }, { token });
    assert.deepEqual([reply.status, reply.body?.codes], [400, ['UNKNOWN_FIELD']], reply.text);
    assert.match(reply.text, new RegExp(`"${Object.keys(plan)[0]}":"is not for a session to set"`));
  }
  assert.deepEqual(await platform.rows(), before_);
  const reply = await send('', '', wish, { token });
  assert.deepEqual(reply.body?.codes, ['AUTHORIZED_INVOICE_NOT_FOUND'], 'without a plan');
});

test('while its sides disagree nothing moves, and a split is all of it', async () => {
  const { seller, buyer, seller2 } = platform.ready.accounts;
  const foreign = await held();
  const { id, lines: [line = '', own = ''] } = await held();
  await refused(id, [
    ['INVALID_FIELD', 'dispute', { opened_by: 'bank', reason: 'other' }],
    ['INVALID_FIELD', 'dispute', { opened_by: 'buyer', reason: 'because' }],
    ['DISAGREEMENT_NOT_FOUND', 'resolve', split(350, 0)],
    ['DISAGREEMENT_NOT_FOUND', 'dispute/proposal', {
      account_id: buyer.account_id, ...split(350, 0),
    }],
  ]);
  await must(id, 'dispute', { opened_by: 'seller', reason: 'late' });
  const by = (...line_items: Body[]): Body => ({ line_items });
  const of = (line_item_id: string, ...sums: [unknown, unknown, unknown?]): Body => ({
    ...{ line_item_id, ...split(...sums) },
  });
  const whole = of(line, 300, 0);
  const splits: readonly (readonly [string, Body])[] = [
    ['DISAGREEMENT_SPLIT_WRONG', split(350, 1)],
    ['DISAGREEMENT_SPLIT_WRONG', split(349, 0)],
    ['DISAGREEMENT_SPLIT_WRONG', split(0, 0)],
    ['INVALID_FIELD', split(-1, 351)],
    ['INVALID_FIELD', split(349.5, 0.5)],
    ['INVALID_FIELD', split('350', 0)],
    ['MISSING_FIELD', { to_sellers: 350, to_buyer: 0 }],
    ['DISAGREEMENT_SPLIT_WRONG', by(whole)],
    ['DISAGREEMENT_SPLIT_WRONG', by(of(line, 350, 0), of(own, 0, 0))],
    ['ESCROW_LINE_REPEATED', by(whole, whole, of(own, 50, 0))],
    ['ESCROW_LINE_NOT_FOUND', by(whole, of(own, 50, 0), of(foreign.lines[0] ?? '', 1, 0))],
    ['INVALID_FIELD', by()],
  ];
  const account_id = seller.account_id;
  await refused(id, [
    ...['commit', 'cancel'].map((name): Wrong => ['ESCROW_DISPUTED', name]),
    ['ESCROW_DISPUTED', 'release', part(line, 5)],
    ['ESCROW_DISPUTED', 'release', { milestone: 'Draft' }],
    ['ESCROW_DISPUTED', 'return', part(line, 5)],
    ['ESCROW_DISPUTED', 'schedule', { release_at: inDays(1) }],
    ['ESCROW_DISPUTED', 'delivered', {}],
    ['DISAGREEMENT_EXISTS', 'dispute', { opened_by: 'buyer', reason: 'other' }],
    ...splits.map(([code, body]): Wrong => [code, 'resolve', body]),
    ...splits.map(([code, body]): Wrong => [code, 'dispute/proposal', { account_id, ...body }]),
    ...[split(49, 301), split(0, 350), by(of(line, 300, 0), of(own, 49, 1))].map(
      (body): Wrong => ['DISAGREEMENT_OWN_LINE', 'dispute/proposal', { account_id, ...body }],
    ),
    ['MISSING_FIELD', 'dispute/proposal', split(350, 0)],
    ['DISAGREEMENT_STRANGER', 'dispute/proposal', {
      account_id: seller2.account_id, ...split(350, 0),
    }],
    ['DISAGREEMENT_NO_PROPOSAL', 'dispute/answer', {
      ...{ account_id, proposal_id: newUuid(), answer: 'accept' },
    }],
    ['INVALID_FIELD', 'dispute/answer', { account_id, proposal_id: 'first', answer: 'accept' }],
    ['INVALID_FIELD', 'dispute/answer', {
      ...{ account_id, proposal_id: newUuid(), answer: 'maybe' },
    }],
  ], foreign.lines);
  await must(id, 'resolve', split(0, 350));
  await refused(id, [
    ['DISAGREEMENT_NOT_OPEN', 'resolve', split(0, 350)],
    ['DISAGREEMENT_NOT_OPEN', 'dispute/proposal', { account_id, ...split(350, 0) }],
    ['DISAGREEMENT_NOT_OPEN', 'dispute/statements', { account_id, text: 'x' }],
  ]);
});

test('before it is paid and after its end, and what is another tenant\'s', async () => {
  const [open, ended, theirs] = [await held(false), await held(), await held()];
  await must(ended.id, 'commit');
  for (const { id, lines: [line] } of [open, ended]) {
    await refused(id, [
      ...['commit', 'cancel'].map((name): Wrong => ['ESCROW_NOT_ESCROWED', name]),
      ...MOVES.map((name): Wrong => ['ESCROW_NOT_ESCROWED', name, part(line, 1)]),
      ['ESCROW_NOT_ESCROWED', 'release', { milestone: 'Draft' }],
      ['ESCROW_NOT_ESCROWED', 'schedule', { release_at: inDays(1) }],
      ['ESCROW_NOT_ESCROWED', 'delivered', {}],
      ['ESCROW_NOT_ESCROWED', 'dispute', { opened_by: 'buyer', reason: 'other' }],
    ]);
  }
  const before_ = await platform.rows();
  const { id, lines: [line = ''] } = theirs;
  const calls: readonly (readonly [string, unknown?])[] = [
    ['commit'],
    ['cancel'],
    ...MOVES.map((name) => [name, part(line, 1)] as const),
    ['schedule', { release_at: null }],
    ['delivered', {}],
    ['dispute', { opened_by: 'buyer', reason: 'other' }],
    ['resolve', split(350, 0)],
  ];
  const unknown = 'esc_01k0epwyggfgz9tmhzde54rbgg';
  for (const [name, body] of calls) {
    const answers = [await send(id, name, body, { token: other.token })];
    for (const none of [unknown, 'esc_1', '%00']) answers.push(await send(none, name, body));
    for (const { status, codes, text } of answers) {
      assert.deepEqual([status, codes], [404, ['ESCROW_NOT_FOUND']], `${name}: ${text}`);
      assert.ok(!text.includes(line), text);
    }
  }
  assert.deepEqual(await platform.rows(), before_);
});
