// The engine alone, on a database that answers as the test says: what shares a transaction, what is
// sent in which order, who fails alone, and what a repeated request is answered.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  alone,
  by,
  ends,
  freshId,
  look,
  lost,
  noteTable,
  NOW,
  scene,
  stamps,
  turn,
  write,
  type Asked,
} from '../../test/kit/scripted-engine.ts';
import type { Refusal } from '../core/refusal.ts';
import type { Command, CommandAnswer } from './index.ts';
import { engineRefusals } from './options.ts';

test('what arrives together is one transaction, told once after its commit', async () => {
  const { database, engine, committed } = scene();
  const work = [1, 2, 1].map((workspace) => engine.run(write, {}, { ...by, workspace }));
  assert.deepEqual(await ends(work), [201, 201, 201]);
  assert.deepEqual(database.sent, ['begin', 'stamp', 'write', 'commit']);
  assert.deepEqual(committed, [[[1, 2], ['note']]]);
  const { counters } = engine;
  const none = { again: 0, poisoned: 0, retried: 0 };
  assert.deepEqual(counters, { commands: 3, batches: 1, alone: 0, ...none });
  assert.equal(database.open, 0, 'the connection is given back');
});

test('what writes nothing is rolled back, and nobody is told of a commit', async () => {
  const { database, engine, committed } = scene();
  const work = [engine.run(write, { fails: 'refuse' }, by), engine.run(look, {}, by)];
  assert.deepEqual(await ends(work), ['NO', 200]);
  assert.deepEqual(database.sent, ['begin', 'stamp', 'rollback']);
  assert.deepEqual(committed, []);
});

test('a bug of one command fails that one alone, in what it reads and decides', async () => {
  const { database, engine, faults } = scene();
  const work = [{}, { fails: 'needs' }, {}, { fails: 'decide' }].map((asked) =>
    engine.run(write, asked as Asked, by),
  );
  assert.deepEqual(await ends(work), [201, 'a bug in needs', 201, 'a bug in decide']);
  assert.deepEqual(faults.toSorted(), ['write: a bug in decide', 'write: a bug in needs']);
  assert.ok(database.written.length >= 1);
});

test('a workspace that is not there is a fault, one that is archived a refusal', async () => {
  const { database, engine } = scene();
  database.at = (name) =>
    name === 'stamp' ? [stamps[0], { ...stamps[1], ended: true }] : undefined;
  const work = [1, 2, 3].map((workspace) => engine.run(write, {}, { ...by, workspace }));
  const unknown = 'a command names a workspace that is not there';
  assert.deepEqual(await ends(work), [201, 'WORLD_ENDED', unknown]);
});

test('where workspaces are archived, a run decides only in those that it holds', async () => {
  const { database, engine } = scene({ workspacesEnd: true });
  database.at = (name) => {
    if (name === 'hold_workspaces') return [{ workspace: 2 }];
    return name === 'stamp' ? stamps : undefined;
  };
  const work = [1, 2].map((workspace) => engine.run(write, {}, { ...by, workspace }));
  assert.deepEqual(await ends(work), ['WORLD_ENDED', 201]);
  assert.ok(database.sent.indexOf('hold_workspaces') < database.sent.indexOf('stamp'));
});

test('what may not share has a transaction of its own, and few run at once', async () => {
  const { database, engine } = scene({ alone: 2 });
  const work = [1, 2, 3, 4, 5].map(() => engine.run(alone, {}, by));
  assert.deepEqual(await ends(work), [201, 201, 201, 201, 201]);
  assert.deepEqual([engine.counters.alone, engine.counters.batches], [5, 0]);
  assert.equal(database.mostOpen, 2);
  const waits = database.sent.filter((name) => name === "set local lock_timeout = '2s'");
  assert.equal(waits.length, 5, 'it waits for a row, for a bounded time');
});

test('an immutable row is read once, and one that was just written never', async () => {
  const { database, engine } = scene();
  const [known, made] = [freshId(), freshId()];
  const row = { workspace: 1, id: known, text: 'kept' };
  database.at = (name) => {
    if (name === 'read:note') return [row];
    return name === 'stamp' ? stamps : undefined;
  };
  const reads = (): number => database.sent.filter((name) => name === 'read:note').length;
  const ask = async (id: string): Promise<unknown> =>
    (await engine.run(look, { reads: [id] }, by)).payload;
  assert.deepEqual([await ask(known), await ask(known), reads()], [['kept'], ['kept'], 1]);
  await engine.run(write, { id: made }, by);
  assert.deepEqual([await ask(made), reads()], [[NOW], 1]);
  // Two are remembered: the oldest was let go.
  await engine.run(write, { id: freshId() }, by);
  assert.deepEqual([await ask(known), reads()], [['kept'], 2]);
});

