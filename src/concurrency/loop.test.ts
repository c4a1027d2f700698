// A loop: its interval, how it is woken, what a failed turn does, and how it stops.
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { setImmediate as settle } from 'node:timers/promises';
import { startLoop } from './loop.ts';

async function tick(ms: number): Promise<void> {
  mock.timers.tick(ms);
  await settle();
}

/** A loop of one second whose turns end on command. */
function scene(pauseMs?: number) {
  mock.timers.enable({ apis: ['setTimeout'] });
  const faults: unknown[] = [];
  const ends: ((error?: Error) => void)[] = [];
  const loop = startLoop({
    everyMs: 1_000,
    ...(pauseMs === undefined ? {} : { pauseMs }),
    turn: () =>
      new Promise<void>((resolve, reject) =>
        ends.push((error) => (error === undefined ? resolve() : reject(error))),
      ),
    fault: (error) => faults.push(error),
  });
  const end = async (error?: Error): Promise<void> => {
    ends.at(-1)?.(error);
    await settle();
  };
  return { loop, faults, end, turns: () => ends.length };
}

test('turns come at their interval, from the end of one to the next', async (t) => {
  t.after(() => mock.timers.reset());
  const { end, turns } = scene();
  await tick(999);
  assert.equal(turns(), 0);
  await tick(1);
  assert.equal(turns(), 1);
  await tick(5_000);
  assert.equal(turns(), 1, 'they do not overlap');
  await end();
  await tick(999);
  assert.equal(turns(), 1);
  await tick(1);
  assert.equal(turns(), 2);
});

test('a wake brings a turn at once, and during a turn another one after it', async (t) => {
  t.after(() => mock.timers.reset());
  const { loop, end, turns } = scene();
  loop.wake();
  assert.equal(turns(), 1);
  loop.wake();
  loop.wake();
  assert.equal(turns(), 1);
  await end();
  assert.equal(turns(), 2);
  await end();
  assert.equal(turns(), 2, 'two wakes shared it');
});

test('with a pause, what wakes meanwhile shares the turn', async (t) => {
  t.after(() => mock.timers.reset());
  const { loop, end, turns } = scene(20);
  loop.wake();
  await tick(10);
  loop.wake();
  assert.equal(turns(), 0);
  await tick(10);
  assert.equal(turns(), 1);
  loop.wake();
  await end();
  await tick(19);
  assert.equal(turns(), 1);
  await tick(1);
  assert.equal(turns(), 2);
});

test('a failed turn is reported, and the next one comes', async (t) => {
  t.after(() => mock.timers.reset());
  const { faults, end, turns } = scene();
  await tick(1_000);
  const error = new Error('away');
  await end(error);
  assert.deepEqual(faults, [error]);
  await tick(1_000);
  assert.equal(turns(), 2);
});

test('a stop waits for the running turn, and nothing follows', async (t) => {
  t.after(() => mock.timers.reset());
  const { loop, end, turns } = scene();
  await tick(1_000);
  loop.wake();
  let ended = false;
  const stopping = Promise.all([loop.settled(), loop.stop()]).then(() => (ended = true));
  await settle();
  assert.equal(ended, false);
  await end();
  await stopping;
  loop.wake();
  await tick(60_000);
  assert.equal(turns(), 1);
});
