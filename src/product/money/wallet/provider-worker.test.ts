// The pauses between calls to the processor grow, but never beyond the limits for a payment in
// progress and for a busy processor. [U6, U10, M7]
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pauseMs, type Pause } from './provider-worker.ts';

/** How many calls fit into `ms` milliseconds if each is answered the same at once. */
function triesWithin(why: Pause, ms: number, chance: number): number {
  let tries = 0;
  for (let at = 0; at <= ms; tries += 1) at += pauseMs(why, tries, chance);
  return tries;
}

test('a processor that is busy for ten minutes is asked at most 30 times, and goes on', () => {
  for (const chance of [0, 0.5, 1]) {
    const tries = triesWithin('busy', 600_000, chance);
    assert.ok(tries >= 10 && tries <= 30, `${tries} tries`);
  }
});

test('what is unknown is asked about several times within any minute', () => {
  for (let tries = 0; tries < 50; tries += 1) {
    assert.ok(pauseMs('unknown', tries, 1) <= 15_000);
    assert.ok(pauseMs('unknown', tries, 0) >= 375);
  }
});

test('pauses grow, and chance spreads those who fail together', () => {
  const pauses = [0, 1, 2, 3].map((tries) => pauseMs('unknown', tries, 1));
  assert.deepEqual(pauses, [500, 1_000, 2_000, 4_000]);
  assert.equal(pauseMs('unknown', 2, 0), 1_500);
});

test('a bank is left alone for ten minutes at most', () => {
  for (const tries of [0, 20]) assert.equal(pauseMs('pending', tries, 1), 600_000);
});