test('a command whose rows are held elsewhere comes back, and then has its own turn', async () => {
  const { database, engine } = scene();
  const id = freshId();
  let skips = 0;
  database.at = (name) => {
    if (name === 'read:note' || name === 'lock_wait:note') return [{ workspace: 1, id, text: 'x' }];
    if (name === 'lock_skip:note') skips += 1;
    return name === 'stamp' ? stamps : undefined;
  };
  assert.deepEqual(await ends([engine.run(write, { locks: [id] }, by)]), [201]);
  const { again, batches, alone } = engine.counters;
  assert.deepEqual([skips, again, batches, alone], [3, 3, 3, 1]);
});

test('a row that is not there is none to wait for', async () => {
  const { engine } = scene();
  const id = freshId();
  const make: Command<Asked> = {
    ...write,
    load: (rows) => void [rows.read(noteTable, id), rows.lock(noteTable, id)],
  };
  assert.deepEqual(await ends([engine.run(make, {}, by)]), [201]);
  assert.equal(engine.counters.again, 0);
});

test('a row that is never to be had is said to be busy', async () => {
  const { database, engine } = scene();
  const id = freshId();
  let locks = 0;
  database.at = (name) => {
    if (name === 'read:note') return [{ workspace: 1, id, text: 'x' }];
    if (name === 'lock_wait:note') locks += 1;
    return name === 'stamp' ? stamps : undefined;
  };
  const [end] = await Promise.allSettled([engine.run(alone, { locks: [id] }, by)]);
  const refusal = (end as PromiseRejectedResult).reason as Refusal;
  assert.deepEqual([refusal.spec.code, refusal.retryAfter, locks], ['RESOURCE_BUSY', 1, 6]);
});

test('a connection that breaks before the commit is another try, twice at most', async () => {
  for (const [breaks, end] of [[2, 201], [3, 'DATABASE_UNAVAILABLE']] as const) {
    const { database, engine, faults } = scene();
    let left: number = breaks;
    database.at = (name) => {
      if (name === 'begin' && (left -= 1) >= 0) throw lost();
      return name === 'stamp' ? stamps : undefined;
    };
    assert.deepEqual(await ends([engine.run(write, {}, by)]), [end]);
    assert.equal(database.broken, breaks, 'a broken connection is given back as such');
    assert.equal(engine.counters.poisoned, breaks);
    const told = [...Array(breaks).fill('batch: gone'), ...(end === 201 ? [] : ['write: gone'])];
    assert.deepEqual(faults, told);
  }
});

test('a command that is old when its connection breaks is answered', async () => {
  const { database, engine, pass } = scene({ queueTimeout: 60_000 });
  database.at = (name) => {
    if (name === 'begin') {
      pass(1_001);
      throw lost();
    }
    return undefined;
  };
  assert.deepEqual(await ends([engine.run(write, {}, by)]), ['DATABASE_UNAVAILABLE']);
});

test('a database that cannot be read is said at once, to all', async () => {
  const { database, engine } = scene();
  let reads = 0;
  database.at = (name) => {
    if (name !== 'read:note') return undefined;
    reads += 1;
    throw lost();
  };
  const work = [1, 2, 3].map(() => engine.run(look, { reads: [freshId()] }, by));
  assert.deepEqual(await ends(work), Array(3).fill('DATABASE_UNAVAILABLE'));
  assert.equal(reads, 1, 'nobody asks again alone');
});

interface Kept {
  readonly [column: string]: unknown;
}

const claim = { scope: 'scope', fingerprint: 'print' };

function keptOf(row: Kept): Kept {
  const nothing = { record: null, record_id: null, record_version: null, answer: null };
  return { workspace: 1, ...claim, status: 200, ...nothing, ...row };
}

