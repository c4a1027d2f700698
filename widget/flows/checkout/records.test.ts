// What a buyer is told after a failure, and how often an invoice is polled.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../../../test/kit/english.ts';
import { adviceOf, waitBefore } from './records.ts';

const failed: Parameters<typeof adviceOf>[0] = {};

test('a failure says what to do, also an unknown one', () => {
  assert.match(adviceOf({ ...failed, failure_code: 'card_expired' }), /Use another card/);
  const odd = adviceOf({ ...failed, failure_code: 'odd', failure_reason: 'It rained.' });
  assert.equal(odd, 'It rained. Try again, or use another method. You were not charged.');
  assert.equal(adviceOf(failed), 'Try again, or use another method. You were not charged.');
  const taken = adviceOf({ ...failed, failure_code: 'amount_mismatch' });
  assert.doesNotMatch(taken, /You were not charged/);
});

test('the first poll is at once, later ones every three seconds', () => {
  const waits = Array.from({ length: 12 }, (_, look) => waitBefore(look));
  assert.equal(waits[0], 0);
  assert.equal(waits[1], 500);
  assert.equal(waits.at(-1), 3000);
  assert.deepEqual(waits, waits.toSorted((a, b) => a - b));
});
