// Statements sent in one packet: in order, each with its own answer. After one fails the rest fail
// too, and the connection stays usable.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { testDatabase, type TestDatabase } from '../../test/kit/database.ts';
import { SharedReads, sqlState, type Transaction } from './index.ts';

let base: TestDatabase;
before(async () => (base = await testDatabase()));
after(() => base.drop());

const ADD = { name: 'add', text: 'select $1::int8 + 1 as n, null::text as nothing' };

async function onConnection(work: (connection: Transaction) => Promise<void>): Promise<void> {
  const connection = await base.db.connection();
  try {
    await work(connection);
  } finally {
    connection.release();
  }
}

test('each statement of a group gets its own answer', () =>
  onConnection(async (connection) => {
    for (let turn = 0; turn < 2; turn += 1) {
      const answers = await connection.together(() =>
        Promise.all([
          connection.execute({ name: 'begin', text: 'begin' }),
          connection.query({ ...ADD, values: [41] }),
          connection.query({ ...ADD, values: ['7'] }),
          connection.query({ text: `select now() > $1 as later`, values: ['2020-01-01'] }),
          connection.execute('create temp table kept (n int) on commit drop'),
          connection.execute({ text: 'insert into kept select generate_series(1, 3)' }),
          connection.execute({ name: 'commit', text: 'commit' }),
        ]),
      );
      assert.deepEqual(answers.slice(1), [
        [{ n: 42n, nothing: null }],
        [{ n: 8n, nothing: null }],
        [{ later: true }],
        0,
        3,
        0,
      ]);
    }
  }));

test('after one fails the rest fail, and its prepared statements can be used again', () =>
  onConnection(async (connection) => {
    const last = { name: 'last', text: 'select 1 as one' };
    const settled = await Promise.allSettled(
      connection.together(() => [
        connection.execute('begin'),
        connection.query({ name: 'divide', text: 'select 1 / $1::int as n', values: [0] }),
        connection.query(last),
        connection.execute('commit'),
      ]),
    );
    const done = settled.map(({ status }) => status === 'fulfilled');
    assert.deepEqual(done, [true, false, false, false]);
    assert.equal(sqlState((settled[1] as PromiseRejectedResult).reason), '22012');
    await connection.execute('rollback');
    const again = connection.together(() => [
      connection.query({ name: 'divide', text: 'select 1 / $1::int as n', values: [1] }),
      connection.query(last),
    ]);
    assert.deepEqual(await Promise.all(again), [[{ n: 1 }], [{ one: 1 }]]);
  }));

test('two statements of one name are refused before anything is sent', () =>
  onConnection(async (connection) => {
    const work = (text: string): Promise<unknown> =>
      connection.together(() => connection.query({ name: 'same', text }));
    await work('select 1 as n');
    await assert.rejects(work('select 2 as n'), /two statements are named same/);
    assert.deepEqual(await work('select 1 as n'), [{ n: 1 }]);
  }));

test('only plain values are accepted', () =>
  onConnection(async (connection) => {
    const values = [[1, 2]];
    const refused = connection.together(() => connection.query({ text: 'select $1', values }));
    await assert.rejects(refused, /no plain value/);
    assert.deepEqual(await connection.query('select 1 as n'), [{ n: 1 }]);
  }));

test('reads of one turn share a group, and a broken connection is replaced', async () => {
  const reads = new SharedReads({ url: base.url, max: 1 });
  try {
    const find = (n: number): Promise<unknown> => reads.query({ ...ADD, values: [n] });
    const [one, two] = await Promise.all([find(1), find(2)]);
    assert.deepEqual([one, two], [[{ n: 2n, nothing: null }], [{ n: 3n, nothing: null }]]);
    await assert.rejects(reads.query('select pg_terminate_backend(pg_backend_pid())'));
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.deepEqual(await find(3), [{ n: 4n, nothing: null }]);
  } finally {
    await reads.close();
  }
});