test('a repeated request is answered as the first was, by its record or word by word', async () => {
  const record = { record: 'note', record_id: 'n-1', record_version: 3 };
  const cases: readonly (readonly [Kept, unknown])[] = [
    [keptOf({ ...record, status: 201 }), { composed: [1, 'note', 'n-1', 3] }],
    [keptOf({ answer: '{"a":1}' }), { a: 1 }],
    [keptOf({}), undefined],
  ];
  for (const [row, payload] of cases) {
    const { database, engine } = scene();
    database.at = (name) => (name === 'read:idempotency' ? [row] : stamps);
    const outcome = await engine.submit(write, {}, { ...by, idempotency: claim });
    const answer = { status: row['status'], payload };
    assert.deepEqual(outcome, { answer, replayed: true });
    assert.deepEqual(database.written, []);
    const other = { ...claim, fingerprint: 'other' };
    const work = [engine.run(write, {}, { ...by, idempotency: other })];
    assert.deepEqual(await ends(work), ['IDEMPOTENCY_KEY_REUSED']);
    // A key of another workspace is another key.
    const elsewhere = { ...by, workspace: 2, idempotency: claim };
    assert.equal((await engine.submit(write, {}, elsewhere)).replayed, false);
  }
});

test('what is kept of an answer: its record or its text, of a secret the status', async () => {
  const id = freshId();
  const cases: readonly (readonly [Partial<CommandAnswer>, readonly unknown[]])[] = [
    [{ payload: { a: 1 } }, ['201', null, '{NULL}', null, '{"a":1}']],
    [{ record: { kind: 'note', id, version: 3 } }, ['201', 'note', 'an id', '3', null]],
    [{ status: 200, payload: 'token', secret: true }, ['200', null, '{NULL}', null, null]],
    [{ payload: undefined }, ['201', null, '{NULL}', null, null]],
  ];
  for (const [answer, kept] of cases) {
    const { database, engine } = scene();
    await engine.run(write, { answer }, { ...by, idempotency: claim });
    // Behind the three columns of the note.
    const values = (database.written[0]?.values ?? []).slice(3, 11);
    const shown = values.map((value) => (Buffer.isBuffer(value) ? 'an id' : value));
    assert.deepEqual(shown, ['1', '{scope}', '{print}', ...kept]);
  }
});

test('a no under a key may be the answer that another process gave', async () => {
  const { database, engine } = scene();
  let looks = 0;
  database.at = (name) => {
    if (name === 'stamp') return stamps;
    // The other process was faster between the first look and the decision.
    return name === 'read:idempotency' && (looks += 1) === 2 ? [keptOf({ answer: '7' })] : [];
  };
  const refused: Asked = { fails: 'refuse' };
  const outcome = await engine.submit(write, refused, { ...by, idempotency: claim });
  assert.deepEqual(outcome, { answer: { status: 200, payload: 7 }, replayed: true });
  assert.deepEqual(await ends([engine.run(write, refused, { ...by, idempotency: claim })]), ['NO']);
});

test('a database that is lost while that answer is looked for is said', async () => {
  const { database, engine } = scene();
  let looks = 0;
  database.at = (name) => {
    if (name === 'read:idempotency' && (looks += 1) === 2) throw lost();
    return name === 'stamp' ? stamps : [];
  };
  const work = engine.run(write, { fails: 'refuse' }, { ...by, idempotency: claim });
  assert.deepEqual(await ends([work]), ['DATABASE_UNAVAILABLE']);
});

test('a group whose reading breaks off is closed once, with those that had an answer', async () => {
  const { database, engine } = scene();
  database.at = (name) => {
    if (name === 'read:note') return turn().then(() => Promise.reject(lost()));
    return name === 'read:idempotency' ? [keptOf({ answer: '7' })] : stamps;
  };
  const reads = [freshId()];
  const work = [claim, undefined].map((idempotency) =>
    engine.run(write, { reads }, { ...by, ...(idempotency && { idempotency }) }),
  );
  assert.deepEqual(await ends(work), ['DATABASE_UNAVAILABLE', 'DATABASE_UNAVAILABLE']);
  await engine.stop();
});

test('two groups at most are read at once', async () => {
  const { database, engine } = scene();
  const waiting: (() => void)[] = [];
  database.at = (name) => {
    if (name !== 'read:note') return name === 'stamp' ? stamps : undefined;
    return new Promise((resolve) => waiting.push(() => resolve([])));
  };
  const work: Promise<CommandAnswer>[] = [];
  for (let n = 0; n < 4; n += 1) {
    work.push(engine.run(look, { reads: [freshId()] }, by));
    await turn();
    await turn();
  }
  assert.equal(waiting.length, 2);
  for (const go of waiting.splice(0)) go();
  for (let n = 0; n < 4; n += 1) await turn();
  assert.equal(waiting.length, 1, 'who waited meanwhile is one group');
  for (const go of waiting.splice(0)) go();
  assert.deepEqual(await ends(work), [200, 200, 200, 200]);
});

