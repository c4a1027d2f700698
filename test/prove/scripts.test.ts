// Processor failures end to end over HTTP: answers lost, late, broken, false, busy or about other
// money. Each payment ends as the processor's records say; where these contradict the order, nobody
// is credited until an operator decides. [M8, M13, M18, campaign U]
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { queueScript } from '../../src/sandbox/simulators/store/calls.ts';
import type { CounterpartyScenario } from '../../src/sandbox/ports/counterparties.ts';
import type { MethodPart } from '../kit/api.ts';
import { reconciled, sealed, settled } from '../kit/books.ts';
import { moved, moveEscrow, openEscrow, readEscrow } from '../kit/escrow.ts';
import { startPlatform, type Platform } from '../kit/platform.ts';
import { endings, type Ending } from '../faults/endings.ts';
import { listedOf, perform, until as within } from '../faults/listed.ts';

const FULL = process.env['HOLDFAST_SCRIPTS'] === 'full';
/** Payments for each bad day. */
const COUNT = Number(process.env['HOLDFAST_SCRIPT_COUNT'] ?? 1);
const END_WITHIN_MS = FULL ? 1_200_000 : 60_000;
const PRICE = 500;

let platform: Platform;
/** As they are listed, by name. */
let scenarios: ReadonlyMap<string, CounterpartyScenario> = new Map();
before(async () => {
  const settings = { HOLDFAST_PROCESSOR_TIMEOUT_MS: '2500', HOLDFAST_ESCROW_WAIT_MS: '500' };
  platform = await startPlatform({ settings });
  const found = await listedOf(platform.api, 'scenario');
  scenarios = new Map(found.map((one) => [one.name, one]));
});
after(() => platform?.stop());

/** Somebody who buys of somebody else, neither known to other tests. */
interface Trade {
  readonly seller: string;
  readonly methods: readonly MethodPart[];
  readonly more: object;
}

let trades = 0;

