// The engine on a toy resource: batching, refusals, failed batches, idempotency, foreign locks.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { testDatabase, type TestDatabase } from '../../test/kit/database.ts';
import { engineOn as makeEngine } from '../../test/kit/engine.ts';
import { newUuid } from '../core/ids.ts';
import { defineMachine } from '../core/machine.ts';
import { defineRefusals, Refusal, refuse } from '../core/refusal.ts';
import { createWorkspace } from '../product/tenant/tenant/index.ts';
import { loadMoves, tableOf } from './index.ts';
import type { Command, Engine, RowOf } from './index.ts';
import { ENGINE_SETTINGS } from './options.ts';
import { Writes, writeStatement } from './write.ts';

const toyTable = tableOf('toy', 5, {
  id: 'uuid',
  state: 'text',
  version: 'int4',
  updated: 'timestamptz',
  value: 'int4',
  friend: 'uuid?',
}, { versioned: true });
type ToyRow = RowOf<typeof toyTable>;
const toyMachine = defineMachine('toy', {
  noun: 'toy',
  states: ['up'],
  moves: [
    { from: null, on: 'make', to: 'up', by: 'caller', why: 'test', cites: 'test' },
    { from: 'up', on: 'add', to: 'up', by: 'caller', why: 'test', cites: 'test' },
  ],
});
const no = defineRefusals({
  TOY_TOO_SMALL: {
    status: 400,
    sentence: 'Too small.',
    act: 'caller',
    retry: false,
    cites: 'test',
  },
  TOY_NOT_FOUND: { status: 404, sentence: 'None.', act: 'caller', retry: false, cites: 'test' },
});
const make: Command<{ id: string; value: number; friend?: string }> = {
  name: 'make',
  batchable: true,
  load: () => {},
  decide(decision, { id, value, friend = null }) {
    if (value < 0) throw refuse(no.TOY_TOO_SMALL);
    const { workspace, now: updated } = decision;
    const row = { workspace, id, state: 'up', version: 1, updated, value, friend } as const;
    decision.create(toyMachine, toyTable, 'make', row);
    return { status: 201, payload: { id, value } };
  },
};
const add: Command<{ id: string; by: number }> = {
  name: 'add',
  batchable: true,
  load(rows, { id }) {
    if (rows.read(toyTable, id) === null) return;
    const friend = rows.lock(toyTable, id)?.friend;
    if (friend) rows.lock(toyTable, friend);
  },
  decide(decision, { id, by }) {
    const row = decision.get(toyTable, id);
    if (row === null) throw refuse(no.TOY_NOT_FOUND);
    const value = row.value + by;
    decision.move(toyMachine, toyTable, id, 'add', 'up', { value });
    return { status: 200, payload: { value } };
  },
};

let base: TestDatabase;
let workspace = 0;
const engines: Engine[] = [];

function engineOn(...given: Parameters<typeof makeEngine>): Engine {
  const engine = makeEngine(...given);
  engines.push(engine);
  return engine;
}

before(async () => {
  base = await testDatabase();
  await base.db.execute(`create table toy (workspace int, id uuid, state text, version int,
    updated timestamptz, value int check (value < 1000), friend uuid,
    primary key (workspace, id))`);
  await base.db.execute(`create trigger toy_head after update on toy
    referencing new table as changed for each statement execute function check_heads()`);
  await loadMoves(base.db, [toyMachine], true);
  ({ workspace } = await createWorkspace(base.db, { name: 'toys', currencies: ['USD'] }));
});
after(async () => {
  for (const engine of engines) await engine.stop();
  await base.drop();
});

const by = { actor: 'client:test' };
const values = async (ids: string[]): Promise<number[]> => {
  const rows = await base.db.query<{ value: number }>({
    text: 'select value from toy where workspace = $1 and id = any($2) order by id',
    values: [workspace, ids],
  });
  return rows.map((row) => row.value);
};

test('commands that arrive together share a transaction, and see each other', async () => {
  const engine = engineOn(base.pool(4), base.db);
  const id = newUuid();
  await engine.run(make, { id, value: 0 }, { workspace, ...by });
  const before = engine.counters.batches;
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => engine.run(add, { id, by: 1 }, { workspace, ...by })),
  );
  assert.equal(engine.counters.batches - before, 1);
  assert.deepEqual(answers.map((a) => (a.payload as { value: number }).value).at(-1), 50);
  assert.deepEqual(await values([id]), [50]);
});

