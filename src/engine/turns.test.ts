// Bounds of waiting and sharing: how much one transaction takes, when a group may start, how long
// anybody waits, and how often a transaction runs again after the database asked for it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { ScriptedDatabase } from '../../test/kit/scripted-database.ts';
import { alone, by, ends, scene, stamps, turn } from '../../test/kit/scripted-engine.ts';
import { Admission, ConcurrencyLimit, Waiting } from './queue.ts';
import { noCounters, type EngineOptions } from './options.ts';
import { arriving, claimKey, forget, type Pending } from './discover.ts';
import { runRetrying } from './transaction.ts';

interface Asked {
  readonly workspace?: number;
  readonly keys?: readonly string[];
  readonly arrived?: number;
  readonly highPriority?: true;
}

let rows = 0;

function pendingOf({ workspace = 1, arrived = 0, highPriority, keys }: Asked = {}): Pending {
  const command = {
    name: 'test',
    batchable: true,
    ...(highPriority && { highPriority }),
    load() {},
    decide: () => ({ status: 200, payload: null }),
  };
  const submission = { workspace, actor: 'test' };
  const settled = { settle() {}, fail() {} };
  const given = { command, input: 0, submission, lineage: workspace, arrived, ...settled };
  const pending = arriving(given);
  pending.keys = keys ?? [`row:${(rows += 1)}`];
  return pending;
}

function admitted(count: number, asked: Asked, admission = new Admission()): Admission {
  for (let n = 0; n < count; n += 1) admission.add(pendingOf(asked));
  return admission;
}

test('a transaction takes commands up to its weight: four each, and one for each row', () => {
  assert.equal(admitted(500, {}).takeBatch().length, 120);
  const wide = Array.from({ length: 16 }, (_, n) => `wide:${n}`);
  assert.equal(admitted(500, { keys: wide }).takeBatch().length, 30);
  assert.equal(admitted(119, {}).waiting, 119);
  const two = admitted(60, { workspace: 2 }, admitted(60, {}));
  assert.equal(two.waiting, 120);
  assert.equal(two.takeBatch().length, 120);
  assert.equal(two.waiting, 0);
});

test('commands are looked at up to a bound', () => {
  const admission = new Admission();
  const holder = pendingOf({ keys: ['hot'] });
  admission.add(holder);
  admission.takeBatch();
  admitted(1_999, { keys: ['hot'] }, admission);
  const last = pendingOf();
  const beyond = pendingOf();
  for (const pending of [last, beyond]) admission.add(pending);
  assert.deepEqual(admission.takeBatch(), [last]);
  admission.release([holder]);
  assert.equal(admission.waiting, 2_000);
});

test('who is late is taken out of every queue, and the others keep their place', () => {
  const admission = new Admission();
  const claim = ['a', 'idempotency:1:k'];
  const first = pendingOf({ keys: claim });
  admission.add(first);
  admission.takeBatch();
  const [old, young] = [pendingOf({ arrived: 1 }), pendingOf({ arrived: 9 })];
  const [oldRepeat, youngRepeat] = [1, 9].map((arrived) => pendingOf({ keys: claim, arrived }));
  const [oldSolo, youngSolo] = [pendingOf({ arrived: 1 }), pendingOf({ arrived: 9 })];
  for (const one of [old, young, oldRepeat, youngRepeat]) admission.add(one as Pending);
  for (const one of [oldSolo, youngSolo]) admission.addAlone(one);
  const late = admission.takeWaiting(({ arrived }) => arrived < 5);
  assert.deepEqual(new Set(late), new Set([old, oldRepeat, oldSolo]));
  assert.equal(admission.waiting, 1);
  assert.deepEqual(admission.takeBatch(), [young]);
  assert.equal(admission.takeAlone(), youngSolo);
  assert.equal(admission.takeAlone(), null);
  assert.deepEqual(admission.release([first]), [youngRepeat]);
  assert.deepEqual(admission.takeWaiting(() => true), []);
});

test('what runs alone holds its rows against others that run alone', () => {
  const admission = new Admission();
  const [one, two, three] = [['x'], ['x'], ['y']].map((keys) => pendingOf({ keys }));
  for (const pending of [one, two, three]) admission.addAlone(pending as Pending);
  assert.deepEqual([admission.takeAlone(), admission.takeAlone()], [one, three]);
  assert.equal(admission.takeAlone(), null);
  admission.release([one as Pending]);
  assert.equal(admission.takeAlone(), two);
});

test('a group starts beside another that is no larger, up to the limit', () => {
  const pace = new ConcurrencyLimit(2);
  assert.ok(pace.allows(1));
  pace.started(10);
  assert.deepEqual([9, 10, 11].map((size) => pace.allows(size)), [false, true, true]);
  pace.started(10);
  assert.equal(pace.allows(99), false);
  pace.ended();
  assert.equal(pace.allows(10), true);
  pace.ended();
  assert.equal(pace.allows(0), true);
});

