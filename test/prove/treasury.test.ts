// Thirty simulated days at the sandbox's processor with fees, availability dates and daily
// transfers to the bank: sales, refunds, disputes and payouts. What our books say lies at the
// processor is its own balance, to the cent. [G-91]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  confirmProviderPayout,
  providerPayoutsUnderWay,
  readStanding,
} from '../../src/product/money/treasury/index.ts';
import { processorKey } from '../../src/sandbox/simulators/processor/index.ts';
import { proved } from '../kit/books.ts';
import { engineOn } from '../kit/engine.ts';
import { clockOf, DAY, type Clocks } from '../api/clocks.ts';
import { startPlatform } from '../api/kit.ts';
import { pause } from '../api/market.ts';
import type { Invoice } from '../api/records.ts';
import { RefundScene } from '../api/refund-scene.ts';

const DAYS = 30;
const WAIT_MS = 20_000;
const TERMS = {
  ...{ fee_basis_points: 290, fee_fixed: 30, dispute_fee: 1_500, monthly_fee: 700 },
  ...{ delay_days: 2, bank_above: 9_000 },
};
/** Percentages that leave a rest. */
const AMOUNTS = [4_321, 12_345] as const;

let scene: RefundScene;
let clock: Clocks;
let card = '';
let wallet = '';
let destination = '';
before(async () => {
  scene = new RefundScene(await startPlatform());
  clock = clockOf(scene.platform.api);
  await scene.fund(100_000);
  card = await scene.card();
  wallet = (await scene.platform.api.walletOf(seller().account_id)).method;
  destination = await scene.platform.api.attach(seller().account_id, 'bank');
});
after(() => scene?.platform.stop());

const seller = () => scene.platform.ready.accounts.seller;
const post = <T>(path: string, body: object): Promise<T> =>
  scene.platform.api.must(201, 'invoicing', 'POST', path, { body });
const outside = (event: string, id: string): Promise<unknown> =>
  post('/sandbox/outside_events', { event, id });
const sold = (amount: number): Promise<Invoice> =>
  scene.sold([amount], [{ payment_method_id: card }], 100);

interface Balance {
  readonly currency: string;
  readonly pending: string;
  readonly available: string;
  readonly fees: string;
  readonly sent_to_bank: string;
}

/** The processor's own balance. */
async function atProcessor(): Promise<Balance> {
  const token = processorKey(scene.platform.keys, 1);
  const reply = await scene.platform.api.send('processor', 'GET', '/v1/balance', { token });
  const { balances } = JSON.parse(reply.text) as { readonly balances: readonly Balance[] };
  return balances.find(({ currency }) => currency === 'USD') as Balance;
}

/** Our books in USD by kind, as a person counts: where money lies it is positive. */
async function books(): Promise<Readonly<Record<string, bigint>>> {
  const standings = await readStanding(scene.platform.db);
  const usd = standings.find(({ currency, workspace }) => currency === 'USD' && workspace === 1);
  assert.equal(usd?.off, 0n);
  const kinds = [...usd.lies, ...usd.owed, ...usd.own].map(({ kind, amount }) => [kind, amount]);
  const free = usd.free.map(({ place, amount }) => [`free at ${place}`, amount]);
  return Object.fromEntries([...kinds, ...free]) as Record<string, bigint>;
}

/** What the books say is what the processor says. */
async function agrees(): Promise<void> {
  const { pending, available, fees, sent_to_bank } = await atProcessor();
  const ours = await books();
  const sum = (...kinds: string[]): bigint =>
    kinds.reduce((all, kind) => all + (ours[kind] ?? 0n), 0n);
  assert.deepEqual(
    {
      pending: String(sum('processor_clearing')),
      available: String(sum('processor_available')),
      fees: String(-sum('processor_fees', 'unreturned_fees', 'dispute_fees')),
      sent_to_bank: String(sum('in_transit', 'bank')),
    },
    { pending, available, fees, sent_to_bank },
  );
}

/** The transfers of the processor that the books show under way. */
async function underWay(): Promise<readonly { id: string; reference: string; amount: bigint }[]> {
  return scene.platform.db.query({
    text: `select id, reference, -amount as amount from settlement where state = 'in_transit'
      order by reference`,
  });
}

/** Books what the bank's statement would show. */
async function arrive(): Promise<void> {
  const { db } = scene.platform;
  const engine = engineOn(db, db);
  for (const { id, reference, amount } of await underWay()) {
    const bankRow = { currency: 'USD', amount, reference: `SEPA CREDIT ${reference} PROCESSOR` };
    assert.deepEqual(await providerPayoutsUnderWay(db, 1, bankRow), [{ id, reference }]);
    for (const [given, told] of [[amount + 1n, false], [amount, true], [amount, false]] as const) {
      const arrival = { settlementId: id, amount: given, currency: 'USD' };
      const by = { workspace: 1, actor: 'operator' };
      assert.equal((await engine.run(confirmProviderPayout, arrival, by)).payload, told);
    }
  }
  await engine.stop();
}

