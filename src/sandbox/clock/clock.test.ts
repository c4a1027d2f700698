// One mutex for each clock, whoever asks; due items are read in order, each by its own time;
// advancing the clock brings forward what waits in real time.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openBench, type Bench } from '../../../test/kit/domain-bench.ts';
import { engineRefusals } from '../../engine/index.ts';
import { newUuid } from '../../core/ids.ts';
import { addSeconds } from '../../core/time.ts';
import { COPIED } from '../workspace/index.ts';
import { advance, withLease } from './advance.ts';
import { momentOf, operations } from './api.ts';
import { END_OF_TIME, leftUndone, readClock, thingsDue } from './due.ts';
import { refusals } from './refusals.ts';
import { moveTo, noteTarget, PULLS, releaseLease, takeLease, type ClockLease } from './lease.ts';
import { FREED, freeLeft } from './abandoned.ts';
import { settle } from './drain.ts';
import { SOURCES, UNDER_WAY } from './sources.ts';

let bench: Bench;
let workspace = 0;
before(async () => {
  bench = await openBench();
  workspace = bench.home.workspace;
  // No loop runs here; the other workspace's statement is due, and nobody reads it.
  await bench.db.execute({
    text: `update statement_cursor set due = 'infinity' where workspace = $1`,
    values: [workspace],
  });
});
after(() => bench?.close());

const services = () => ({ ...bench.services, turn: null });

async function lease(scope: string | null = null): Promise<ClockLease> {
  const taken = await takeLease(bench.db, workspace, newUuid(), scope);
  assert.ok(taken, 'the hand is free');
  return taken;
}

test('one call has the hand, another waits for its turn', async () => {
  const first = await lease();
  assert.equal(await takeLease(bench.db, workspace, newUuid(), null), null);
  const other = await takeLease(bench.db, bench.other.workspace, newUuid(), null);
  assert.ok(other, 'another clock is free');
  const waiting = withLease(services(), workspace, null, async () => 'had it');
  await releaseLease(bench.db, first, true);
  assert.equal(await waiting, 'had it');
  await releaseLease(bench.db, other, true);
});

test('a turn lasts as long as its work, and outlives its process by five seconds', async () => {
  const left = async (text = ''): Promise<number> => {
    const face = `extract(epoch from clock_leased_until - clock_timestamp())::float8 as s`;
    const values = [workspace];
    if (text !== '') await bench.db.execute({ text, values });
    const rows = await bench.db.query<{ s: number }>({
      text: `select ${face} from workspace where workspace = $1`,
      values,
    });
    return rows[0]?.s ?? 0;
  };
  await withLease(services(), workspace, null, async (one) => {
    assert.ok((await left()) <= 5);
    const passed =
      'update workspace set clock_leased_until = clock_timestamp() where workspace = $1';
    for (const time of ['once', 'again']) {
      await left(passed);
      const until = Date.now() + 5_000;
      while ((await left()) <= 3 && Date.now() < until) await sleep(50);
      assert.ok((await left()) > 3, `it was not renewed ${time}`);
    }
    const { now } = await readClock(bench.db, workspace);
    assert.equal(await moveTo(bench.db, one, now), true);
    assert.ok((await left()) <= 5);
  });
});

test('what a killed process left is due at once, in every table that knows leases', async () => {
  const { db } = bench;
  const leased = await db.query<{ name: string }>(
    `select table_name as name from information_schema.columns where table_schema = 'public'
      and column_name in ('lease', 'posting', 'clock_lease') and table_name not like 'stored\\_%'
      and table_name not in (select name || '_past' from generation)`,
  );
  assert.ok(leased.length >= 8);
  for (const { name } of leased) {
    assert.ok(
      FREED.some((text) => text.startsWith(`update ${name} set`)),
      name,
    );
  }
  await lease('mine');
  await db.execute(`insert into sandbox_wait (workspace, key, effect, until)
    values (${workspace}, 'k', true, clock_timestamp() + interval '1 minute')`);
  await db.execute(`update statement_cursor set lease = gen_random_uuid(),
    leased_until = clock_timestamp() + interval '1 minute' where workspace = ${workspace}`);
  assert.equal((await leftUndone(db, workspace)).length, 1);
  await freeLeft(db);
  assert.deepEqual(await leftUndone(db, workspace), []);
  assert.deepEqual(await db.query('select from sandbox_wait'), []);
  await releaseLease(db, await lease(), true);
});