test('a commit reports the tables it wrote, also those with updates only', async () => {
  const told: (readonly [ReadonlySet<number>, ReadonlySet<string>])[] = [];
  const engine = engineOn(base.pool(1), base.db, {
    committed: (...said) => told.push(said),
  });
  const id = newUuid();
  await engine.run(make, { id, value: 0 }, { workspace, ...by });
  await engine.run(add, { id, by: 1 }, { workspace, ...by });
  const each = new Set(['history', 'toy']);
  assert.deepEqual(told, [
    [new Set([workspace]), each],
    [new Set([workspace]), each],
  ]);
});

test('a refusal concerns its command alone and leaves nothing', async () => {
  const engine = engineOn(base.pool(4), base.db);
  const good = newUuid();
  const bad = newUuid();
  const results = await Promise.allSettled([
    engine.run(make, { id: bad, value: -1 }, { workspace, ...by }),
    engine.run(make, { id: good, value: 1 }, { workspace, ...by }),
    engine.run(add, { id: newUuid(), by: 1 }, { workspace, ...by }),
  ]);
  assert.deepEqual(
    results.map((r) => r.status),
    ['rejected', 'fulfilled', 'rejected'],
  );
  assert.ok((results[0] as PromiseRejectedResult).reason instanceof Refusal);
  assert.equal((results[2] as PromiseRejectedResult).reason.spec.code, 'TOY_NOT_FOUND');
  assert.deepEqual(await values([good, bad]), [1]);
});

test('one failing command in a batch does not affect the others', async () => {
  const engine = engineOn(base.pool(4), base.db);
  const ids = Array.from({ length: 20 }, newUuid);
  const results = await Promise.allSettled(
    ids.map((id, at) =>
      engine.run(make, { id, value: at === 7 ? 5000 : at }, { workspace, ...by }),
    ),
  );
  results.forEach((result, at) => assert.equal(result.status, at === 7 ? 'rejected' : 'fulfilled'));
  assert.equal(engine.counters.poisoned, 1);
  assert.equal((await values(ids)).length, 19);
});

test('one idempotency key has one effect and one answer, through two engines at once', async () => {
  const [one, two] = [engineOn(base.pool(4), base.db), engineOn(base.pool(4), base.db)];
  const id = newUuid();
  await one.run(make, { id, value: 0 }, { workspace, ...by });
  const idempotency = { scope: `scope-${id}`, fingerprint: 'f1' };
  const outcomes = await Promise.all(
    Array.from({ length: 60 }, (_, at) =>
      (at % 2 ? one : two).submit(add, { id, by: 1 }, { workspace, ...by, idempotency }),
    ),
  );
  assert.deepEqual(await values([id]), [1]);
  assert.equal(outcomes.filter((outcome) => !outcome.replayed).length, 1);
  const once = { status: 200, payload: { value: 1 } };
  for (const { answer } of outcomes) assert.deepEqual(answer, once);
  const other = { scope: `scope-${id}`, fingerprint: 'f2' };
  await assert.rejects(
    one.run(add, { id, by: 1 }, { workspace, ...by, idempotency: other }),
    (error: Refusal) => error.spec.code === 'IDEMPOTENCY_KEY_REUSED',
  );
});

test('two engines that update the same rows lose no update', async () => {
  const [one, two] = [engineOn(base.pool(4), base.db), engineOn(base.pool(4), base.db)];
  const ids = Array.from({ length: 4 }, newUuid).sort();
  for (const id of ids) await one.run(make, { id, value: 0 }, { workspace, ...by });
  const work = Array.from({ length: 200 }, (_, at) =>
    (at % 2 ? one : two).run(add, { id: ids[at % 4] ?? '', by: 1 }, { workspace, ...by }),
  );
  await Promise.all(work);
  assert.deepEqual(await values(ids), [50, 50, 50, 50]);
});