function clock() {
  let now = 0;
  const timers: [number, () => void][] = [];
  const scheduler = {
    now: () => now,
    soon() {},
    after: (ms: number, work: () => void) => void timers.push([ms, work]),
    chance: () => 0.5,
  };
  return { scheduler, timers, set: (ms: number) => (now = ms) };
}

test('a command is young for a second and late after the queue timeout, not before', () => {
  const { scheduler, set } = clock();
  let away = false;
  const waiting = new Waiting({ scheduler, queueTimeout: 3_000, away: () => away });
  const one = pendingOf({ arrived: 500 });
  const at = (ms: number) => (set(ms), [waiting.isYoung(one), waiting.isLate(one)]);
  assert.deepEqual([at(1_500), at(1_501)], [[true, false], [false, false]]);
  assert.deepEqual([at(3_500), at(3_501)], [[false, false], [false, true]]);
  const high = pendingOf({ arrived: 500, highPriority: true });
  assert.equal(waiting.isLate(high), false);
  away = true;
  assert.equal(waiting.isLate(high), true);
  set(1_500);
  assert.equal(waiting.isLate(high), false, 'a young one waits for a database that is away');
  const usual = new Waiting({ scheduler });
  assert.deepEqual([set(1_500), usual.isLate(one)], [1_500, false]);
  assert.deepEqual([set(1_501), usual.isLate(one)], [1_501, true]);
});

test('late ones are looked for from time to time, by one timer, while something is open', () => {
  const { scheduler, timers } = clock();
  const waiting = new Waiting({ scheduler });
  let sweeps = 0;
  const sweep = (): boolean => (sweeps += 1) < 3;
  waiting.sweepWhile(sweep);
  waiting.sweepWhile(sweep);
  assert.deepEqual(timers.map(([ms]) => ms), [250]);
  for (let n = 0; n < 5; n += 1) timers.shift()?.[1]();
  assert.equal(sweeps, 3);
  waiting.sweepWhile(sweep);
  assert.equal(timers.length, 1);
});

function stateError(code: string): Error {
  return Object.assign(new pg.DatabaseError('test', 4, 'error'), { code });
}

test('a transaction runs again after a deadlock, five times, with growing pauses', async () => {
  for (const [code, fails, runs] of [
    ['40P01', 2, 3],
    ['40001', 5, 6],
    ['40001', 9, 6],
    ['23505', 9, 1],
  ] as const) {
    const database = new ScriptedDatabase();
    let begun = 0;
    database.at = (name) => {
      if (name === 'begin' && (begun += 1) <= fails) throw stateError(code);
      return name === 'stamp' ? [{ xid: '1', workspace: 1, now: 'now', ended: false }] : [];
    };
    const pauses: number[] = [];
    const { scheduler } = clock();
    const after = (ms: number, work: () => void): void => (pauses.push(ms), work());
    const options = {
      db: database.pool,
      newId: () => 'id',
      scheduler: { ...scheduler, after },
    } as unknown as EngineOptions;
    const counters = noCounters();
    const run = runRetrying(options, counters, [pendingOf()], 'skip');
    if (runs > fails) assert.equal((await run).verdicts.size, 1);
    else await assert.rejects(run, { code });
    assert.deepEqual([begun, counters.retried], [runs, runs - 1]);
    assert.deepEqual(pauses, [10, 20, 40, 80, 160].slice(0, runs - 1));
    assert.equal(database.open, 0);
  }
});

test('a claim is named by workspace and scope, and what was discovered is forgotten', () => {
  const submission = { workspace: 3, actor: 'a' };
  assert.equal(claimKey(submission), null);
  const idempotency = { scope: 's', fingerprint: 'f' };
  assert.equal(claimKey({ ...submission, idempotency }), 'idempotency:3:s');
  const pending = pendingOf({ keys: ['a'] });
  const { loaded } = pending;
  pending.locks = [{ table: {} as never, id: 'a' }];
  forget(pending);
  assert.deepEqual([pending.keys, pending.locks, pending.loaded === loaded], [[], [], false]);
  assert.deepEqual(noCounters(), {
    commands: 0,
    batches: 0,
    alone: 0,
    again: 0,
    poisoned: 0,
    retried: 0,
  });
});

test('of the open commands those in a transaction run, and the others wait', async () => {
  const { database, engine } = scene({ alone: 2 });
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  database.at = (name) => {
    if (name === 'begin') return held.then(() => []);
    return name === 'stamp' ? stamps : undefined;
  };
  const work = [1, 2, 3].map(() => engine.run(alone, {}, by));
  for (let nth = 0; nth < 5; nth += 1) await turn();
  assert.deepEqual([engine.open, engine.running], [3, 2]);
  release();
  assert.deepEqual(await ends(work), [201, 201, 201]);
  assert.deepEqual([engine.open, engine.running], [0, 0]);
});
