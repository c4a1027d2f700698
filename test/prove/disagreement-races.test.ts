// Disagreements, disputes at the bank and dates race whoever moves held money, through two
// processes: a freeze holds all that has not gone, each end divides it once, each date comes once.
// [G-93, G-95, G-96]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { uuidOfWireId } from '../../src/core/ids.ts';
import { agree } from '../api/fixtures.ts';
import type { Reply } from '../kit/api.ts';
import { readEscrow } from '../kit/escrow.ts';
import { startFleet, type Fleet } from '../kit/platform.ts';
import { until } from '../kit/until.ts';
import {
  ask,
  held,
  jump,
  none,
  PRICE,
  sellerOf,
  spendable,
  type Ended,
  type HeldEscrow,
} from '../races/escrows.ts';
import { clientAt, proof, race, RACERS, refundedAmounts, ROUNDS } from '../races/racing.ts';

const DAY = 86_400;
const ALL = 24;
const WISH = { opened_by: 'buyer', reason: 'other' };

interface Disagreement {
  readonly status: string;
  readonly amount: number;
  readonly proposal?: { readonly proposal_id: string };
  readonly settlement?: Readonly<Record<'to_sellers' | 'to_buyer' | 'to_integrator', number>> & {
    readonly by: string;
  };
}

let fleet: Fleet;
before(async () => {
  fleet = await startFleet(2);
});
after(() => fleet?.stop());

const read = async (id: string) => (await readEscrow(clientAt(fleet, 1), id)) as Ended;
const dispute = (id: string): Promise<Disagreement> =>
  clientAt(fleet, 1).must(200, 'invoicing', 'GET', `/v2/escrow/${id}/dispute`);
const split = (to_sellers: number, to_buyer: number, to_integrator = 0) => ({
  ...{ to_sellers, to_buyer, to_integrator },
});

/** Only these answers were given. */
function only(replies: readonly Reply[], ...allowed: readonly string[]): Record<string, number> {
  const counts = refundedAmounts(replies);
  assert.deepEqual(Object.keys(counts).filter((one) => !allowed.includes(one)), []);
  return counts;
}

/** Opens a disagreement, and proposes for the seller to have it all; gives the proposal's id. */
async function proposed({ id }: HeldEscrow): Promise<string> {
  const api = clientAt(fleet, 0);
  const opened = await ask(api, id, 'dispute', WISH);
  assert.equal(opened.status, 201, opened.text);
  const body = { account_id: sellerOf(fleet), ...split(600, 300) };
  const made = await ask(api, id, 'dispute/proposal', body);
  assert.equal(made.status, 201, made.text);
  return (made.payload as Disagreement).proposal?.proposal_id ?? '';
}

