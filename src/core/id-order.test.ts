// Fresh ids against a clock that the test moves: a millisecond is kept until its counter is full,
// and no clock that steps back breaks their order.
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';

const START = 1_800_000_000_000;
mock.timers.enable({ apis: ['Date'], now: START });
// Only now: the source takes the clock when it is loaded.
const { systemRandom } = await import('./random.ts');
const { millisOfUuid } = await import('./ids.ts');

interface Parts {
  readonly ms: number;
  readonly count: number;
}

function parts(): Parts {
  const id = systemRandom.uuid();
  return { ms: millisOfUuid(id) - START, count: Number.parseInt(id.slice(15, 18), 16) };
}

test('ids count through a millisecond, and go on in the next when it is full or over', () => {
  const first = parts();
  assert.ok(first.ms === 0 && first.count < 1_024, JSON.stringify(first));
  for (let count = first.count + 1; count < 4_096; count += 1) {
    assert.deepEqual(parts(), { ms: 0, count });
  }
  const next = parts();
  assert.ok(next.ms === 1 && next.count < 1_024, JSON.stringify(next));
  mock.timers.setTime(START - 60_000);
  assert.deepEqual(parts(), { ms: 1, count: next.count + 1 });
  mock.timers.setTime(START + 1);
  assert.deepEqual(parts(), { ms: 1, count: next.count + 2 });
  mock.timers.setTime(START + 2);
  const later = parts();
  assert.ok(later.ms === 2 && later.count < 1_024, JSON.stringify(later));
});
