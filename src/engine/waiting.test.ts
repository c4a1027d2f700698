// Who has waited too long, on a clock that the test moves.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Refusal } from '../core/refusal.ts';
import { ConcurrencyLimit } from './concurrency.ts';
import { arriving, type Pending } from './pending.ts';
import { Waiting } from './waiting.ts';

const PATIENCE = 1_000;

function scene() {
  let now = 0;
  let isAway = false;
  const scheduler = { now: () => now, soon() {}, after() {}, chance: () => 0 };
  const waiting = new Waiting({ scheduler, queueTimeout: PATIENCE, away: () => isAway });
  const refused: string[] = [];
  const arrived = (name: string, highPriority: boolean): Pending =>
    arriving({
      command: {
        name,
        batchable: true,
        ...(highPriority && { highPriority: true as const }),
        load() {},
        decide: () => ({ status: 200, payload: null }),
      },
      input: null,
      submission: { workspace: 1, actor: 'test' },
      line: 1,
      arrived: now,
      settle() {},
      fail: (error) => refused.push(`${name} ${(error as Refusal).spec.code}`),
    });
  const both = [arrived('usual', false), arrived('high', true)];
  const left = (): string[] => waiting.dropLate(both).map(({ command }) => command.name);
  return { left, refused, pass: (ms: number) => (now += ms), away: () => (isAway = true) };
}

test('after the queue timeout a command is refused; one of high priority waits on', () => {
  const { left, refused, pass } = scene();
  pass(PATIENCE);
  assert.deepEqual([left(), refused], [['usual', 'high'], []]);
  pass(1);
  assert.deepEqual([left(), refused], [['high'], ['usual OVERLOADED']]);
  pass(1_000_000);
  assert.deepEqual(left(), ['high']);
});

test('nobody waits long for a database that is away', () => {
  const { left, refused, pass, away } = scene();
  away();
  assert.deepEqual(left(), ['usual', 'high']);
  pass(PATIENCE + 1);
  assert.deepEqual([left(), refused], [[], ['usual OVERLOADED', 'high OVERLOADED']]);
});

test('a small group does not start beside a larger one, and none beyond the limit', () => {
  const limit = new ConcurrencyLimit(2);
  assert.ok(limit.allows(1), 'alone always');
  limit.started(10);
  assert.deepEqual([limit.allows(9), limit.allows(10)], [false, true]);
  limit.started(10);
  assert.equal(limit.allows(1_000), false);
  limit.ended();
  limit.ended();
  assert.ok(limit.allows(1));
});
