// Slots: how many work at once, who comes next, and how waiting ends.
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { setImmediate as tick } from 'node:timers/promises';
import { Slots } from './slots.ts';

class Full extends Error {}

/** Slots whose work ends on command, and what has begun. */
function scene(limits: { most: number; mostWaiting?: number; waitMs?: number }) {
  const slots = new Slots({ ...limits, full: () => new Full() });
  const begun: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const work = (name: string, holder: string | null = null): Promise<void> =>
    slots.run(holder, () => {
      begun.push(name);
      return new Promise((resolve, reject) =>
        ends.set(name, (error) => (error === undefined ? resolve() : reject(error))),
      );
    });
  return { begun, work, end: (name: string, error?: Error) => ends.get(name)?.(error) };
}

test('so many work at once, and the others follow in their order', async () => {
  const { begun, work, end } = scene({ most: 2 });
  const all = ['a', 'b', 'c', 'd'].map((name) => work(name));
  await tick();
  assert.deepEqual(begun, ['a', 'b']);
  end('b');
  await tick();
  assert.deepEqual(begun, ['a', 'b', 'c']);
  end('a', new Error('failed'));
  await assert.rejects(all[0] as Promise<void>, /failed/);
  await tick();
  assert.deepEqual(begun, ['a', 'b', 'c', 'd'], 'a failure frees its slot');
});

test('a holder has one slot; who has none goes ahead, and null is nobody', async () => {
  const { begun, work, end } = scene({ most: 3 });
  for (const [name, holder] of [['a', 'x'], ['b', 'x'], ['c', 'y'], ['d', null]] as const) {
    void work(name, holder);
  }
  void work('e');
  await tick();
  assert.deepEqual(begun, ['a', 'c', 'd']);
  end('a');
  await tick();
  assert.deepEqual(begun, ['a', 'c', 'd', 'b']);
  end('d');
  await tick();
  assert.deepEqual(begun.at(-1), 'e');
});

test('nobody joins a full queue, and its place is free again', async () => {
  const { begun, work, end } = scene({ most: 1, mostWaiting: 1 });
  void work('a');
  void work('b');
  await assert.rejects(work('c'), Full);
  end('a');
  await tick();
  void work('d');
  await assert.rejects(work('e'), Full);
  end('b');
  await tick();
  assert.deepEqual(begun, ['a', 'b', 'd']);
});

test('who waits too long gets no slot and holds up nobody', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const { begun, work, end } = scene({ most: 1, waitMs: 100 });
  void work('a');
  const late = assert.rejects(work('b'), Full);
  mock.timers.tick(99);
  void work('c');
  mock.timers.tick(1);
  await late;
  end('a');
  await tick();
  assert.deepEqual(begun, ['a', 'c']);
  mock.timers.tick(100);
  end('c');
  mock.timers.reset();
});