test('for how long nothing has moved, while something is open', async () => {
  const { database, engine, pass } = scene({ queueTimeout: 60_000 });
  let go = (): void => {};
  const held = new Promise<readonly unknown[]>((resolve) => (go = () => resolve(stamps)));
  database.at = (name) => (name === 'stamp' ? held : undefined);
  pass(5_000);
  assert.equal(engine.stillMs, 0);
  const first = engine.run(write, {}, by);
  await turn();
  await turn();
  pass(700);
  assert.equal(engine.stillMs, 700);
  const second = engine.run(alone, { fails: 'refuse' }, by);
  assert.equal(engine.stillMs, 700, 'who arrives moves nothing');
  go();
  assert.deepEqual(await ends([first, second]), [201, 'NO']);
  assert.equal(engine.stillMs, 0);
});

test('an engine that stops answers what is open and takes no more', async () => {
  const { engine } = scene();
  const open = engine.run(write, {}, by);
  let stopped = false;
  const stop = engine.stop().then(() => (stopped = true));
  assert.deepEqual(await ends([engine.run(write, {}, by)]), ['OVERLOADED']);
  assert.equal(stopped, false);
  assert.deepEqual(await ends([open]), [201]);
  await stop;
  const { engine: idle } = scene();
  await idle.stop();
  assert.deepEqual(await ends([idle.run(write, {}, by)]), ['OVERLOADED']);
});

test('who waits too long is told, also while all that is under way stands still', async () => {
  const { database, engine, pass } = scene({ batches: 1 });
  database.at = (name) => (name === 'stamp' ? new Promise<never>(() => {}) : undefined);
  void engine.run(write, {}, by);
  await turn();
  await turn();
  const waiting = engine.run(write, {}, by);
  await turn();
  await turn();
  pass(1_000);
  pass(1);
  const [end] = await Promise.allSettled([waiting]);
  const refusal = (end as PromiseRejectedResult).reason as Refusal;
  assert.deepEqual([refusal.spec.code, refusal.retryAfter], ['OVERLOADED', 1]);
});

test('who is late when its turn comes leaves its rows to others', async () => {
  let away = false;
  const { database, engine, pass } = scene({
    batches: 1,
    queueTimeout: 60_000,
    away: () => away,
  });
  const id = freshId();
  let go = (): void => {};
  const held = new Promise<readonly unknown[]>((resolve) => (go = () => resolve(stamps)));
  let begun = 0;
  database.at = (name) => {
    if (name.endsWith(':note')) return [{ workspace: 1, id, text: 'x' }];
    if (name === 'begin') begun += 1;
    if (name !== 'stamp') return undefined;
    return begun === 1 ? held : stamps;
  };
  const first = engine.run(write, {}, by);
  await turn();
  await turn();
  const late = engine.run(write, { locks: [id] }, by);
  await turn();
  await turn();
  pass(1_001);
  away = true;
  go();
  assert.deepEqual(await ends([first, late]), [201, 'OVERLOADED']);
  away = false;
  const next = engine.run(write, { locks: [id] }, by);
  for (let n = 0; n < 5; n += 1) await turn();
  assert.equal(begun, 2);
  assert.deepEqual(await ends([next]), [201]);
});

test('the engine\'s own refusals tell the caller whether to try again', () => {
  const rows = Object.values(engineRefusals).map((spec) => [
    spec.code,
    spec.status,
    spec.act,
    spec.retry,
  ]);
  assert.deepEqual(rows, [
    ['IDEMPOTENCY_KEY_REUSED', 422, 'caller', false],
    ['OVERLOADED', 503, 'caller', true],
    ['DATABASE_UNAVAILABLE', 503, 'operator', true],
    ['OUTCOME_UNKNOWN', 503, 'caller', true],
    ['WORLD_ENDED', 503, 'caller', true],
    ['TENANT_MOVING', 503, 'operator', true],
    ['TENANT_MOVED', 421, 'operator', false],
    ['RESOURCE_BUSY', 503, 'caller', true],
  ]);
});
