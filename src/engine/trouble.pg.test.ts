// The engine when others are faster, the database asks for another try, or the queue is long: what
// is run again ends as if it had run once, and nobody waits for ever.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { testScheduler } from '../../test/kit/clock.ts';
import { testDatabase, type TestDatabase } from '../../test/kit/database.ts';
import { engineOn } from '../../test/kit/engine.ts';
import { newUuid } from '../core/ids.ts';
import { defineRefusals, refuse, type Refusal } from '../core/refusal.ts';
import { createWorkspace } from '../product/tenant/tenant/index.ts';
import { indexBy, tableOf, type Command } from './index.ts';

const tagTable = tableOf('tag', 5, { id: 'uuid', name: 'text', made: 'timestamptz' });
const tagByName = indexBy(tagTable, 'name');
const no = defineRefusals({
  ALL_TAKEN: { status: 409, sentence: 'None.', act: 'caller', retry: false, cites: 'test' },
});

/** Takes the first of the names that is free. */
const take: Command<readonly string[]> = {
  name: 'take',
  batchable: true,
  load(rows, names) {
    for (const name of names) rows.find(tagByName, name);
  },
  decide(decision, names) {
    const name = names.find((one) => decision.find(tagByName, one).length === 0);
    if (name === undefined) throw refuse(no.ALL_TAKEN);
    const { workspace, now: made } = decision;
    decision.insert(tagTable, { workspace, id: newUuid(), name, made });
    return { status: 201, payload: name };
  },
};
const takeFirst: Command<readonly string[]> = { ...take, name: 'take_first', highPriority: true };

let base: TestDatabase;
let workspace = 0;
before(async () => {
  base = await testDatabase();
  await base.db.execute(`create table tag (workspace int, id uuid, name text collate "C",
    made timestamptz, primary key (workspace, id), unique (workspace, name))`);
  ({ workspace } = await createWorkspace(base.db, { name: 'tags', currencies: ['USD'] }));
});
after(() => base.drop());

const by = { actor: 'client:test' };

/** Somebody else who has inserted a name, and commits once a statement waits for it. */
async function takenByOther(name: string): Promise<() => Promise<void>> {
  const other = await base.db.connection();
  await other.execute('begin');
  const values = [workspace, newUuid(), name];
  await other.execute({ text: 'insert into tag values ($1, $2, $3, now())', values });
  const [own] = await other.query<{ pid: number }>('select pg_backend_pid() as pid');
  // Of this one: who waited for another is still listed for a moment after it has committed.
  const waiting = {
    text: 'select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))',
    values: [own?.pid],
  };
  return async () => {
    while ((await base.db.query(waiting)).length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await other.execute('commit');
    other.release();
  };
}

test('a unique key that others took first, twice, is seen by the third decision', async () => {
  const engine = engineOn(base.pool(2), base.db);
  const commits = [await takenByOther('a'), await takenByOther('b')];
  // Alone, so that all tries are those of one command.
  const third = engine.run({ ...take, batchable: false }, ['a', 'b', 'c'], { workspace, ...by });
  const answer = third.then(({ payload }) => payload);
  for (const commit of commits) await commit();
  assert.equal(await answer, 'c');
  const refused = engine.run(take, ['a', 'b', 'c'], { workspace, ...by });
  await assert.rejects(refused, (error: Refusal) => error.spec.code === 'ALL_TAKEN');
  await engine.stop();
});

test('after a deadlock or a serialization failure the transaction runs again, once', async () => {
  await base.db.execute(`create sequence tries;
    create function not_at_first() returns trigger language plpgsql as $$ begin
      case nextval('tries')
        when 1 then raise exception 'once more' using errcode = '40P01';
        when 2 then raise exception 'once more' using errcode = '40001';
        else return new;
      end case;
    end $$;
    create trigger not_at_first before insert on tag for each row execute function not_at_first()`);
  const engine = engineOn(base.pool(2), base.db);
  const { payload } = await engine.run(take, ['d'], { workspace, ...by });
  await base.db.execute('drop function not_at_first cascade');
  assert.equal(payload, 'd');
  assert.deepEqual([engine.counters.retried, engine.counters.poisoned], [2, 0]);
  await engine.stop();
});

test('after the queue timeout a command is refused; high priority has its turn', async () => {
  const lane = base.pool(1);
  let now = 0;
  const scheduler = { ...testScheduler, now: () => now };
  const engine = engineOn(lane, base.db, { scheduler, batches: 1, queueTimeout: 1_000 });
  const busy = await lane.connection();
  const first = engine.run(take, ['e'], { workspace, ...by });
  while (engine.counters.batches === 0) await new Promise(setImmediate);
  const usual = engine.run(take, ['f'], { workspace, ...by });
  const high = engine.run(takeFirst, ['g'], { workspace, ...by });
  now = 5_000;
  await assert.rejects(usual, (error: Refusal) => error.spec.code === 'OVERLOADED');
  busy.release();
  assert.deepEqual((await Promise.all([first, high])).map(({ payload }) => payload), ['e', 'g']);
  await engine.stop();
});

test('a stamp is the time of its workspace; one that is archived takes nothing', async () => {
  const other = (await createWorkspace(base.db, { name: 'later', currencies: ['USD'] })).workspace;
  const engine = engineOn(base.pool(2), base.db);
  const change = (set: string): Promise<number> =>
    base.db.execute({ text: `update workspace set ${set} where workspace = $1`, values: [other] });
  await change("clock_offset = interval '1 day'");
  await engine.run(take, ['h'], { workspace: other, ...by });
  const [row] = await base.db.query<{ ahead: boolean }>({
    text: `select made - clock_timestamp() between '23 hours' and '1 day' as ahead from tag
      where workspace = $1`,
    values: [other],
  });
  assert.equal(row?.ahead, true);
  await change('ended = clock_timestamp()');
  const refused = engine.run(take, ['i'], { workspace: other, ...by });
  await assert.rejects(refused, (error: Refusal) => error.spec.code === 'WORLD_ENDED');
  const rows = await base.db.query({ text: "select from tag where name = 'i'" });
  assert.deepEqual(rows, []);
  await engine.stop();
});
