// A database that takes no writes (read-only, disk full, unreachable) is not healthy; neither is
// one that has just answered several statements with such errors.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { testDatabase, type TestDatabase } from '../../test/kit/database.ts';
import { BEATING, Database, Heartbeat } from './index.ts';

let base: TestDatabase;
before(async () => (base = await testDatabase()));
after(() => base?.drop());

/** Runs `work` on a heartbeat after its first beat, with a clock that `work` advances. */
async function beating(work: (heart: Heartbeat, wait: (ms: number) => void) => Promise<void>) {
  let at = 0;
  const heart = new Heartbeat(new Database({ ...BEATING, url: base.url }), () => at);
  assert.equal(heart.well, false, 'nothing is known before the first beat');
  await heart.begin();
  try {
    await work(heart, (ms) => void (at += ms));
  } finally {
    await heart.close();
  }
}

async function setting(name: string, value: string, work: () => Promise<void>): Promise<void> {
  const database = new URL(base.url).pathname.slice(1);
  await base.db.execute(`alter database ${database} set ${name} = ${value}`);
  try {
    await work();
  } finally {
    // This session began before the setting, so it can still write.
    await base.db.execute(`alter database ${database} reset ${name}`);
  }
}

test('a beat counts for three seconds', () =>
  beating(async (heart, wait) => {
    assert.deepEqual([heart.well, heart.away], [true, false]);
    wait(2_900);
    assert.deepEqual([heart.well, heart.away], [true, false]);
    wait(200);
    assert.deepEqual([heart.well, heart.away], [false, true]);
    await heart.begin();
    assert.deepEqual([heart.well, heart.away], [true, false]);
  }));

test('a read-only or full database is unhealthy', async () => {
  const ill = (): Promise<void> => beating(async (heart) => assert.equal(heart.well, false));
  await setting('default_transaction_read_only', 'on', ill);
  // The server's own limit for what a statement may put on disk.
  await setting('temp_file_limit', "'8kB'", ill);
  await beating(async (heart) => assert.equal(heart.well, true));
});

test('three full-disk errors in a row mean unhealthy until five calm seconds have passed', () =>
  beating(async (heart, wait) => {
    for (const state of ['53100', '23505', '58030', '40001']) heart.told(state);
    assert.equal(heart.well, true, 'two of them, and two that say something else');
    heart.told('25006');
    assert.equal(heart.well, false);
    await heart.begin();
    assert.equal(heart.well, false, 'so soon a beat is not believed');
    wait(5_001);
    await heart.begin();
    assert.equal(heart.well, true);
    for (let n = 0; n < 5; n += 1) {
      heart.told('53100');
      wait(10_001);
    }
    await heart.begin();
    assert.equal(heart.well, true, 'each long after the one before it');
  }));