test('a turn that was lost moves nothing', async () => {
  const lost = await lease();
  await bench.db.execute(`update workspace set clock_leased_until = clock_timestamp()`);
  const next = await lease();
  const { now } = await readClock(bench.db, workspace);
  assert.equal(await moveTo(bench.db, lost, addSeconds(now, 100)), false);
  assert.equal((await readClock(bench.db, workspace)).ahead, 0);
  await releaseLease(bench.db, next, true);
});

test('a call that is repeated after its death goes to where it was to go', async () => {
  const target = '2099-01-01T00:00:00.000000Z';
  const cut = async (one: ClockLease): Promise<never> => {
    await noteTarget(bench.db, one, target);
    throw new Error('cut');
  };
  await assert.rejects(withLease(services(), workspace, 'mine', cut), /cut/);
  assert.equal(await withLease(services(), workspace, 'mine', async (one) => one.target), target);
  assert.equal(
    await withLease(services(), workspace, 'mine', async (one) => one.target),
    null,
    'ended',
  );
  await assert.rejects(withLease(services(), workspace, 'mine', cut), /cut/);
  assert.equal(await withLease(services(), workspace, 'yours', async (one) => one.target), null);
});

test('a call that had come there before its death is answered, not refused', async () => {
  const { now } = await readClock(bench.db, workspace);
  const one = { ...(await lease()), target: now };
  const timed = await advance(services(), one, { kind: 'to', to: now });
  assert.deepEqual(timed.steps, []);
  const next = await advance(services(), one, { kind: 'next' });
  assert.deepEqual(next.steps, [], 'the one thing was visited already');
  await releaseLease(bench.db, one, true);
});

test('a key goes on with its own wish only', async () => {
  const move = operations.find(({ id }) => id === 'sandboxMoveClock');
  const call = (advance_seconds: number, fingerprint: string, turn: () => Promise<boolean>) => {
    const asked = { caller: { workspace }, body: { advance_seconds } };
    const idempotency = { scope: 'key', fingerprint };
    return move?.run({ ...services(), turn } as never, { ...asked, idempotency } as never);
  };
  await assert.rejects(async () => call(50_000_000, 'far', () => Promise.reject(Error('cut'))));
  const { ahead } = await readClock(bench.db, workspace);
  await call(100, 'near', async () => true);
  const went = (await readClock(bench.db, workspace)).ahead - ahead;
  assert.ok(went > 99 && went < 1_000, `${went} s`);
});

test('a call ends with its server, and is gone on with at another', async () => {
  const request = { kind: 'advance', seconds: 3_600 } as const;
  const go = (turn: () => Promise<boolean>) => {
    const work = (one: ClockLease) => advance({ ...services(), turn }, one, request);
    return withLease(services(), workspace, 'ending', work);
  };
  const { ahead } = await readClock(bench.db, workspace);
  await assert.rejects(
    go(async () => false),
    { spec: refusals.CLOCK_BUSY },
  );
  await go(async () => true);
  const went = (await readClock(bench.db, workspace)).ahead - ahead;
  assert.ok(went > 3_599 && went < 3_700, `${went} s`);
});

test('moments are read to the microsecond, and what is none is null', () => {
  const read: Readonly<Record<string, string | null>> = {
    '2027-01-31T00:00:00Z': '2027-01-31T00:00:00.000000Z',
    '2027-01-31t00:00:00.1234567z': '2027-01-31T00:00:00.123456Z',
    '2027-01-31T00:00:00.000001+23:59': '2027-01-30T00:01:00.000001Z',
    '2027-02-29T00:00:00Z': null,
    '2027-06-30T23:59:60Z': null,
    '2027-01-31T24:00:00Z': null,
    '2027-01-31T00:00:00+99:99': null,
    '9999-12-31T23:59:59-00:01': null,
    '0000-01-01T00:00:00+00:01': null,
  };
  for (const [text, moment] of Object.entries(read)) assert.equal(momentOf(text), moment, text);
});