for (let round = 0; round < ROUNDS; round += 1) {
  test(`${RACERS} releases, returns and openings of a disagreement, round ${round}`, async () => {
    const one = await held(fleet, `opened-${round}`);
    const part = { line_items: [{ line_item_id: one.line, amount: 7 }] };
    const earned = await spendable(fleet, sellerOf(fleet));
    const replies = await race(fleet, RACERS, (api, at) => {
      if (at > RACERS / 8 && at % 5 === 0) return ask(api, one.id, 'dispute', WISH);
      return ask(api, one.id, at % 4 < 2 ? 'release' : 'return', part);
    });
    const moves = replies.filter(({ status }) => status === 200).length;
    const counts = only(
      replies, '200', '201', '400 DISAGREEMENT_EXISTS', '400 ESCROW_DISPUTED',
      '400 ESCROW_PARTS_LIMIT',
    );
    assert.equal(counts['201'], 1, 'opened once');
    const seen = await read(one.id);
    const { amount } = await dispute(one.id);
    assert.equal(seen.status, 'ESCROWED');
    assert.equal(seen.held_amount, amount, 'nothing goes after it');
    assert.equal(seen.released_amount + seen.returned_amount + amount, PRICE);
    assert.equal(seen.movements.length, moves);
    await proof(fleet);
    const { to_sellers, ...rest } = split(amount - 40, 30, 10);
    const ends = await race(fleet, RACERS, (api) =>
      ask(api, one.id, 'resolve', { to_sellers, ...rest }));
    assert.deepEqual(refundedAmounts(ends), {
      200: 1,
      '400 DISAGREEMENT_NOT_OPEN': RACERS - 1,
    });
    const gained = (await spendable(fleet, sellerOf(fleet))) - earned;
    assert.equal(gained, seen.released_amount + to_sellers);
    assert.equal(await spendable(fleet, one.account_id), seen.returned_amount + 30);
    await proof(fleet);
  });

  test(`${RACERS} answers to one proposal, round ${round}: done once`, async () => {
    const one = await held(fleet, `answers-${round}`);
    const proposal_id = await proposed(one);
    const earned = await spendable(fleet, sellerOf(fleet));
    const accept = { account_id: one.account_id, proposal_id, answer: 'accept' };
    const all = await race(fleet, RACERS, (api) => ask(api, one.id, 'dispute/answer', accept));
    assert.deepEqual(refundedAmounts(all), { 200: 1, '400 DISAGREEMENT_NOT_OPEN': RACERS - 1 });
    assert.equal((await spendable(fleet, sellerOf(fleet))) - earned, 600);
    assert.equal(await spendable(fleet, one.account_id), 300);
    await proof(fleet);
  });

  test(`accepted, declined and replaced at once, round ${round}`, async () => {
    const one = await held(fleet, `replaced-${round}`);
    const proposal_id = await proposed(one);
    const replies = await race(fleet, RACERS, (api, at) => {
      const answer = at % 4 < 2 ? 'accept' : 'decline';
      const said = { account_id: one.account_id, proposal_id, answer };
      if (at % 3 > 0) return ask(api, one.id, 'dispute/answer', said);
      const other = { account_id: sellerOf(fleet), ...split(900, 0) };
      return ask(api, one.id, 'dispute/proposal', other);
    });
    only(
      replies, '200', '201', '400 DISAGREEMENT_NOT_OPEN', '400 DISAGREEMENT_NO_PROPOSAL',
    );
    const { status, settlement } = await dispute(one.id);
    const answered = replies.filter((reply) => reply.status === 200);
    assert.ok(answered.length <= 1, 'one answer counts');
    const accepted = answered.some(({ payload }) => (payload as Disagreement).settlement);
    assert.equal(status, accepted ? 'resolved' : 'open');
    if (accepted) assert.deepEqual(settlement, { by: 'agreement', ...split(600, 300) });
    else {
      const reply = await ask(clientAt(fleet, 0), one.id, 'resolve', split(0, PRICE));
      assert.equal(reply.status, 200, reply.text);
    }
    await proof(fleet);
  });

  // Without returns: a bank that took the whole charge refuses them, and a person decides. [M12]
  test(`releases and a chargeback of one escrow, round ${round}`, async () => {
    const one = await held(fleet, `charged-${round}`, {}, true);
    const part = { line_items: [{ line_item_id: one.line, amount: 7 }] };
    const taken = clientAt(fleet, 0).send('invoicing', 'POST', '/sandbox/outside_events', {
      body: { event: 'chargeback', id: one.invoice },
    });
    const replies = await race(fleet, Math.min(RACERS, 90), async (api, at) => {
      await delay(at * 12);
      return ask(api, one.id, 'release', part);
    });
    assert.equal((await taken).status, 201, (await taken).text);
    const counts = only(replies, '200', '400 ESCROW_DISPUTED');
    type Page = { disputes: readonly { dispute_id: string }[] };
    const api = clientAt(fleet, 0);
    const path = `/v1/disputes?escrow_id=${one.id}`;
    const opened = await until('the dispute', async () => {
      return (await api.must<Page>(200, 'invoicing', 'GET', path)).disputes[0];
    });
    await proof(fleet);
    const body = { event: 'dispute_won', id: opened.dispute_id };
    await api.must(201, 'invoicing', 'POST', '/sandbox/outside_events', { body });
    await none(fleet, 'select from escrow where id = any($1) and time_left is not null', [
      uuidOfWireId('esc', one.id) ?? '',
    ]);
    assert.equal((await read(one.id)).released_amount, counts['200'] ? counts['200'] * 7 : 0);
    assert.equal((await ask(api, one.id, 'commit')).status, 200);
    assert.equal((await read(one.id)).released_amount, PRICE);
    await proof(fleet);
  });
}