test('a command on a row locked elsewhere is refused in time; others proceed', async () => {
  const engine = engineOn(base.pool(6), base.db);
  const [held, free] = [newUuid(), newUuid()];
  await engine.run(make, { id: held, value: 0 }, { workspace, ...by });
  await engine.run(make, { id: free, value: 0 }, { workspace, ...by });
  const holder = await base.db.connection();
  await holder.execute('begin');
  await holder.execute({ text: 'select 1 from toy where id = $1 for update', values: [held] });
  const stuck = engine.run(add, { id: held, by: 1 }, { workspace, ...by });
  const outcome = assert.rejects(stuck, (error: Refusal) => error.spec.code === 'RESOURCE_BUSY');
  for (let n = 0; n < 5; n += 1) await engine.run(add, { id: free, by: 1 }, { workspace, ...by });
  await outcome;
  await holder.execute('rollback');
  holder.release();
  assert.deepEqual(await values([free]), [5]);
  await engine.run(add, { id: held, by: 1 }, { workspace, ...by });
});

test('a read set that grows once its rows are locked is completed in the next round', async () => {
  const engine = engineOn(base.pool(4), base.db);
  const [friend, id] = [newUuid(), newUuid()];
  await engine.run(make, { id: friend, value: 0 }, { workspace, ...by });
  await engine.run(make, { id, value: 0, friend }, { workspace, ...by });
  await engine.run(add, { id, by: 2 }, { workspace, ...by });
  assert.deepEqual(await values([id]), [2]);
});

test('a connection cut before COMMIT leaves nothing, and the commands are answered', async () => {
  const lanes = base.pool(2);
  const engine = engineOn(lanes, base.db);
  const id = newUuid();
  await engine.run(make, { id, value: 0 }, { workspace, ...by });
  const own = await lanes.query<{ pid: number }>('select pg_backend_pid() as pid');
  for (let n = 0; n < 5; n += 1) {
    const work = Promise.allSettled(
      Array.from({ length: 10 }, () => engine.run(add, { id, by: 1 }, { workspace, ...by })),
    );
    const pids =
      n === 0 ? own : await lanes.query<{ pid: number }>('select pg_backend_pid() as pid');
    for (const { pid } of pids) {
      await base.db.execute({ text: 'select pg_terminate_backend($1)', values: [pid] });
    }
    const done = (await work).filter((result) => result.status === 'fulfilled').length;
    const [value = 0] = await values([id]);
    assert.ok(value >= done, 'an answered command is there');
    await engine.run(add, { id, by: -value }, { workspace, ...by });
  }
});

test('a batch that meets a full disk is refused at once, as a whole', async () => {
  await base.db.execute(`create function no_room() returns trigger language plpgsql as $$
    begin raise exception 'no room' using errcode = '53100'; end $$;
    create trigger no_room before insert on toy for each row execute function no_room()`);
  const engine = engineOn(base.pool(4), base.db);
  const commands = Array.from({ length: 10 }, () =>
    engine.run(make, { id: newUuid(), value: 1 }, { workspace, ...by }),
  );
  const refused = (await Promise.allSettled(commands)).map((one) =>
    one.status === 'rejected' ? (one.reason as Refusal).spec.code : 'made',
  );
  await base.db.execute('drop function no_room cascade');
  assert.deepEqual(refused, Array(10).fill('DATABASE_UNAVAILABLE'));
  assert.equal(engine.counters.alone, 0);
});

test('array statements keep their plan on tables that grew without statistics', async () => {
  const writes = new Writes();
  const row = (n: number): ToyRow => ({
    workspace,
    id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    state: 'up',
    version: 1,
    updated: '2026-01-01T00:00:00.000000Z',
    value: 1,
    friend: null,
  });
  for (let n = 0; n < 20; n += 1) writes.addUpdate(toyTable as never, row(n), 1);
  const statement = writeStatement(writes);
  await base.db.execute(`alter table toy set (autovacuum_enabled = false)`);
  await base.db.execute(`insert into toy select ${workspace},
    ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'up', 1, now(), 1, null
    from generate_series(100, 100000) n`);
  const keyed = base.pool(1, ENGINE_SETTINGS);
  const plan = await keyed.query<Record<string, string>>({
    text: `explain ${statement.text}`,
    values: statement.values ?? [],
  });
  const text = plan.map((line) => Object.values(line)[0]).join('\n');
  assert.doesNotMatch(text, /(Seq|Bitmap Heap) Scan on toy/);
  assert.match(text, /Index Cond: \(\(workspace = n.workspace\) AND \(id = n.id\)\)/);
});
