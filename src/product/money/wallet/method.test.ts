// How payment methods are shown: by the names of brands, and in which currency. [G-47]
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cardLabel, shownCurrency } from './method.ts';

test('a card is shown by the name of its brand and its last four digits', () => {
  const shown = {
    'visa': 'Visa',
    'master-card': 'Mastercard',
    'american-express': 'American Express',
    'discover': 'Discover',
    'diners-club': 'Diners Club',
    'jcb': 'JCB',
    'union-pay': 'UnionPay',
    'maestro': 'Maestro',
    'ach': 'Bank account',
    'paypal': 'PayPal account',
    'a brand of tomorrow': 'Card',
  };
  for (const [brand, name] of Object.entries(shown)) {
    assert.equal(cardLabel(brand, '1111'), `${name} ending in 1111`);
  }
});

test('cards show dollars where they are enabled, else the first currency', () => {
  const enabled = (...codes: string[]) => new Map(codes.map((code) => [code, null]));
  assert.equal(shownCurrency(enabled('EUR', 'USD')), 'USD');
  assert.equal(shownCurrency(enabled('CHF', 'EUR')), 'CHF');
  assert.equal(shownCurrency(enabled()), 'USD');
});
