// Statement and webhooks against deposits by card, with a processor that is only a list of rows:
// late and disagreeing ones, money without a row, work without a job, webhooks in disorder.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openBench, type Bench } from '../../../../test/kit/domain-bench.ts';
import { newUuid, uuidOfWireId } from '../../../core/ids.ts';
import { runProofs } from '../../../ledger/index.ts';
import type { Notice, Processor, StatementLine } from '../../../providers/processor/port.ts';
import { settleDeposit, sweep } from '../wallet/index.ts';
import { openItems, reconcileDue, wakeStatements, type ReconcilerParts } from './index.ts';
import { findDiscrepancy, matchLine, settleSecondCapture } from './discrepancy.ts';
import { laws } from './laws.ts';
import { takeNotice } from './api.ts';
import { advanceProved, alarmText } from './report.ts';
import { decidedItem } from './resolve.ts';
import { claimStatements, releaseStatement } from './statement.ts';

let bench: Bench;
let parts: ReconcilerParts;
let workspace = 0;
const book: StatementLine[] = [];
const faults: unknown[] = [];
/** Asked of the processor. */
let pages = 0;
before(async () => {
  bench = await openBench();
  workspace = bench.home.workspace;
  const statement: Processor['statement'] = async (of, after) => {
    if (of !== workspace) return { lines: [], cursor: '0', more: false };
    pages += 1;
    const from = Number(after ?? 0);
    const lines = book.slice(from, from + 1_000);
    return { lines, cursor: String(from + lines.length), more: lines.length === 1_000 };
  };
  const { engine, random, workspaces } = bench.services;
  const services = { engine, random, workspaces, processor: { statement } as Processor };
  parts = { services, db: bench.db, fault: (error) => faults.push(error) };
});
after(() => bench.close());

const AMOUNT = 500;

/** A deposit by card with its attempt in the given state; gives the attempt. */
async function charged(state: 'authorizing' | 'capturing' | 'captured' | 'declined') {
  const account_id = await bench.newAccount();
  const card = await bench.must<{ id: string }>('sandboxAttachCard', {
    body: { account_id, test_card: 'visa' },
  });
  const body = { account_id, payment_method_id: card.id, currency: 'USD', amount: AMOUNT };
  await bench.must('createDeposit', { body });
  const owner = uuidOfWireId('acct', account_id);
  const [row] = await bench.db.query<{ id: string }>({
    text: `select a.id from attempt a join deposit d on d.id = a.resource_id
      where d.account_id = $1`,
    values: [owner],
  });
  const id = row?.id ?? '';
  const held = { reference: `ch_${id}`, amount: BigInt(AMOUNT), currency: 'USD' };
  if (state === 'declined') {
    await settle(id, { state, reference: 'r', code: 'card_declined' });
    return id;
  }
  if (state !== 'authorizing') await settle(id, { state: 'authorized', ...held });
  if (state === 'captured') await settle(id, { state, ...held });
  return id;
}

type Outcome = Parameters<typeof settleDeposit.decide>[1]['outcome'];

function settle(attemptId: string, outcome: Outcome): Promise<unknown> {
  const submission = { workspace, actor: 'processor' };
  return bench.services.engine.run(settleDeposit, { attemptId, outcome }, submission);
}

function write(key: string, more: Partial<StatementLine> = {}): void {
  const row = String(book.length + 1);
  const what = { key, reference: `ch_${key}`, kind: 'capture', part: 1 } as const;
  const why = { reason: null, due_by: null, fee: 0n, available_at: null };
  book.push({ row, ...what, amount: BigInt(AMOUNT), currency: 'USD', ...why, ...more });
}

async function pass(): Promise<void> {
  await wakeStatements(bench.db, [workspace], 0);
  while ((await reconcileDue(parts)) > 0);
  assert.deepEqual(faults, []);
}

async function said(key: string): Promise<string[]> {
  const rows = await bench.db.query<{ said: string }>({
    text: `select concat_ws(' ', l.verdict, l.why, d.state) as said from statement_line l
      left join difference d on d.workspace = l.workspace and d.id = l.id
      where l.key = $1 order by l.line`,
    values: [key],
  });
  return rows.map((row) => row.said);
}

