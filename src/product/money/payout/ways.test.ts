// Which accounts a seller can add: by country, and by what pays. [G-91]
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waysFor } from './ways.ts';

test('US numbers are asked of nobody elsewhere, and an IBAN where SEPA reaches', () => {
  const simulator = ['bank', 'paypal'] as const;
  for (const [country, ways] of [
    ['US', ['bank', 'paypal']],
    ['FR', ['iban', 'paypal']],
    ['CH', ['iban', 'paypal']],
    ['BR', ['paypal']],
    ['', ['iban', 'bank', 'paypal']],
  ] as const) {
    assert.deepEqual(waysFor(country, simulator, true), ways, country);
  }
  assert.deepEqual(waysFor('FR', [], true), ['iban']);
  assert.deepEqual(waysFor('FR', ['payee'], false), ['payee']);
  assert.deepEqual(waysFor('BR', [], true), []);
  assert.deepEqual(waysFor('US', [], false), []);
});
