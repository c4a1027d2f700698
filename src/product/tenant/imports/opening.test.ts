// Opening balances: prepared whole or not at all, confirmed by an independent second operator, and
// booked once, however often the booking is interrupted or doubled.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accountId, newUuid } from '../../../core/ids.ts';
import { Refusal } from '../../../core/refusal.ts';
import { proofs } from '../../../catalogue.ts';
import { runProofs } from '../../../ledger/index.ts';
import { openBench, type Bench } from '../../../../test/kit/domain-bench.ts';
import { erasePerson } from '../../people/retention/index.ts';
import { accounts } from './accounts.ts';
import { importFile } from './import-file.ts';
import { laws } from './laws.ts';
import { bookBlock, openOpenings } from './opening-lines.ts';
import { cancel, confirm, listOpenings } from './openings.ts';
import { prepareFile, type FoundFile } from './prepare-opening.ts';
import type { RowRefusal } from './row-codes.ts';

const PEOPLE = 500;
const ADA = newUuid();
const BOB = newUuid();

let bench: Bench;
before(async () => {
  bench = await openBench();
  const rows = Array.from({ length: PEOPLE }, (_, n) => `u-${n},user-${n}`);
  const listener = { refused: () => assert.fail('a row was refused'), known() {} };
  const given = { place: bench.home, actor: 'operator', trial: false, listener };
  const text = ['account,username', ...rows].join('\n');
  await importFile(bench.services, bytesOf(text), { ...given, kind: accounts });
});
after(() => bench.close());

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

interface Prepared extends FoundFile {
  readonly codes: readonly string[];
}

interface Stated {
  readonly lines: number;
  readonly total: bigint;
  readonly trial?: boolean;
  readonly workspace?: number;
}

async function prepare(rows: readonly string[], stated: Stated): Promise<Prepared> {
  const why: RowRefusal[] = [];
  const { workspace } = bench.home;
  const file = {
    ...{ workspace, currency: 'USD', operator: ADA, actor: `operator:${ADA}` },
    ...{ trial: false, ...stated },
  };
  const text = ['account,currency,amount', ...rows].join('\n');
  const refuse = (one: RowRefusal): void => void why.push(one);
  const found = await prepareFile(bench.services, bytesOf(text), file, refuse);
  return { ...found, codes: why.map(({ line, column, code }) => `${line} ${column} ${code}`) };
}

const act = (id: string | null, operator: string) => {
  return { workspace: bench.home.workspace, id: id ?? '', operator };
};

const state = async (id: string | null): Promise<string | undefined> =>
  (await listOpenings(bench.db, bench.home.workspace)).find((one) => one.id === id)?.state;

async function lineCount(): Promise<number> {
  return (await bench.db.query('select from opening_line')).length;
}

async function balances(kind: 'wallet' | 'kept_back'): Promise<bigint> {
  const [row] = await bench.db.query<{ sum: string | null }>({
    text: `select sum(amount)::text as sum from balance b
      join ledger_account a using (workspace, id) where a.kind = $1`,
    values: [kind],
  });
  return BigInt(row?.sum ?? 0);
}

/** The account whose line has this amount. */
async function ownerOf(amount: bigint): Promise<string> {
  const [row] = await bench.db.query<{ account_id: string }>({
    text: `select w.account_id from opening_line l
      join wallet w on w.workspace = l.workspace and w.id = l.wallet_id where l.amount = $1`,
    values: [amount],
  });
  return row?.account_id ?? '';
}

async function refusedBy(code: string, work: Promise<unknown>): Promise<void> {
  await assert.rejects(work, (error) => {
    assert.ok(error instanceof Refusal);
    assert.equal(error.spec.code, code);
    return true;
  });
}

const whole = Array.from({ length: PEOPLE }, (_, n) => `u-${n},USD,${n + 1}`);
const TOTAL = BigInt((PEOPLE * (PEOPLE + 1)) / 2);

test('another count or total than stated, or a refused row, leaves no line', async () => {
  for (const stated of [{ lines: 499, total: TOTAL }, { lines: 500, total: TOTAL - 1n }]) {
    const found = await prepare(whole, stated);
    assert.deepEqual([found.id, found.rows, found.total], [null, PEOPLE, TOTAL]);
  }
  const rows = [
    ...['u-1,USD,10', 'u-1,USD,10', 'nobody,USD,1', 'u-2,EUR,1', 'u-3,USD,0', 'u-4,USD,-5'],
    ...['u-5,USD,1.50', 'u-6,USD,=1+1', 'u-7,USD,99999999999999', 'u-8,USD'],
  ];
  for (const trial of [true, false]) {
    const found = await prepare(rows, { lines: 10, total: 10n, trial });
    assert.deepEqual([found.id, found.rows, found.refused], [null, 10, 9]);
    assert.deepEqual(found.codes.toSorted(), [
      '10 amount INVALID_FIELD',
      '11  ROW_COLUMNS',
      '3 account BALANCE_OPENED',
      '4 account ACCOUNT_UNKNOWN',
      '5 currency CURRENCY_OTHER',
      '6 amount INVALID_FIELD',
      '7 amount INVALID_FIELD',
      '8 amount INVALID_FIELD',
      '9 amount INVALID_FIELD',
    ]);
  }
  assert.equal(await lineCount(), 0);
  const left = await listOpenings(bench.db, bench.home.workspace);
  assert.deepEqual(left.map((one) => one.state), ['cancelled', 'cancelled', 'cancelled']);
  await bench.proved();
});

