// Where money lies, with a processor that is only a list of rows: repeated, late, reordered and
// foreign ones, transfers to the bank that are not covered, and payouts that share what there is.
// [G-91]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openBench, type Bench } from '../../../../test/kit/domain-bench.ts';
import { engineOn } from '../../../../test/kit/engine.ts';
import { Payouts, type Person } from '../../../../test/kit/payouts.ts';
import { dueRows } from '../../../engine/index.ts';
import { newUuid, uuidOfWireId } from '../../../core/ids.ts';
import type { Instant } from '../../../core/time.ts';
import type { Processor, StatementLine } from '../../../providers/processor/port.ts';
import { executePayout } from '../payout/index.ts';
import { reconcileDue, wakeStatements, type ReconcilerParts } from '../reconciliation/index.ts';
import { settleDeposit } from '../wallet/index.ts';
import { bookStatementRow, openFunds, settleDue, settlementTable } from './index.ts';
import { readStanding } from './read.ts';

const DAY = 86_400;

let bench: Bench;
let payouts: Payouts;
let parts: ReconcilerParts;
let workspace = 0;
const book: StatementLine[] = [];
const faults: unknown[] = [];
before(async () => {
  bench = await openBench();
  payouts = new Payouts(bench);
  workspace = bench.home.workspace;
  const statement: Processor['statement'] = async (of, cursor) => {
    const lines = of === workspace ? book.slice(Number(cursor ?? 0)) : [];
    return { lines, cursor: String(of === workspace ? book.length : 0), more: false };
  };
  const { engine, random, workspaces } = bench.services;
  const services = { engine, random, workspaces, processor: { statement } as Processor };
  parts = { services, db: bench.db, fault: (error) => faults.push(error) };
});
after(() => bench.close());

const by = () => ({ workspace, actor: 'test' });

/** A deposit by card that is captured; gives its attempt. */
async function captured(amount: number): Promise<string> {
  const account_id = await bench.newAccount();
  const card = await bench.must<{ id: string }>('sandboxAttachCard', {
    body: { account_id, test_card: 'visa' },
  });
  const body = { account_id, payment_method_id: card.id, currency: 'USD', amount };
  await bench.must('createDeposit', { body });
  const [{ id: attemptId = '' } = {}] = await bench.db.query<{ id: string }>({
    text: `select a.id from attempt a join deposit d on d.id = a.resource_id
      where d.account_id = $1`,
    values: [uuidOfWireId('acct', account_id)],
  });
  const held = { reference: `ch_${attemptId}`, amount: BigInt(amount), currency: 'USD' };
  for (const state of ['authorized', 'captured'] as const) {
    const outcome = { state, ...held };
    await bench.services.engine.run(settleDeposit, { attemptId, outcome }, by());
  }
  return attemptId;
}

type Row = Partial<StatementLine> & Pick<StatementLine, 'kind' | 'amount'>;

/** Writes a row of the statement. */
function write(key: string, told: Row): void {
  const row = String(book.length + 1);
  const usual = { key, reference: key, part: 1, currency: 'USD', reason: null, due_by: null };
  book.push({ row, ...usual, fee: 0n, available_at: null, ...told });
}

/** Reads the statement, after so many seconds by the workspace's clock. */
async function pass(seconds = 0): Promise<void> {
  await payouts.pass(seconds);
  for (const { id } of await dueRows(bench.db, settlementTable, 50)) {
    await bench.services.engine.run(settleDue, { id }, by());
  }
  await wakeStatements(bench.db, [workspace], 0);
  while ((await reconcileDue(parts)) > 0);
  assert.deepEqual(faults, []);
}

/** The workspace's time, so many seconds from now. */
async function at(seconds: number): Promise<Instant> {
  const [row] = await bench.db.query<{ at: Instant }>({
    text: 'select workspace_now($1) + make_interval(secs => $2) as at',
    values: [workspace, seconds],
  });
  return row?.at ?? '';
}

