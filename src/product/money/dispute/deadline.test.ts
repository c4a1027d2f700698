// When a dispute's deadline is warned of: three days before, or half of what is left.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addSeconds } from '../../../core/time.ts';
import { warningOf } from './deadline.ts';

const DAY = 86_400;
const NOW = '2026-03-01T12:00:00.000000Z';
const inDays = (days: number) => addSeconds(NOW, days * DAY);

test('a warning comes three days before the deadline', () => {
  assert.equal(warningOf(NOW, inDays(14)), inDays(11));
  assert.equal(warningOf(NOW, inDays(6)), inDays(3));
});

test('where less than six days are left, it comes at half of them', () => {
  assert.equal(warningOf(NOW, inDays(4)), inDays(2));
  assert.equal(warningOf(NOW, addSeconds(NOW, 3)), addSeconds(NOW, 2));
});

test('a deadline that has passed is its own warning, and without one there is none', () => {
  assert.equal(warningOf(NOW, inDays(-1)), inDays(-1));
  assert.equal(warningOf(NOW, null), null);
});
