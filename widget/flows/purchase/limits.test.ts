// Cards can pay up to 10,000 units of a currency; other methods have no limit here.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withinLimit } from './limits.ts';

test('a card pays up to ten thousand, in minor units of its currency', () => {
  assert.equal(withinLimit('card', { total: 1_000_000, currency: 'USD' }), true);
  assert.equal(withinLimit('card', { total: 1_000_001, currency: 'USD' }), false);
  assert.equal(withinLimit('card', { total: 10_000, currency: 'JPY' }), true);
  assert.equal(withinLimit('card', { total: 10_001, currency: 'JPY' }), false);
  assert.equal(withinLimit('paypal', { total: 1_000_001, currency: 'USD' }), true);
  assert.equal(withinLimit('card', null), true);
});