test('real times come nearer by as much as the clock moves, and never go back', async () => {
  const key = newUuid();
  await bench.db.execute({
    text: `insert into processor_due (workspace, key, event, due)
      values ($1, $2, 'settle', clock_timestamp() + interval '1 hour'),
        ($3, $2, 'settle', clock_timestamp() + interval '1 hour')`,
    values: [workspace, key, bench.other.workspace],
  });
  const request = { from: null, to: END_OF_TIME, most: 10 };
  const [before] = await thingsDue(bench.db, workspace, request);
  assert.deepEqual([before?.what, before?.id, before?.kind], ['bank_event', key, 'work']);
  const one = await lease();
  const start = (await readClock(bench.db, workspace)).now;
  assert.equal(await moveTo(bench.db, one, addSeconds(start, 3_000)), true);
  const [after] = await thingsDue(bench.db, workspace, request);
  assert.equal(after?.at, before?.at, 'the moment is the same');
  const left = `select extract(epoch from due - clock_timestamp())::int as s from processor_due
    where workspace = $1`;
  const secondsLeft = async (of: number): Promise<number> =>
    (await bench.db.query<{ s: number }>({ text: left, values: [of] }))[0]?.s ?? 0;
  assert.ok((await secondsLeft(workspace)) <= 600);
  assert.ok((await secondsLeft(bench.other.workspace)) > 3_500);
  const { ahead } = await readClock(bench.db, workspace);
  assert.equal(await moveTo(bench.db, one, start), true);
  assert.equal((await readClock(bench.db, workspace)).ahead, ahead, 'never back');
  await releaseLease(bench.db, one, true);
});

test('a statement that has more to tell is read until it has not', async () => {
  const { db } = bench;
  const tell = (): Promise<number> =>
    db.execute(`insert into processor_statement
    (workspace, key, reference, kind, amount, currency) values (${workspace}, '${newUuid()}', 'r',
      'capture', 1, 'USD')`);
  let read = 0;
  /** The loop that reads statements, where one is due. */
  const turn = async (): Promise<boolean> => {
    const due = await db.execute(`update statement_cursor c set due = 'infinity',
        cursor = (select max(line) from processor_statement s where s.workspace = c.workspace)
      where workspace = ${workspace} and due <= clock_timestamp()`);
    if (due > 0 && (read += 1) === 1) await tell();
    return true;
  };
  await tell();
  await settle({ ...services(), turn }, workspace);
  assert.equal(read, 2);
});

test('whatever somebody acts on is waited for once its moment has come', () => {
  // The jobs of a payment, and of the statement, have other names.
  const other = ['payment_confirmation', 'statement_line'];
  const acted = SOURCES.filter(({ kind }) => kind !== 'end').map(({ what }) => what);
  const missing = acted.filter((what) => UNDER_WAY[what] === undefined);
  assert.deepEqual(missing.toSorted(), other.toSorted());
});

test('all that stands in real time is pulled, of the workspace that moves', () => {
  // Housekeeping that decides nothing in a sandbox, and runs within seconds.
  const still = ['match_job'];
  const real = COPIED.filter(({ moved = [] }) => moved.includes('due')).map(({ name }) => name);
  for (const name of [...real, 'statement_cursor']) {
    const pulls = PULLS.filter((text) => text.startsWith(`update ${name} set due = due - $2`));
    assert.equal(pulls.length, still.includes(name) ? 0 : 1, name);
  }
  for (const text of PULLS) assert.match(text, /\swhere workspace = \$1/);
});

test('the clock of a workspace that ends meanwhile stands, and the call is told so', async () => {
  const { db, other } = bench;
  const one = await takeLease(db, other.workspace, newUuid(), null);
  assert.ok(one);
  const { ahead } = await readClock(db, other.workspace);
  const text = 'update workspace set ended = clock_timestamp() where workspace = $1';
  const turn = async () => (await db.execute({ text, values: [other.workspace] })) >= 0;
  const request = { kind: 'advance', seconds: 86_400 } as const;
  const isEnd = { spec: engineRefusals.WORLD_ENDED };
  await assert.rejects(advance({ ...services(), turn }, one, request), isEnd);
  assert.equal((await readClock(db, other.workspace)).ahead, ahead);
  await assert.rejects(
    withLease(services(), other.workspace, null, async () => 'had it'),
    isEnd,
  );
});
