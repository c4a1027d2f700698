// The currency table agrees with ISO 4217: count, known values, and Intl except where Intl is
// wrong.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CURRENCY_CODES, digitsOf, displayAmount } from './currency.ts';

test('the table holds the active codes with a minor unit', () => {
  // 178 active codes (as in Debian's iso-codes 4.20.1), 13 of them without a minor unit.
  assert.equal(CURRENCY_CODES.length, 165);
  assert.deepEqual([...CURRENCY_CODES].sort(), CURRENCY_CODES);
  for (const code of CURRENCY_CODES) assert.match(code, /^[A-Z]{3}$/);
});

test('digits that other tables get wrong', () => {
  const expected = {
    USD: 2, EUR: 2, GBP: 2, JPY: 0, KWD: 3, BHD: 3, OMR: 3, TND: 3, JOD: 3, LYD: 3, IQD: 3,
    HUF: 2, ISK: 0, CLP: 0, CLF: 4, UYW: 4, UYI: 0, UYU: 2, MRU: 2, MGA: 2, XCG: 2, ZWG: 2,
    VES: 2, VED: 2, IDR: 2, COP: 2, TWD: 2, UGX: 0, VND: 0, KRW: 0, XOF: 0, XPF: 0, PYG: 0,
    RWF: 0, SLE: 2, XAD: 2,
  };
  for (const [code, digits] of Object.entries(expected)) assert.equal(digitsOf(code), digits, code);
});

test('an inactive or unknown currency has no digits', () => {
  const ended = ['ANG', 'BGN', 'HRK', 'SLL', 'ZWL', 'CUC', 'VEF', 'MRO', 'DEM', 'BYR', 'STD'];
  const unitless = ['XAU', 'XAG', 'XPT', 'XPD', 'XDR', 'XSU', 'XUA', 'XTS', 'XXX', 'XBA'];
  const nonsense = ['', 'usd', 'US', 'USDX', 'constructor', '__proto__', 'toString'];
  for (const code of [...ended, ...unitless, ...nonsense]) assert.equal(digitsOf(code), null, code);
});

test('Intl agrees, except where it rounds for display', () => {
  const rounded = new Set(
    ('AFN ALL COP HUF IDR IQD IRR KPW LAK LBP MGA MMK PKR SOS SYP YER ' +
      'BOV CHE CHW CLF COU MXV USN UYI UYW VED XAD XCG ZWG SLE').split(' '),
  );
  let compared = 0;
  for (const code of CURRENCY_CODES) {
    if (rounded.has(code)) continue;
    const format = new Intl.NumberFormat('en', { style: 'currency', currency: code });
    assert.equal(digitsOf(code), format.resolvedOptions().maximumFractionDigits, code);
    compared += 1;
  }
  assert.equal(compared, 135);
  const others = new Map([['IQD', 3], ['CLF', 4], ['UYW', 4], ['UYI', 0]]);
  for (const code of rounded) assert.equal(digitsOf(code), others.get(code) ?? 2, code);
});

test('amounts are shown without grouping, with the digits of their currency', () => {
  assert.equal(displayAmount(200n, 'USD'), 'USD 2.00');
  assert.equal(displayAmount(155, 'JPY'), 'JPY 155');
  assert.equal(displayAmount(0n, 'USD'), 'USD 0.00');
  assert.equal(displayAmount(5n, 'USD'), 'USD 0.05');
  assert.equal(displayAmount(50, 'USD'), 'USD 0.50');
  assert.equal(displayAmount(0, 'JPY'), 'JPY 0');
  assert.equal(displayAmount(1n, 'KWD'), 'KWD 0.001');
  assert.equal(displayAmount(12345n, 'CLF'), 'CLF 1.2345');
  assert.equal(displayAmount(99_999_999_999n, 'USD'), 'USD 999999999.99');
  assert.equal(displayAmount(9_007_199_254_740_991n, 'USD'), 'USD 90071992547409.91');
  assert.equal(displayAmount(-5n, 'USD'), 'USD -0.05');
  assert.equal(displayAmount(-1234, 'JPY'), 'JPY -1234');
  assert.equal(displayAmount(-0, 'USD'), 'USD 0.00');
  assert.equal(displayAmount(7, 'GEM', 0), 'GEM 7');
  assert.equal(displayAmount(7, 'GEM', 8), 'GEM 0.00000007');
  assert.throws(() => displayAmount(7, 'GEM'));
  assert.throws(() => displayAmount(1.5, 'USD'));
});

test('an amount below one unit has its zeros, with up to four digits', () => {
  const shown = ['JPY', 'USD', 'KWD', 'CLF'].map((code) => displayAmount(1, code));
  assert.deepEqual(shown, ['JPY 1', 'USD 0.01', 'KWD 0.001', 'CLF 0.0001']);
});