async function jobOf(id: string): Promise<{ tries: number; due: boolean } | undefined> {
  const rows = await bench.db.query<{ tries: number; due: boolean }>({
    text: `select tries, due <= clock_timestamp() as due from attempt_job where attempt_id = $1`,
    values: [id],
  });
  return rows[0];
}

/** Edits past the database's guards, as if time had gone by. */
async function aged(text: string, id: string): Promise<void> {
  await bench.db.transaction(async (tx) => {
    await tx.execute('set local session_replication_role = replica');
    await tx.execute({ text, values: [id] });
  });
}

async function proved(): Promise<void> {
  await bench.proved();
  const broken = (await runProofs(bench.db, laws)).filter((proof) => proof.breaches > 0);
  assert.deepEqual(broken, []);
}

test('a line is stored once and matched once, however often it is read', async () => {
  const id = await charged('captured');
  write(id);
  await Promise.all([pass(), pass()]);
  await bench.db.execute('update statement_cursor set cursor = null');
  await pass();
  assert.deepEqual(await said(id), ['matched captured']);
  const [{ id: lineId = '' } = {}] = await bench.db.query<{ id: string }>({
    text: 'select id from statement_line where key = $1',
    values: [id],
  });
  const again = { lineId, why: 'reversal' } as const;
  for (const command of [matchLine, findDiscrepancy]) {
    await bench.services.engine.run(command, again, { workspace, actor: 'processor' });
  }
  assert.deepEqual(await said(id), ['matched captured'], 'what is matched stays so');
});

test('a page that is not full is the last of its pass', async () => {
  await pass();
  await wakeStatements(bench.db, [workspace], 0);
  pages = 0;
  await reconcileDue(parts);
  assert.equal(pages, 1);
});

test('a line before our own answer has the key looked up, waits, and is matched', async () => {
  const id = await charged('capturing');
  await bench.db.execute(`update attempt_job set due = clock_timestamp() + interval '1 hour'`);
  write(id);
  await pass();
  assert.deepEqual(await said(id), ['waiting']);
  assert.deepEqual(await jobOf(id), { tries: 1, due: true });
  await bench.db.execute(`update attempt_job set due = clock_timestamp() + interval '1 hour'`);
  await pass();
  assert.deepEqual(await jobOf(id), { tries: 1, due: false }, 'not asked again at once');
  const held = { reference: `ch_${id}`, amount: BigInt(AMOUNT), currency: 'USD' };
  await settle(id, { state: 'captured', ...held });
  await pass();
  assert.deepEqual(await said(id), ['matched captured']);
  await proved();
});

test('what waits too long is shown as late, and explained when our books follow', async () => {
  const id = await charged('declined');
  write(id);
  await pass();
  const later = `update statement_line set seen = seen - interval '20 minutes' where key = $1`;
  await aged(later, id);
  await pass();
  assert.deepEqual(await said(id), ['difference late found']);
  const open = await openItems(bench.db, workspace, 10);
  assert.deepEqual([open[0]?.kind, open[0]?.why], ['difference', 'late']);
  assert.ok((open[0]?.age_seconds ?? 0) >= 1_200);
  const alarm = await alarmText(bench.db);
  assert.match(alarm, /^Reconciliation items need a person .*: difference [0-9a-f-]{36} 12\d\d s$/);
  const held = { reference: `ch_${id}`, amount: BigInt(AMOUNT), currency: 'USD' };
  await settle(id, { state: 'captured', ...held });
  await pass();
  assert.deepEqual(await said(id), ['matched parked explained']);
  await proved();
});

