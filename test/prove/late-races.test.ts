// Commands that waited too long: all are refused at once, also those that waited for another's
// stored answer and those that no batch had room for. [architecture rule 11, OP1]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createWorkspace } from '../../src/product/tenant/tenant/index.ts';
import { Engine, engineRefusals, type Command } from '../../src/engine/index.ts';
import { newUuid } from '../../src/core/ids.ts';
import { Lineages } from '../../src/core/lineages.ts';
import { Refusal } from '../../src/core/refusal.ts';
import { testScheduler } from '../kit/clock.ts';
import { testDatabase, type TestDatabase } from '../kit/database.ts';

let base: TestDatabase;
let workspace = 0;
before(async () => {
  base = await testDatabase();
  ({ workspace } = await createWorkspace(base.db, { name: 'late', currencies: ['USD'] }));
});
after(() => base.drop());

const nothing: Command<null> = {
  name: 'nothing',
  batchable: true,
  load: () => {},
  decide: () => ({ status: 200, payload: null }),
};

const highPriority: Command<null> = { ...nothing, highPriority: true };

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'answered',
    (error: unknown) => (error instanceof Refusal ? error.spec.code : String(error)),
  );

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test('a queue that stood still past its timeout is refused as a whole', async () => {
  let jump = 0;
  const engine = new Engine({
    db: base.pool(2),
    reads: base.db,
    scheduler: { ...testScheduler, now: () => performance.now() + jump },
    newId: newUuid,
    lineages: new Lineages(),
    compose: async () => ({}),
    committed: () => {},
    fault: () => {},
    batches: 1,
  });
  const run = (key?: string): Promise<string> => {
    const idempotency = key === undefined ? null : { scope: key, fingerprint: 'same' };
    return codeOf(engine.run(nothing, null, { workspace, actor: 'test', idempotency }));
  };
  // The first batch cannot take its stamp, so all that follows waits behind it.
  const holder = await base.db.connection();
  await holder.execute('begin');
  await holder.execute('lock table workspace in access exclusive mode');
  const first = run();
  await pause(100);
  const waiting = [run('one key'), run('one key'), ...Array.from({ length: 500 }, () => run())];
  await pause(100);
  jump = 60_000;
  await holder.execute('rollback');
  holder.release();
  assert.equal(await first, 'answered');
  const late = await Promise.race([Promise.all(waiting), pause(5_000).then(() => null)]);
  assert.ok(late !== null, 'some were never told');
  assert.deepEqual([...new Set(late)], [engineRefusals.OVERLOADED.code]);
  assert.equal(await run('one key'), 'answered');
  await engine.stop();
});

test('waiting commands are refused in time, also while running work is stuck', async () => {
  let jump = 0;
  let away = false;
  const ends: (() => void)[] = [];
  const engine = new Engine({
    db: base.pool(2),
    reads: {
      // Each reading ends when the test says so.
      query: () => new Promise((resolve) => ends.push(() => resolve([]))),
    },
    scheduler: { ...testScheduler, now: () => performance.now() + jump },
    newId: newUuid,
    lineages: new Lineages(),
    compose: async () => ({}),
    committed: () => {},
    fault: () => {},
    away: () => away,
  });
  const keyed = { workspace, actor: 'test', idempotency: { scope: 'still', fingerprint: 'same' } };
  const submission = { workspace, actor: 'test' };
  assert.equal(engine.stillMs, 0);
  const under = [codeOf(engine.run(nothing, null, keyed))];
  await pause(20);
  under.push(codeOf(engine.run(nothing, null, keyed)));
  await pause(20);
  const late = codeOf(engine.run(nothing, null, submission));
  const late2 = codeOf(engine.run(highPriority, null, submission));
  jump = 40_000;
  assert.equal(await late, engineRefusals.OVERLOADED.code);
  assert.ok(engine.stillMs >= 40_000, 'nothing has moved, and that can be told');
  away = true;
  assert.equal(await late2, engineRefusals.OVERLOADED.code, 'not for a database that is away');
  for (const end of ends) end();
  assert.deepEqual(await Promise.all(under), Array(2).fill(engineRefusals.OVERLOADED.code));
  assert.equal(engine.stillMs, 0);
  await engine.stop();
});