test('a trial of a good file stores nothing', async () => {
  const before = await bench.db.query('select from history');
  const found = await prepare(whole, { lines: PEOPLE, total: TOTAL, trial: true });
  assert.deepEqual([found.id, found.refused, found.total], [null, 0, TOTAL]);
  assert.equal(await lineCount(), 0);
  assert.equal((await bench.db.query('select from history')).length, before.length);
});

test('what is cancelled frees its wallets; other tenants neither see nor touch it', async () => {
  const first = await prepare(whole, { lines: PEOPLE, total: TOTAL });
  const again = await prepare(whole, { lines: PEOPLE, total: TOTAL });
  assert.deepEqual([again.id, again.refused], [null, PEOPLE], 'each wallet is opened once');
  const theirs = { ...act(first.id, BOB), workspace: bench.other.workspace };
  await refusedBy('OPENING_NOT_FOUND', confirm(bench.services, theirs));
  await refusedBy('OPENING_NOT_FOUND', cancel(bench.services, theirs));
  assert.deepEqual(await listOpenings(bench.db, bench.other.workspace), []);
  const removed = bench.db.query('delete from opening_line');
  await assert.rejects(removed, /a line of an opening is removed/);
  await cancel(bench.services, act(first.id, ADA));
  assert.equal(await lineCount(), 0);
  await refusedBy('OPENING_NOT_WAITING', confirm(bench.services, act(first.id, BOB)));
  const foreign = await prepare(whole, {
    ...{ lines: PEOPLE, total: TOTAL, workspace: bench.other.workspace },
  });
  assert.deepEqual([foreign.id, foreign.refused], [null, PEOPLE], 'accounts of another tenant');
});

test('an independent second operator confirms, once; then each line is booked once', async () => {
  const { id } = await prepare(whole, { lines: PEOPLE, total: TOTAL });
  assert.equal(await state(id), 'prepared');
  await refusedBy('OPENING_SAME_PERSON', confirm(bench.services, act(id, ADA)));
  await refusedBy('OPENING_NOT_FOUND', confirm(bench.services, act(newUuid(), BOB)));
  await refusedBy('OPENING_NOT_FOUND', confirm(bench.services, act('no uuid', BOB)));
  assert.deepEqual(await openOpenings(bench.db, 10), [], 'nothing is booked before');
  await confirm(bench.services, act(id, BOB));
  await confirm(bench.services, act(id, BOB));
  await refusedBy('OPENING_NOT_WAITING', confirm(bench.services, act(id, newUuid())));
  await refusedBy('OPENING_NOT_WAITING', cancel(bench.services, act(id, ADA)));
  const [open] = await openOpenings(bench.db, 10);
  assert.ok(open);
  // Prepared as their own, restricted before it is booked, and not to be erased meanwhile. [G-38]
  const account = await ownerOf(1n);
  const kyc = { state: 'NODATA', kyc_requirements: 'FULL_KYC' };
  await bench.must('setAccountKYCState', { params: { account_id: accountId(account) }, body: kyc });
  const erasure = { account, reason: 'subject_request', actor: 'operator' };
  const { workspace } = bench.home;
  const erased = erasePerson(bench.services, { ...erasure, workspace });
  await refusedBy('PERSON_HAS_MONEY_UNDER_WAY', erased);
  const doubled = await Promise.all([1, 2, 3].map(() => bookBlock(bench.services, open)));
  assert.ok(doubled.every((one) => one === 'booking'));
  assert.equal(await balances('wallet'), BigInt((200 * 201) / 2) - 1n);
  assert.equal(await balances('kept_back'), 1n);
  await bench.proved();
  let now = 'booking';
  while (now !== 'booked') now = await bookBlock(bench.services, open);
  assert.equal(await bookBlock(bench.services, open), 'booked');
  assert.equal(await balances('wallet'), TOTAL - 1n);
  assert.deepEqual(await openOpenings(bench.db, 10), []);
  await bench.proved();
});

test('each law of openings sees its breach', async () => {
  const [opening] = await listOpenings(bench.db, bench.home.workspace);
  assert.equal(opening?.state, 'booked');
  const seen = async (breach: string): Promise<string[]> => {
    let found: string[] = [];
    await bench.db
      .transaction(async (tx) => {
        await tx.query(`set local session_replication_role = replica`);
        await tx.query({ text: breach, values: [opening?.id] });
        const results = await runProofs(tx, proofs);
        const broken = results.filter((law) => law.breaches > 0).map(({ name }) => name);
        found = broken.filter((name) => laws.some((law) => law.name === name));
        throw new Error('undone');
      })
      .catch((error: unknown) => assert.match(String(error), /undone/));
    return found;
  };
  assert.deepEqual(await seen('delete from opening_line where opening_id = $1 and line = 9'), [
    ...['openings_are_whole', 'openings_are_booked'],
  ]);
  const short = `update opening set booked = lines - 1, state = 'booking' where id = $1`;
  assert.deepEqual(await seen(short), ['openings_are_booked']);
  const more = 'update opening_line set amount = amount + 1 where opening_id = $1 and line = 9';
  assert.deepEqual(await seen(more), [
    ...['openings_are_whole', 'openings_are_booked', 'opening_lines_are_booked_once'],
  ]);
  assert.deepEqual(await seen(`update step set actor = 'x' where resource_id = $1`), [
    'openings_have_a_second_person',
  ]);
});