test('a second capture that is told before the first is known goes back later [U17]', async () => {
  const id = await charged('capturing');
  write(id);
  write(id, { part: 2 });
  await pass();
  await aged(`update statement_line set seen = seen - interval '20 minutes' where key = $1`, id);
  await pass();
  assert.deepEqual(await said(id), ['difference late found', 'difference late found']);
  const held = { reference: `ch_${id}`, amount: BigInt(AMOUNT), currency: 'USD' };
  await settle(id, { state: 'captured', ...held });
  await pass();
  const back = 'difference double_capture returning';
  assert.deepEqual(await said(id), ['matched captured explained', back]);
  const [sent] = await bench.db.query<{ id: string }>({
    text: `select r.id from transfer r join statement_line l on l.id = r.resource_id
      where l.key = $1`,
    values: [id],
  });
  const transferId = sent?.id ?? '';
  const outcome = { state: 'declined', reference: 'r', code: 'processing_error' } as const;
  const submission = { workspace, actor: 'processor' };
  await bench.services.engine.run(settleSecondCapture, { transferId, outcome }, submission);
  const item = (await openItems(bench.db, workspace, 10)).find((one) => one.id === transferId);
  assert.deepEqual([item?.kind, item?.why], ['parked_remittance', 'refused']);
  await proved();
});

test('another amount, currency or kind than our books say is a difference at once', async () => {
  for (const more of [{ amount: 499n }, { currency: 'EUR' }, { kind: 'payout' } as const]) {
    const id = await charged('captured');
    write(id, more);
    await pass();
    assert.deepEqual(await said(id), ['difference disagrees found']);
  }
  write(newUuid());
  write('no id of ours', { kind: 'refund' });
  await pass();
  assert.deepEqual(await said('no id of ours'), ['difference unknown_key found']);
  await proved();
});

test('the same line once more is money that moved once more, and is shown', async () => {
  const id = await charged('captured');
  write(id);
  write(id);
  await pass();
  assert.deepEqual(await said(id), ['matched captured', 'difference repeated found']);
  write(id, { kind: 'chargeback' });
  write(id, { kind: 'chargeback' });
  await pass();
  const [, , first, second] = await said(id);
  assert.deepEqual([first, second], ['matched reversal', 'difference repeated found']);
  await proved();
});

test('a person decides by what the processor says where the charge was made', async () => {
  const id = await charged('captured');
  const connection = newUuid();
  await bench.db.execute({
    text: 'update attempt set connection_id = $2 where id = $1',
    values: [id, connection],
  });
  write(id);
  write(id, { part: 2 });
  await pass();
  const [sent] = await bench.db.query<{ id: string }>({
    text: 'select id from transfer where target = $1',
    values: [id],
  });
  for (const one of [id, sent?.id ?? '']) {
    const item = await decidedItem(bench.db, workspace, one);
    assert.deepEqual([item?.connection, item?.reference], [connection, `ch_${id}`]);
  }
});

test('a dispute goes on as the statement tells, in any order, each line once [G-93]', async () => {
  const stands = async (id: string): Promise<string[]> => {
    const rows = await bench.db.query<{ said: string }>({
      text: `select d.state || ' ' || v.state as said from dispute d join reversal v
        on v.workspace = d.workspace and v.id = d.reversal_id where d.reference = 'ch_' || $1`,
      values: [id],
    });
    return rows.map((row) => row.said);
  };
  const [id, other] = [await charged('captured'), await charged('captured')];
  for (const key of [id, other]) write(key);
  write(id, { kind: 'dispute_won' });
  await pass();
  assert.deepEqual(await said(id), ['matched captured', 'waiting'], 'it waits for its opening');
  write(id, { kind: 'chargeback', reason: 'fraudulent' });
  write(other, { kind: 'chargeback' });
  await pass();
  assert.deepEqual(await stands(other), ['needs_response received']);
  await pass();
  assert.deepEqual(await stands(id), ['won given_back']);
  for (const kind of ['dispute_won', 'dispute_lost', 'dispute_under_review'] as const) {
    write(id, { kind });
  }
  write(other, { kind: 'dispute_won', amount: 499n });
  write(other, { kind: 'dispute_lost' });
  await pass();
  assert.deepEqual(await said(id), [
    ...['matched captured', 'matched dispute', 'matched reversal'],
    ...['difference repeated found', 'difference disagrees found', 'matched dispute'],
  ]);
  assert.deepEqual(await stands(id), ['won given_back'], 'what came late changed nothing');
  const [, , part] = await said(other);
  assert.equal(part, 'difference disagrees found', 'a dispute ends whole');
  assert.deepEqual(await stands(other), ['lost received']);
  await proved();
});