/** Of each row of a reference: the verdict, and where its settlement stands. */
async function said(reference: string): Promise<string[]> {
  const rows = await bench.db.query<{ said: string }>({
    text: `select concat_ws(' ', l.verdict, l.why,
        case when l.booked then s.state else 'unbooked' end) as said
      from statement_line l
      left join settlement s on s.workspace = l.workspace and s.line_id = l.id
      where l.reference = $1 order by l.line`,
    values: [reference],
  });
  return rows.map((row) => row.said);
}

/** Money by kind of account, of USD, and what payouts may take. */
async function money(): Promise<Record<string, bigint>> {
  const all = await readStanding(bench.db);
  const usd = all.find((one) => one.workspace === workspace && one.currency === 'USD');
  assert.equal(usd?.off, 0n);
  const kinds = [...usd.lies, ...usd.own].map(({ kind, amount }) => [kind, amount] as const);
  const free = usd.free.map(({ place, amount }) => [`free at ${place}`, amount] as const);
  return Object.fromEntries([...kinds, ...free]);
}

/** How the sums changed since; what did not is left out. */
async function change(before: Record<string, bigint>): Promise<Record<string, bigint>> {
  const now = await money();
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  const changes = names.map((name) => [name, (now[name] ?? 0n) - (before[name] ?? 0n)] as const);
  return Object.fromEntries(changes.filter(([, amount]) => amount !== 0n));
}

test('without a fee, a date or own money nothing is booked, and no payout waits', async () => {
  const id = await captured(5_000);
  write(id, { kind: 'capture', amount: 5_000n });
  await pass();
  assert.deepEqual(await said(id), ['matched captured unbooked']);
  const who = await payouts.person();
  await payouts.said(await payouts.execute(who, await payouts.asked(who)), 'declined');
  assert.equal((await bench.db.query('select from funds')).length, 0);
  await bench.proved();
});

test('a fee is booked at once and the money at its date, each once, with all before', async () => {
  const id = await captured(10_000);
  const before = await money();
  write(id, { kind: 'capture', amount: 10_000n, fee: 320n, available_at: await at(2 * DAY) });
  await Promise.all([pass(), pass()]);
  await bench.db.execute('update statement_cursor set cursor = null');
  await pass();
  assert.deepEqual(await said(id), ['matched captured pending']);
  const old = { processor_available: 5_000n, 'free at processor': 5_000n };
  const fee = { processor_clearing: -5_320n, processor_fees: -320n };
  assert.deepEqual(await change(before), { ...fee, ...old }, 'the row from before is available');
  await pass(2 * DAY - 60);
  assert.deepEqual(await said(id), ['matched captured pending']);
  const pending = await money();
  await pass(60);
  await pass();
  assert.deepEqual(await said(id), ['matched captured available']);
  assert.deepEqual(await change(pending), {
    ...{ processor_clearing: -9_680n, processor_available: 9_680n, 'free at processor': 9_680n },
  });
  await bench.proved();
});

test('a refund before its capture, and one that gives a part of the fee back', async () => {
  const [early, partly] = [await captured(2_000), await captured(2_000)];
  const before = await money();
  const refund = async (key: string, amount: bigint, fee: bigint): Promise<void> => {
    write(key, { kind: 'refund', amount, fee, reference: newUuid() });
    await pass();
  };
  const late = await at(-DAY);
  await refund(early, 500n, 0n);
  assert.deepEqual((await change(before))['unreturned_fees'], undefined);
  for (const key of [early, partly]) {
    write(key, { kind: 'capture', amount: 2_000n, fee: 90n, available_at: late });
  }
  await pass();
  assert.deepEqual(await said(partly), ['matched captured available'], 'its date was long ago');
  await refund(partly, 1_000n, -10n);
  const { processor_fees, unreturned_fees } = await change(before);
  // A quarter of 90 rounded down; half of 90 less what was given back.
  assert.deepEqual([unreturned_fees, processor_fees], [-57n, -180n + 10n + 57n]);
});

