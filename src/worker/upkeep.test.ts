// Upkeep repeats until nothing is left, continues after a fault, and ends when told.
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { startUpkeep } from './upkeep.ts';

/** Lets everything run that waits for nothing but its turn. */
async function settle(): Promise<void> {
  for (let n = 0; n < 20; n += 1) await Promise.resolve();
}

async function tick(ms: number): Promise<void> {
  mock.timers.tick(ms);
  await settle();
}

test('each row has its own interval and repeats until nothing is left', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const said: string[] = [];
  const left = [3, 1, 0, 0, 2, 0];
  const upkeep = startUpkeep(
    [
      { name: 'often', everySeconds: 1, run: async () => (said.push('often'), left.shift() ?? 0) },
      { name: 'rarely', everySeconds: 3, run: async () => (said.push('rarely'), 0) },
    ],
    (error) => assert.fail(String(error)),
  );
  await settle();
  assert.deepEqual(said, [], 'the first turn waits for one interval');
  await tick(1_000);
  assert.deepEqual(said.splice(0), ['often', 'often', 'often']);
  await tick(999);
  assert.deepEqual(said.splice(0), []);
  await tick(1);
  assert.deepEqual(said.splice(0), ['often']);
  await tick(1_000);
  assert.deepEqual(said.splice(0).toSorted(), ['often', 'often', 'rarely']);
  await upkeep.stop();
  await tick(60_000);
  assert.deepEqual(said, [], 'nothing after the end');
  mock.timers.reset();
});

test('a fault is reported with its row, and the next turn runs', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const faults: unknown[] = [];
  let runs = 0;
  const run = async (): Promise<number> => {
    runs += 1;
    if (runs === 1) throw new Error('away');
    return 0;
  };
  const upkeep = startUpkeep([{ name: 'row', everySeconds: 5, run }], (error, name) =>
    faults.push([(error as Error).message, name]),
  );
  await tick(5_000);
  assert.deepEqual(faults, [['away', 'row']]);
  await tick(5_000);
  assert.deepEqual([runs, faults.length], [2, 1]);
  await upkeep.stop();
  mock.timers.reset();
});

test('a stop waits for running work and begins nothing more', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  let runs = 0;
  let finish = (_count: number): void => {};
  const run = (): Promise<number> => {
    runs += 1;
    return new Promise((resolve) => (finish = resolve));
  };
  const upkeep = startUpkeep([{ name: 'row', everySeconds: 1, run }], () => assert.fail('fault'));
  await tick(1_000);
  let ended = false;
  const stopping = upkeep.stop().then(() => (ended = true));
  await settle();
  assert.equal(ended, false);
  finish(7);
  await stopping;
  assert.equal(runs, 1, 'though there was more to do');
  mock.timers.reset();
});
