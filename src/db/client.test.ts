// A connection that falls silent or breaks the protocol is dropped within its time limit: its
// waiters get an error, idle connections beside it are replaced, and the next statement succeeds.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { testDatabase, type TestDatabase } from '../../test/kit/database.ts';
import { openWire, type Wire } from '../../test/kit/wire.ts';
import { CONNECT_MS, Database, isUnreachable, listen, SharedReads } from './index.ts';

const ANSWER_MS = 300;

let base: TestDatabase;
let wire: Wire;
before(async () => {
  base = await testDatabase();
  wire = await openWire(base.url);
});
after(async () => {
  await wire?.close();
  await base?.drop();
});

async function withPool(max: number, work: (pool: Database) => Promise<void>): Promise<void> {
  const pool = new Database({ url: wire.url, max, answerMs: ANSWER_MS });
  try {
    await work(pool);
  } finally {
    await pool.close();
  }
}

const sleep = (db: Database, ms: number): Promise<unknown> =>
  db.query({ text: 'select pg_sleep($1::float8)', values: [ms / 1000] });

test('when all connections fall silent, one statement is lost, not one per connection', () =>
  withPool(4, async (pool) => {
    await Promise.all(Array.from({ length: 4 }, () => sleep(pool, 50)));
    await delay(600);
    wire.silence();
    await assert.rejects(pool.query('select 1'), isUnreachable);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => pool.query(`select ${n} as n`)),
    );
    assert.equal(answers.length, 8);
  }));

test('a transaction on a silent connection is lost at the next statement', () =>
  withPool(1, async (pool) => {
    const lost = pool.transaction(async (tx) => {
      await tx.query('select 1');
      wire.silence();
      await tx.query('select 2');
    });
    await assert.rejects(lost, isUnreachable);
    assert.equal((await pool.query('select 1')).length, 1);
  }));

test('shared reads notice silence too', async () => {
  const reads = new SharedReads({ url: wire.url, max: 1, answerMs: ANSWER_MS });
  await reads.query('select 1 as n');
  wire.silence();
  await assert.rejects(reads.query('select 1 as n'), isUnreachable);
  assert.deepEqual(await reads.query('select 2 as n'), [{ n: 2 }]);
  await reads.close();
});

test('a listener notices silence by itself, where nothing else is asked', async () => {
  const lost = Promise.withResolvers<void>();
  const told = { heard: () => {}, lost: () => lost.resolve() };
  const ear = await listen({ url: wire.url, answerMs: ANSWER_MS }, 'nothing', told);
  wire.silence();
  const late = delay(5_000, 'nobody was told', { ref: false });
  assert.equal(await Promise.race([lost.promise, late]), undefined);
  await ear.close();
});

describe('connections that answer', { concurrency: true }, () => {
  test('a connection that answers in time is kept, however much it is asked', () =>
    withPool(1, async (pool) => {
      const pid = async (): Promise<unknown> => (await pool.query('select pg_backend_pid()'))[0];
      const before = await pid();
      for (let n = 0; n < 4; n += 1) await sleep(pool, ANSWER_MS / 2);
      await delay(2 * ANSWER_MS);
      assert.deepEqual(await pid(), before);
    }));

  test('a database that accepts connections but never answers is given up', async () => {
    const mute = await openWire(base.url);
    const pool = new Database({ url: mute.url, max: 1, answerMs: ANSWER_MS });
    const held = mute.hold('holdfast');
    const refused = assert.rejects(pool.query('select 1'), isUnreachable);
    await held;
    await refused;
    assert.equal((await pool.query('select 1')).length, 1);
    await pool.close();
    await mute.close();
  });
});

test('a process that stood still while it connected has its connection', () =>
  withPool(1, async (pool) => {
    const asked = pool.query('select 1 as n');
    for (const until = performance.now() + CONNECT_MS + 200; performance.now() < until; );
    assert.deepEqual(await asked, [{ n: 1 }]);
  }));

test('a connection past its age limit is replaced, also a shared one', async () => {
  const young = { url: wire.url, max: 1, ageMinutes: 0.005 };
  const pool = new Database(young);
  const reads = new SharedReads(young);
  const pids = (): Promise<unknown[][]> =>
    Promise.all([pool, reads].map((db) => db.query('select pg_backend_pid() as pid')));
  const before = await pids();
  await delay(400);
  const now = await pids();
  assert.notDeepEqual(now[0], before[0]);
  assert.notDeepEqual(now[1], before[1]);
  await Promise.all([pool.close(), reads.close()]);
});

const answered = Buffer.from('C\0\0\0\x0dSELECT 1\0', 'latin1');
const ended = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
const narrow = Buffer.from([0x44, 0, 0, 0, 6, 0, 0]);

test('a protocol breach is noticed also on prepared statements', () =>
  withPool(1, async (pool) => {
    const all = (): Promise<unknown[][]> =>
      pool.ownTransaction((tx) =>
        Promise.all(
          tx.together(() => [
            tx.query<unknown>({ name: 'first', text: 'select 1 as n' }),
            tx.query<unknown>({ name: 'second', text: 'select 2 as n' }),
            tx.query<unknown>({ name: 'none', text: 'select 3 as n where false' }),
          ]),
        ),
      );
    for (const bytes of [answered, Buffer.concat([answered, ended]), narrow]) {
      assert.deepEqual(await all(), [[{ n: 1 }], [{ n: 2 }], []]);
      void wire.lie('first', bytes);
      await assert.rejects(all(), isUnreachable);
    }
    assert.deepEqual(await all(), [[{ n: 1 }], [{ n: 2 }], []]);
  }));

/** Protocol messages that come unasked, and bytes that are no message. */
const row = Buffer.from([0x44, 0, 0, 0, 0x0b, 0, 1, 0, 0, 0, 1, 0x37]);
const NONSENSE: Readonly<Record<string, Buffer>> = {
  'a row that nobody described': row,
  'an answer too many': answered,
  'an end too early': ended,
  'bytes of no message': Buffer.from([0x01, 0, 0, 0, 4]),
  'a message that is shorter than it says': Buffer.from([0x54, 0, 0, 0, 6, 0x7f, 0xff]),
  'a message that never ends': Buffer.from([0x44, 0x3f, 0xff, 0xff, 0xff]),
};

for (const [what, bytes] of Object.entries(NONSENSE)) {
  test(`${what} costs only its connection`, () =>
    withPool(1, async (pool) => {
      await pool.query('select 1');
      void wire.lie('together', bytes);
      const lost = pool.ownTransaction((tx) =>
        Promise.all(
          tx.together(() => [
            tx.query({ name: 'together', text: 'select 1 as n' }),
            tx.query({ text: 'select 2 as n' }),
          ]),
        ),
      );
      await assert.rejects(lost, isUnreachable);
      void wire.lie('alone', bytes);
      await assert.rejects(pool.query('select 1 as alone'));
      assert.deepEqual(await pool.query('select 3 as n'), [{ n: 3 }]);
    }));
}