test('a decision, an agreement and the default of the limit: one of them ends it', async (t) => {
  const api = clientAt(fleet, 0);
  const settings = { body: { days: 2, outcome: 'sellers' } };
  await api.must(200, 'invoicing', 'PUT', '/v1/settings/disagreements', settings);
  const all = await Promise.all(
    Array.from({ length: ALL }, (_, at) => held(fleet, `limit-${at}`)),
  );
  const proposals = await Promise.all(all.map(proposed));
  const ids = all.map(({ id }) => uuidOfWireId('esc', id) ?? '');
  await jump(fleet, DAY);
  const open = 'select from disagreement where escrow_id = any($1) and';
  await none(fleet, `${open} due < due_by`, ids);
  const earned = await spendable(fleet, sellerOf(fleet));
  await jump(fleet, DAY);
  const replies = await race(fleet, 2 * ALL, async (one, at): Promise<Reply> => {
    const of = all[at >> 1] as HeldEscrow;
    await delay((at >> 1) * 60);
    if (at % 2 === (at >> 1) % 2) return ask(one, of.id, 'resolve', split(100, 700, 100));
    const said = { proposal_id: proposals[at >> 1], answer: 'accept' };
    return ask(one, of.id, 'dispute/answer', { account_id: of.account_id, ...said });
  });
  only(replies, '200', '400 DISAGREEMENT_NOT_OPEN');
  await none(fleet, `${open} state = 'open'`, ids);
  const ends = new Map<string, number>();
  let due = 0;
  for (const [at, of] of all.entries()) {
    const { settlement } = await dispute(of.id);
    const { by = '', to_sellers = 0, to_buyer = 0, to_integrator = 0 } = settlement ?? {};
    ends.set(by, (ends.get(by) ?? 0) + 1);
    due += to_sellers;
    const won = replies.slice(2 * at, 2 * at + 2).filter(({ status }) => status === 200);
    assert.equal(won.length, by === 'default' ? 0 : 1, by);
    assert.equal(to_sellers + to_buyer + to_integrator, PRICE);
    assert.equal(await spendable(fleet, of.account_id), to_buyer, by);
  }
  t.diagnostic(`what ended them at their limit: ${JSON.stringify(Object.fromEntries(ends))}`);
  assert.ok((ends.get('default') ?? 0) > 0, 'the clock did nothing');
  assert.equal((await spendable(fleet, sellerOf(fleet))) - earned, due);
  await proof(fleet);
});

test('a milestone at its date, and its buyer and tenant who release it: once', async (t) => {
  const milestones = [{ name: 'Draft', amount: 300 }, { name: 'Final', amount: 500 }];
  const scopes = ['read_invoices', 'release_escrow'];
  const all = await Promise.all(Array.from({ length: ALL }, async (_, at) => {
    const one = await held(fleet, `dates-${at}`, { milestones });
    return { ...one, token: (await agree(clientAt(fleet, 0), one.account_id, { scopes })).session };
  }));
  const [{ now } = { now: '' }] = await fleet.db.query<{ now: string }>(`select to_char(
    (clock_timestamp() + max(clock_offset) + interval '2 days') at time zone 'UTC',
    'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as now from workspace`);
  const dates = { milestones: [{ name: 'Draft', release_at: now }] };
  for (const [at, { id }] of all.entries()) {
    const set = await ask(clientAt(fleet, at), id, 'schedule', dates);
    assert.equal(set.status, 200, set.text);
  }
  const ids = all.map(({ id }) => uuidOfWireId('esc', id) ?? '');
  await jump(fleet, DAY + 60);
  await none(fleet, `select from escrow where id = any($1) and course not like '%"warned"%'`, ids);
  const earned = await spendable(fleet, sellerOf(fleet));
  await jump(fleet, DAY);
  const replies = await race(fleet, 2 * ALL, async (one, at): Promise<Reply> => {
    const of = all[at >> 1] as (typeof all)[number];
    await delay((at >> 1) * 60);
    const call = { body: { milestone: 'Draft' }, ...(at % 2 === 0 && { token: of.token }) };
    return one.send('invoicing', 'POST', `/v2/escrow/${of.id}/release`, call);
  });
  const counts = only(replies, '200', '400 ESCROW_MILESTONE_RELEASED');
  await none(fleet, `select from escrow where id = any($1)
    and course::json -> 'parts' -> 0 is null`, ids);
  t.diagnostic(`who released milestones at their date: ${JSON.stringify(counts)}`);
  assert.ok((counts['200'] ?? 0) < ALL, 'the clock did nothing');
  for (const { id } of all) {
    const { released_amount, movements } = await read(id);
    assert.deepEqual([released_amount, movements.length], [300, 1]);
  }
  assert.equal((await spendable(fleet, sellerOf(fleet))) - earned, ALL * 300);
  await proof(fleet);
});