async function trade(ending: Ending): Promise<Trade> {
  const { api, db } = platform;
  trades += 1;
  const name = `trade_${trades}`;
  const { account_id } = await api.register(`${name}_buyer`);
  const seller = await api.register(`${name}_seller`);
  const payment_method_id = await api.attach(account_id, ending.card ?? 'visa');
  if (ending.steps === undefined) {
    const scenario = scenarios.get(ending.name);
    assert.ok(scenario !== undefined, `${ending.name} is not listed`);
    await perform(api, scenario, {}, { payment_method_id });
  } else {
    const rows = await db.query<{ workspace: number; token: string }>({
      text: 'select workspace, processor_token as token from payment_method where id = $1',
      values: [payment_method_id],
    });
    const { workspace = 0, token = '' } = rows[0] ?? {};
    const steps = ending.steps.map((step) => ({ times: 1, ...step, token }));
    await queueScript(db, 'processor', workspace, steps);
  }
  const recipients = [
    { amount: PRICE, currency: 'USD', destination_wallet_id: seller.wallet_id },
  ];
  const line = { amount: PRICE, currency: 'USD', transaction_type: 'user_to_user', recipients };
  const more = { account_id, line_items: [{ ...line, product_sku: 'sku' }] };
  return { seller: seller.account_id, methods: [{ payment_method_id }], more };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function until<T>(what: string, look: () => Promise<T | null>): Promise<T> {
  return within(what, END_WITHIN_MS, look);
}

/** What the processor moved for an invoice, as endings write it. */
async function linesOf(invoice: string): Promise<string[]> {
  const rows = await platform.db.query<{ kind: string; amount: bigint; currency: string }>({
    text: `select s.kind, s.amount, s.currency from processor_statement s
      where s.key in (select id::text from attempt where resource_id = $1
        union all select r.id::text from transfer r join attempt a
          on r.target = a.id::text where a.resource_id = $1)
      order by s.line`,
    values: [invoice],
  });
  return rows.map(({ kind, amount, currency }) => {
    const odd = currency !== 'USD' ? ` ${currency}` : amount === BigInt(PRICE - 1) ? ' less' : '';
    assert.ok(odd === ' less' || amount === BigInt(PRICE), `${kind} ${amount}`);
    return kind + odd;
  });
}

async function calls(invoice: string): Promise<{ all: number; sent: number }> {
  const rows = await platform.db.query<{ all: bigint; sent: bigint }>({
    text: `select coalesce(sum(times), 0)::bigint as all,
        coalesce(sum(times) filter (where operation = 'authorize'), 0)::bigint as sent
      from processor_exchange e join attempt a on a.id::text = e.key where a.resource_id = $1`,
    values: [invoice],
  });
  return { all: Number(rows[0]?.all), sent: Number(rows[0]?.sent) };
}

/** Has an operator give back what is in manual review for an invoice. */
async function decide(invoice: string): Promise<void> {
  const { api } = platform;
  type Open = { items: { id: string; resource_id: string; kind: string }[] };
  const item = await until('nothing is parked', async () => {
    const { items } = await api.must<Open>(200, 'payments', 'GET', '/v1/reconciliation');
    const found = items.find(({ resource_id }) => resource_id === invoice);
    return found?.kind === 'parked_charge' ? found : null;
  });
  const body = { decision: 'give_back' };
  const path = `/v1/reconciliation/${item.id}/resolve`;
  await api.must(200, 'payments', 'POST', path, { body });
}

/** The payment of an invoice after its bad day: as the ending says, and nobody has more or less. */
async function ended(ending: Ending, invoice: string, seller: string): Promise<void> {
  const { api } = platform;
  const holds = async (): Promise<number> => {
    const { spendable, kept } = await api.money(seller);
    return spendable + kept;
  };
  if (ending.ends === 'parked') {
    await decide(invoice);
    assert.equal(await holds(), 0, 'credited before a person decided');
  }
  const seen = await api.finished(invoice, END_WITHIN_MS);
  assert.equal(seen.state, ending.ends === 'success' ? 'success' : 'failed');
  assert.equal(seen.failure_code, ending.code);
  await until(`${ending.name} at the processor`, async () => {
    const lines = await linesOf(invoice);
    return lines.length >= ending.lines.length ? lines : null;
  });
  if (ending.lateMs !== undefined) await pause(ending.lateMs);
  assert.deepEqual(await linesOf(invoice), ending.lines);
  const { all, sent } = await calls(invoice);
  if (ending.calls !== undefined) assert.ok(all <= ending.calls, `${all} calls`);
  if (ending.sent !== undefined) assert.equal(sent, ending.sent, 'authorisations');
}

test('every scenario that is listed is played here, and ends as it is listed', () => {
  const twenty = new Map(endings(FULL).map((ending) => [ending.name, ending]));
  for (const { name, outcome, needs } of scenarios.values()) {
    const { ends, code, lines, card } = twenty.get(name) ?? assert.fail(`${name} is not played`);
    const parked = ends === 'parked';
    const moved = lines.map((line) => line.split(' ')[0]).slice(0, parked ? 1 : undefined);
    assert.deepEqual([outcome.state, outcome.moved, needs], [ends, moved, card ?? null], name);
    assert.equal(outcome.code, parked ? null : (code ?? null), name);
  }
});

describe('processor failures, all at once', { concurrency: true }, () => {
  for (const ending of endings(FULL)) {
    for (let n = 0; n < COUNT; n += 1) {
      test(`invoice: ${ending.name} ${n}`, () => sale(ending));
      if (ending.escrow) test(`escrow: ${ending.name} ${n}`, () => held(ending, n));
    }
  }
});

async function sale(ending: Ending): Promise<void> {
  const { api } = platform;
  const { seller, methods, more } = await trade(ending);
  const invoice = await api.created(api.sale(PRICE, methods, more));
  assert.equal((await api.pay(invoice)).status, 200);
  await ended(ending, invoice, seller);
  const { spendable, kept } = await api.money(seller);
  assert.equal(spendable + kept, ending.ends === 'success' ? PRICE : 0);
  if (!ending.lines.includes('return')) return;
  type Refunds = { reversals: Record<string, { kind: string; amount: number }> };
  const path = `/v2/invoice/${invoice}/refunds`;
  const [reversal] = await until('the return is booked', async () => {
    const { reversals } = await api.must<Refunds>(200, 'invoicing', 'GET', path);
    const all = Object.values(reversals);
    return all.length === 1 ? all : null;
  });
  assert.deepEqual([reversal?.kind, reversal?.amount], ['return', PRICE]);
  assert.equal((await api.read(invoice)).state, 'success');
}

/** Paid like an invoice; what is held is then paid on or given back. */
async function held(ending: Ending, n: number): Promise<void> {
  const { api } = platform;
  const { seller, methods, more } = await trade(ending);
  const { id, escrow_invoice_id } = await openEscrow(api, PRICE, methods, more);
  assert.equal((await moveEscrow(api, id, 'pay')).status, 200);
  await ended(ending, escrow_invoice_id, seller);
  const success = ending.ends === 'success';
  const { status } = await readEscrow(api, id);
  assert.equal(status, success ? 'ESCROWED' : 'ESCROW-FAILED');
  if (!success) return;
  const commit = (ending.name.length + n) % 2 === 0;
  if (commit) await moved(api, id, 'commit', 'COMMITTED');
  else {
    const { cancel_invoice_id } = await moved(api, id, 'cancel', 'CANCELLED');
    assert.equal((await api.finished(cancel_invoice_id, END_WITHIN_MS)).state, 'success');
    assert.deepEqual(await linesOf(escrow_invoice_id), [...ending.lines, 'refund']);
  }
  const { spendable, kept } = await api.money(seller);
  assert.equal(spendable + kept, commit ? PRICE : 0);
}

test('in the end the processor, the ledger and the statement say the same', async () => {
  const { api, db } = platform;
  await settled(db, END_WITHIN_MS);
  await sealed(db);
  await reconciled(db);
  type Open = { items: readonly { kind: string }[] };
  await until('something is open', async () => {
    const { items } = await api.must<Open>(200, 'payments', 'GET', '/v1/reconciliation');
    // What a bank took back waits for the integrator's money.
    return items.every(({ kind }) => kind === 'waiting_reversal') ? true : null;
  });
  const odd = await db.query(`select i.id from invoice i
    left join event e on e.workspace = i.workspace and e.resource_id = i.id
      and e.name = 'invoice-completed'
    where i.state in ('success', 'failed') group by i.workspace, i.id
    having count(e.event_id) <> 1`);
  assert.deepEqual(odd, [], 'an end that was told never or twice');
});