test('a row in a foreign or another currency leaves the books alone', async () => {
  const id = await captured(3_000);
  await pass();
  const before = await money();
  write(id, { kind: 'capture', amount: 3_000n, currency: 'EUR', fee: 7n });
  write('yen', { kind: 'fee', amount: 100n, currency: 'JPY' });
  await pass();
  assert.deepEqual(await said(id), ['difference disagrees unbooked']);
  assert.deepEqual(await said('yen'), ['waiting unbooked']);
  await pass(700);
  assert.deepEqual(await said('yen'), ['difference late unbooked']);
  assert.deepEqual(await change(before), {});
});

test('a transfer to our bank waits until it is covered; a repetition is never booked', async () => {
  const before = await money();
  const sum = (before['processor_available'] ?? 0n) + 1_000n;
  write('po_1', { kind: 'provider_payout', amount: sum });
  write('po_1', { kind: 'provider_payout', amount: sum });
  await pass();
  assert.deepEqual(await said('po_1'), ['waiting unbooked', 'difference repeated unbooked']);
  assert.deepEqual(await change(before), {});
  const id = await captured(1_000);
  write(id, { kind: 'capture', amount: 1_000n });
  await pass();
  await pass();
  assert.equal((await said('po_1'))[0], 'matched own_money in_transit');
  const { in_transit, processor_available } = await change(before);
  assert.deepEqual([in_transit, processor_available], [sum, -sum + 1_000n]);
  write('po_1', { kind: 'provider_payout_returned', amount: sum + 1n });
  await pass();
  assert.equal((await said('po_1'))[2], 'waiting unbooked', 'another sum brings nothing back');
  write('po_1', { kind: 'provider_payout_returned', amount: sum, part: 2 });
  await pass();
  assert.deepEqual(
    [(await said('po_1'))[0], (await said('po_1'))[3]],
    ['matched own_money returned', 'matched own_money available'],
  );
  await bench.proved();
});

test('what left for our bank before a dispute took it is booked as a discrepancy', async () => {
  await leave(2_000n);
  const id = await captured(1_000);
  write(id, { kind: 'capture', amount: 1_000n });
  await pass();
  const before = await money();
  write(id, { kind: 'chargeback', amount: 1_000n, reference: newUuid() });
  write('po_2', { kind: 'provider_payout', amount: 3_000n });
  await pass();
  assert.deepEqual(await said('po_2'), ['waiting unbooked']);
  await pass(700);
  assert.deepEqual(await said('po_2'), ['matched own_money in_transit']);
  const [found] = await bench.db.query<{ why: string; state: string }>(
    `select d.why, d.state from difference d join statement_line l using (workspace, id)
      where l.reference = 'po_2'`,
  );
  assert.deepEqual(found, { why: 'exceeds_available', state: 'explained' });
  const now = await money();
  assert.equal(now['free at processor'], -1_000n);
  assert.equal((now['in_transit'] ?? 0n) - (before['in_transit'] ?? 0n), 3_000n);
  const more = await captured(1_000);
  write(more, { kind: 'capture', amount: 1_000n });
  await pass();
  await bench.proved();
});

/** Has so much available for payouts, and no more. */
async function leave(amount: bigint): Promise<void> {
  const free = (await money())['free at processor'] ?? 0n;
  if (free > amount) write(newUuid(), { kind: 'fee', amount: free - amount });
  else {
    const id = await captured(Number(amount - free));
    write(id, { kind: 'capture', amount: amount - free });
  }
  await pass();
  assert.equal((await money())['free at processor'] ?? 0n, amount);
}

/** What the history says of why a payout is held back. */
async function heldBackBy(id: string): Promise<string | undefined> {
  const [row] = await bench.db.query<{ why: string }>({
    text: `select detail::json ->> 'held_back_by' as why from history
      where resource_id = $1 and event = 'hold_back'`,
    values: [id],
  });
  return row?.why;
}