test('money that our books moved has its line within the hour, or is shown', async () => {
  const id = await charged('captured');
  const missing = async (): Promise<string[]> =>
    (await openItems(bench.db, workspace, 100)).flatMap((item) =>
      item.kind === 'missing_line' ? [item.id] : [],
    );
  await advanceProved(bench.db);
  const before = await missing();
  assert.ok(!before.includes(id), 'not yet');
  await aged(`update attempt set updated = updated - interval '2 hours' where id = $1`, id);
  await bench.db.execute(`update statement_cursor set proved = '-infinity'`);
  await advanceProved(bench.db);
  assert.deepEqual(await missing(), [...before, id]);
  await advanceProved(bench.db);
  assert.deepEqual(await missing(), [...before, id], 'the mark does not pass it');
  write(id);
  await pass();
  await advanceProved(bench.db);
  assert.deepEqual(await missing(), before);
});

test('work without a job gets one, and is looked up before anything is sent', async () => {
  const open = await charged('authorizing');
  const ended = await charged('captured');
  await bench.db.execute('delete from attempt_job');
  assert.ok((await sweep(bench.db)) >= 1);
  assert.deepEqual(await jobOf(open), { tries: 1, due: true });
  assert.equal(await jobOf(ended), undefined);
  assert.equal(await sweep(bench.db), 0);
});

test('one process reads a statement; what wakes it meanwhile is not lost', async () => {
  await bench.db.execute('update statement_cursor set due = clock_timestamp()');
  const claims = await Promise.all(
    [newUuid(), newUuid(), newUuid()].map((lease) => claimStatements(bench.db, lease)),
  );
  const mine = claims.flat().filter((claim) => claim.workspace === workspace);
  assert.equal(mine.length, 1);
  assert.deepEqual(await claimStatements(bench.db, newUuid()), []);
  await wakeStatements(bench.db, [workspace], 0);
  assert.deepEqual(await claimStatements(bench.db, newUuid()), [], 'not while it is read');
  for (const claim of claims.flat()) await releaseStatement(bench.db, claim, 'quiet');
  const again = await claimStatements(bench.db, newUuid());
  assert.deepEqual(again.map((claim) => claim.workspace), [workspace]);
  for (const claim of again) await releaseStatement(bench.db, claim, 'quiet');
});

test('notices in disorder and again: the book is asked, nothing else [EV6]', async () => {
  const ids = [await charged('capturing'), await charged('captured'), await charged('declined')];
  await bench.db.execute('delete from attempt_job');
  const keys = [...ids, newUuid(), 'nobody', ''];
  const notices: Notice[] = keys.flatMap((key, at) =>
    (['charge', 'remittance', 'statement'] as const).flatMap((about) =>
      Array.from({ length: 10 }, (_, n) => ({ workspace, id: `${about}_${at}_${n % 5}`, key, about
        })),
    ),
  );
  const seenBy = `select sum(hashtext(t::text)) as sum from (
    select p::text from posting p union all select s::text from history s
    union all select a::text from attempt a union all select d::text from deposit d) t`;
  const before = await bench.db.query(seenBy);
  const shuffled = notices.map((notice, at) => ({ notice, at: (at * 7_919) % notices.length }));
  shuffled.sort((a, b) => a.at - b.at);
  await Promise.all(shuffled.map(({ notice }) => takeNotice(bench.db, notice)));
  assert.deepEqual(await bench.db.query(seenBy), before);
  const [open = '', ended = '', declined = ''] = ids;
  assert.deepEqual(await jobOf(open), { tries: 1, due: true });
  assert.deepEqual(await jobOf(declined), { tries: 1, due: true });
  assert.equal(await jobOf(ended), undefined, 'nothing can change any more');
  await bench.db.execute('delete from attempt_job');
  await Promise.all(notices.map((notice) => takeNotice(bench.db, notice)));
  assert.equal(await jobOf(open), undefined, 'a repetition does nothing');
});
