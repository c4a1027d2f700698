// A match weight in percent is never rounded up.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { percentOf } from './words.ts';

test('only a perfect match is shown as 100 %', () => {
  const shown = [10_000, 9_999, 9_995, 9_990, 9_989, 8_500, 0].map(percentOf);
  assert.deepEqual(shown, ['100.0 %', '99.9 %', '99.9 %', '99.9 %', '99.8 %', '85.0 %', '0.0 %']);
});