/** Asks to pay out; gives its id. */
async function request(amount: number): Promise<string> {
  type Made = { readonly payout_status_id: string };
  const body = {
    source_payment_method_id: wallet,
    ...{ destination_payment_method_id: destination, amount, currency: 'USD' },
  };
  return (await post<Made>(`/v2/${seller().account_id}/payout`, body)).payout_status_id;
}

/** Sends a payout until it is paid; false where money is not available yet. */
async function send(id: string): Promise<boolean> {
  const path = `/v2/${seller().account_id}/payout/${id}`;
  const reply = await scene.platform.api.send('invoicing', 'PATCH', path);
  if (reply.status === 200) {
    // What is still on its way at midnight might find the money on its way to our bank.
    for (const end = Date.now() + WAIT_MS; ; await pause()) {
      const answer = scene.platform.api.must<{ status: string }>(200, 'invoicing', 'GET', path);
      const { status } = await answer;
      if (status === 'SUCCESS') return true;
      assert.ok(Date.now() < end, `a payout is ${status}`);
    }
  }
  assert.deepEqual([reply.status, reply.code], [400, 'PAYOUT_WAITS_FOR_MONEY']);
  return false;
}

test('thirty days with fees, refunds, disputes and payouts reconcile to the cent', async () => {
  await sold(5_000);
  await post('/sandbox/settlement_terms', TERMS);
  const waiting: string[] = [];
  const counts = { waited: 0, sent: 0 };
  for (let day = 0; day < DAYS; day += 1) {
    const today: Invoice[] = [];
    for (const amount of AMOUNTS) today.push(await sold(amount + day));
    // Before what the processor takes today: it knows of that first, and would decline.
    waiting.push(await request(7_000 + day));
    counts.sent += await sendAll(waiting);
    if (waiting.length > 0) counts.waited += 1;
    await trouble(day, today as [Invoice, Invoice]);
    await clock.move({ advance_seconds: DAY });
    if (day === 10) await outside('return', (await underWay())[0]?.reference ?? '');
    else if (day % 3 === 0) await arrive();
  }
  await clock.move({ advance_seconds: 4 * DAY });
  await agrees();
  assert.ok(counts.waited > 2 && counts.sent > 15, JSON.stringify(counts));
  await everyRowIsExplained();
  const { pending, fees } = await atProcessor();
  assert.equal(pending, '0');
  assert.ok(BigInt(fees) > 0n);
});

/** Sends what is covered, the oldest first; gives how many. */
async function sendAll(waiting: string[]): Promise<number> {
  let sent = 0;
  while (waiting[0] !== undefined && (await send(waiting[0]))) {
    waiting.shift();
    sent += 1;
  }
  return sent;
}

const disputed: string[] = [];

/** What goes wrong on a day: refunds, whole and in parts, and disputes, lost and won. */
async function trouble(day: number, [small, large]: readonly [Invoice, Invoice]): Promise<void> {
  if (day % 4 === 1) await scene.refund(small.invoice_id);
  if (day % 5 === 2) {
    const line = scene.lines(large).get(AMOUNTS[1] + day) ?? '';
    for (const part of [333, 667]) await scene.refundLine(line, part);
  }
  if (day % 8 === 3) {
    await outside('chargeback', large.invoice_id);
    disputed.push(large.invoice_id);
  }
  if (day % 8 !== 6) return;
  await outside(day % 16 === 6 ? 'dispute_lost' : 'dispute_won', disputed.pop() ?? '');
}

/** Each statement row is booked and matched, and no payout was ever declined for lack of money. */
async function everyRowIsExplained(): Promise<void> {
  const rows = await scene.platform.db.query<{ kind: string; open: bigint; all: bigint }>({
    text: `select kind, count(*) filter (where verdict <> 'matched' or not booked) as open,
        count(*) as all from statement_line group by kind order by kind`,
  });
  assert.deepEqual(
    rows.filter(({ open }) => open > 0n),
    [],
  );
  const kinds = rows.map(({ kind }) => kind);
  for (const kind of ['refund', 'chargeback', 'dispute_lost', 'dispute_won', 'payout', 'fee']) {
    assert.ok(kinds.includes(kind), kind);
  }
  assert.ok(kinds.includes('provider_payout') && kinds.includes('provider_payout_returned'));
  const declined = await scene.platform.db.query(
    `select from transfer where purpose = 'payout' and state = 'declined'`,
  );
  assert.equal(declined.length, 0);
  await proved(scene.platform.db);
}