test('a payout waits for available money, with the reason in its history', async () => {
  await leave(989n);
  const who = await payouts.person();
  const id = await payouts.asked(who);
  const refused = await payouts.on('executePayout', who, id);
  assert.deepEqual([refused.status, refused.code], [400, 'PAYOUT_WAITS_FOR_MONEY']);
  await payouts.pass(3_700);
  assert.equal((await payouts.seen(who, id)).status, 'FUNDS-IN-ESCROW-ON-HOLD');
  assert.equal(await heldBackBy(id), 'PAYOUT_WAITS_FOR_MONEY');
  await leave(990n);
  await payouts.pass(3_700);
  assert.equal((await payouts.seen(who, id)).status, 'CREDIT-TRANSFER-INITIATED');
  assert.equal((await money())['free at processor'], 0n);
  const sent = await payouts.sentWith(id);
  await payouts.said(sent, 'paid');
  const before = await money();
  write(sent, { kind: 'payout', amount: 990n, fee: 25n });
  await pass();
  const spent = { processor_available: -1_015n, 'free at processor': -25n, processor_fees: -25n };
  assert.deepEqual(await change(before), { ...spent, processor_clearing: 990n });
  await bench.proved();
});

test('a declined payout gives its money back, a retried one keeps it', async () => {
  await leave(1_000n);
  const who = await payouts.person();
  const id = await payouts.asked(who);
  const first = await payouts.execute(who, id);
  assert.equal((await money())['free at processor'], 10n);
  for (const _ of [1, 2]) await payouts.said(first, 'declined');
  assert.equal((await money())['free at processor'], 1_000n);
  const second = await payouts.execute(who, id);
  await payouts.said(second, 'paid', { amount: 1n });
  const newId = newUuid();
  await payouts.said(second, 'retry_decided', { newId });
  assert.equal((await money())['free at processor'], 10n);
  await payouts.said(newId, 'paid');
  write(newId, { kind: 'payout', amount: 990n });
  await pass();
  assert.equal((await money())['free at processor'], 10n);
  await bench.proved();
});

test('of payouts sent at once by two processes as many go as there is money', async () => {
  await leave(2n * 990n);
  const people: Person[] = [];
  for (let n = 0; n < 6; n += 1) people.push(await payouts.person());
  const asked = await Promise.all(people.map((who) => payouts.asked(who)));
  const engines = [engineOn(bench.db, bench.db), engineOn(bench.db, bench.db)];
  const ends = await Promise.allSettled(
    people.map((who, n) => {
      const account = uuidOfWireId('acct', who.account_id) ?? '';
      const choice = { account, payoutId: asked[n] ?? '', transferId: newUuid() };
      return (engines[n % 2] as (typeof engines)[0]).run(executePayout, choice, by());
    }),
  );
  assert.equal(ends.filter(({ status }) => status === 'fulfilled').length, 2);
  const codes = ends.map((end) => end.status === 'rejected' && end.reason.spec.code);
  assert.deepEqual(new Set(codes), new Set([false, 'PAYOUT_WAITS_FOR_MONEY']));
  assert.equal((await money())['free at processor'], 0n);
  await Promise.all(engines.map((engine) => engine.stop()));
  await bench.proved();
});

test('rows and funds are booked and opened once, by whichever process comes first', async () => {
  const id = await captured(700);
  await pass();
  write(id, { kind: 'capture', amount: 700n, fee: 9n, available_at: await at(DAY) });
  const before = await money();
  const engines = [engineOn(bench.db, bench.db), engineOn(bench.db, bench.db)];
  await Promise.all(
    engines.map((engine) => engine.run(openFunds, { place: 'bank', currency: 'EUR' }, by())),
  );
  await pass();
  const [row] = await bench.db.query<{ id: string }>({
    text: 'select id from statement_line where reference = $1',
    values: [id],
  });
  const facts = {
    ...{ id: row?.id ?? '', reference: id, amount: 700n, currency: 'USD', fee: 9n },
    ...{ available_at: null, charge_id: id, transfer_id: null, overdue: false },
    kind: 'capture' as const,
  };
  const again = await Promise.all(engines.map((one) => one.run(bookStatementRow, facts, by())));
  assert.deepEqual(
    again.map(({ payload }) => payload),
    [true, true],
  );
  assert.deepEqual(await change(before), { processor_fees: -9n, processor_clearing: -9n });
  await Promise.all(engines.map((engine) => engine.stop()));
  await bench.proved();
});
