// Payouts racing the identity of their account, each other and their own end: nothing leaves an
// account that is not accepted at that moment, and a wallet gives exactly what it holds. Two
// processes on one database. [ID5, M3]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newUuid, uuidOfWireId } from '../../src/core/ids.ts';
import type { Api, Reply } from '../kit/api.ts';
import type { PayoutSeen } from '../kit/payouts.ts';
import { startFleet, type Fleet } from '../kit/platform.ts';
import { clientAt, proof, race, ROUNDS, refundedAmounts } from '../races/racing.ts';

const AMOUNT = 100;
const FUNDS = 1_000_000_000;
/** How often the identity flips; `npm run prove` has more. */
const FLIPS = Number(process.env['HOLDFAST_PAYOUT_FLIPS'] ?? 60);
/** Callers while it flips, and how many requests each makes at least; every fourth is sent. */
const LANES = 6;
const REQUESTS = 40;
/** Accepts are more frequent, so that both answers are many. */
const STATES = ['DENY', 'ACCEPT', 'MANUAL_REVIEW', 'ACCEPT'];

let fleet: Fleet;
before(async () => {
  fleet = await startFleet(2);
});
after(() => fleet?.stop());

interface Person {
  readonly account_id: string;
  readonly wallet: string;
  readonly bank: string;
}

async function person(funds: number): Promise<Person> {
  const api = clientAt(fleet, 0);
  const { account_id, method: wallet } = await api.register(newUuid());
  await api.setKyc(account_id, { state: 'ACCEPT' });
  await api.fund(account_id, funds);
  return { account_id, wallet, bank: await api.attach(account_id, 'bank') };
}

function request(api: Api, who: Person, key?: string): Promise<Reply> {
  const ids = { source_payment_method_id: who.wallet, destination_payment_method_id: who.bank };
  const body = { ...ids, amount: AMOUNT, currency: 'USD' };
  const call = key === undefined ? { body } : { body, key };
  return api.send('invoicing', 'POST', `/v2/${who.account_id}/payout`, call);
}

function move(api: Api, method: 'PATCH' | 'DELETE', who: Person, id: string): Promise<Reply> {
  return api.send('invoicing', method, `/v2/${who.account_id}/payout/${id}`);
}

function idOf(reply: Reply): string {
  return (reply.payload as PayoutSeen).payout_status_id;
}

/** How many payouts of an account there are in each state. */
async function standing(who: Person): Promise<Record<string, number>> {
  const rows = await fleet.db.query<{ state: string; n: bigint }>({
    text: 'select state, count(*) as n from payout where account_id = $1 group by state',
    values: [uuidOfWireId('acct', who.account_id)],
  });
  return Object.fromEntries(rows.map(({ state, n }) => [state, Number(n)]));
}

test('changes of the identity while payouts are requested and sent: none slips by', async (t) => {
  const who = await person(FUNDS);
  let flipping = true;
  const flips = (async () => {
    for (let n = 0; n < FLIPS; n += 1) {
      await clientAt(fleet, n).setKyc(who.account_id, { state: STATES[n % STATES.length] });
    }
    flipping = false;
  })();
  const seen: Reply[] = [];
  const worker = async (lane: number): Promise<void> => {
    for (let n = 0; n < REQUESTS || flipping; n += 1) {
      const asked = await request(clientAt(fleet, lane + n), who);
      seen.push(asked);
      if (asked.status !== 201 || n % 4 > 0) continue;
      seen.push(await move(clientAt(fleet, lane + n + 1), 'PATCH', who, idOf(asked)));
    }
  };
  await Promise.all([flips, ...Array.from({ length: LANES }, (_, lane) => worker(lane))]);
  const counts = refundedAmounts(seen);
  const allowed = ['200', '201', '400 PAYOUT_KYC_REQUIRED'];
  assert.deepEqual(Object.keys(counts).filter((said) => !allowed.includes(said)), []);
  for (const said of allowed) assert.ok((counts[said] ?? 0) > 0, `${said} was never said`);
  assert.deepEqual(await overlapping(), [], 'no other state came between the look and the commit');
  await proof(fleet);
  t.diagnostic(`${seen.length} payout racers against ${FLIPS} flips of the identity`);
});

/**
 * Payout steps whose identity had moved on before their own moment: a gate that looked without a
 * lock would leave some. Each looks for one step by its key: joined, all of both would be paired.
 */
async function overlapping(): Promise<unknown[]> {
  return fleet.db.query(`select s.resource_id, s.version from history s
    join payout p on p.workspace = s.workspace and p.id = s.resource_id
    cross join lateral (select k.at from history k
      where k.workspace = p.workspace and k.resource_id = p.account_id and k.machine = 'kyc'
        and k.version = (s.detail::json ->> 'kyc_version')::int + 1 limit 1) k
    where s.event in ('request', 'execute') and k.at < s.at`);
}

test('payouts that race on one wallet take exactly what it holds', async () => {
  const racers = 60 * ROUNDS;
  const held = Math.floor(racers / 4);
  const who = await person(held * AMOUNT + AMOUNT / 2);
  const replies = await race(fleet, racers, (api) => request(api, who));
  const refused = '400 PAYOUT_INSUFFICIENT_FUNDS';
  assert.deepEqual(refundedAmounts(replies), { 201: held, [refused]: racers - held });
  assert.equal((await clientAt(fleet, 0).money(who.account_id)).spendable, AMOUNT / 2);
  await proof(fleet);
});

test('executions and cancels of one payout: it is sent once or given back once', async () => {
  const who = await person(AMOUNT);
  for (let round = 0; round < 5 * ROUNDS; round += 1) {
    const id = idOf(await request(clientAt(fleet, round), who));
    const replies = await race(fleet, 20, (api, at) =>
      move(api, at % 2 === 0 ? 'PATCH' : 'DELETE', who, id),
    );
    const won = replies.filter(({ status }) => status === 200);
    assert.equal(won.length, 1, JSON.stringify(refundedAmounts(replies)));
    await proof(fleet);
    const { spendable } = await clientAt(fleet, round).money(who.account_id);
    const sent = (won[0]?.payload as PayoutSeen).status === 'CREDIT-TRANSFER-INITIATED';
    assert.equal(spendable, sent ? 0 : AMOUNT);
    if (sent) await clientAt(fleet, round).fund(who.account_id, AMOUNT);
  }
});

test('requests under one key make one payout and answer the same bytes', async () => {
  const who = await person(10 * AMOUNT);
  const key = newUuid();
  const replies = await race(fleet, 40 * ROUNDS, (api) => request(api, who, key));
  assert.deepEqual(refundedAmounts(replies), { 201: 40 * ROUNDS });
  assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
  assert.deepEqual(await standing(who), { 'FUNDS-IN-ESCROW': 1 });
  await proof(fleet);
});
