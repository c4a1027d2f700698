// Fees and splits are exact to the last minor unit and stay within the caps.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { allocate, feeOf, isFraction, LINE_CAP, proportionOf, toWire, TOTAL_CAP } from './money.ts';

const amounts = fc.bigInt({ min: 0n, max: TOTAL_CAP });

test('caps are those of the rule', () => {
  assert.equal(LINE_CAP, 99_999_999_999n);
  assert.equal(TOTAL_CAP, BigInt(Number.MAX_SAFE_INTEGER));
});

test('fees round half up', () => {
  assert.equal(feeOf(100n, '0.029'), 3n);
  assert.equal(feeOf(50n, '0.01'), 1n);
  assert.equal(feeOf(49n, '0.01'), 0n);
  assert.equal(feeOf(150n, '0.01'), 2n);
  assert.equal(feeOf(250n, '0.01'), 3n);
  assert.equal(feeOf(1n, '0.5'), 1n);
  assert.equal(feeOf(1n, '0.499999'), 0n);
  assert.equal(feeOf(0n, '1'), 0n);
  assert.equal(feeOf(TOTAL_CAP, '1.000000'), TOTAL_CAP);
  assert.equal(feeOf(TOTAL_CAP, '0'), 0n);
  assert.equal(feeOf(TOTAL_CAP, '0.000001'), 9_007_199_255n);
});

test('a fee is within half a unit of the exact value, and never above the amount', () => {
  fc.assert(
    fc.property(amounts, fc.integer({ min: 0, max: 1_000_000 }), (amount, millionths) => {
      const fraction = (millionths / 1e6).toFixed(6);
      const fee = feeOf(amount, fraction);
      const error = fee * 1_000_000n - amount * BigInt(millionths);
      assert.ok(error > -500_000n && error <= 500_000n);
      assert.ok(fee >= 0n && fee <= amount);
    }),
    { seed: 30 },
  );
});

test('only plain decimals from 0 to 1 are fractions', () => {
  for (const text of ['0', '1', '0.0', '1.0', '0.5', '0.123456', '1.000000']) {
    assert.ok(isFraction(text), text);
  }
  const wrong = ['', '.5', '0.', '00.5', '1.1', '1.000001', '2', '-0', '-0.1', '+0.1', '0,5'];
  wrong.push('0.1234567', '1e-2', '0x1', ' 0.5', '0.5\n', 'NaN', '٠.٥', '0.5%');
  for (const text of wrong) {
    assert.ok(!isFraction(text), text);
    assert.throws(() => feeOf(1n, text), text);
  }
  assert.throws(() => feeOf(-1n, '0.5'));
});

test('a proportion rounds half up, and of nothing it is nothing', () => {
  assert.equal(proportionOf(1, 1, 1), 1);
  assert.equal(proportionOf(5, 1, 2), 3);
  assert.equal(proportionOf(7, 1, 3), 2);
  assert.equal(proportionOf(8, 1, 3), 3);
  assert.equal(proportionOf(0, 1, 2), 0);
  assert.equal(proportionOf(1, 0, 2), 0);
  assert.equal(proportionOf(5, 0, 0), 0);
  const cap = Number.MAX_SAFE_INTEGER;
  assert.equal(proportionOf(cap, cap, cap), cap);
  assert.equal(proportionOf(cap, cap - 1, cap), cap - 1);
});

test('splits sum exactly, stay near the proportion, and depend on nothing but the input', () => {
  const weight = fc.bigInt({ min: 0n, max: 10n ** 12n });
  const weights = fc.array(weight, { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(amounts, weights, (total, shares) => {
      const sum = shares.reduce((a, b) => a + b, 0n);
      fc.pre(sum > 0n);
      const parts = allocate(total, shares);
      assert.equal(parts.length, shares.length);
      assert.equal(parts.reduce((a, b) => a + b, 0n), total);
      for (const [at, part] of parts.entries()) {
        const floor = (total * shares[at]!) / sum;
        assert.ok(part === floor || part === floor + 1n);
        if (shares[at] === 0n) assert.equal(part, 0n);
      }
      assert.deepEqual(allocate(total, shares), parts);
    }),
    { seed: 31 },
  );
});

test('left-over units go to the largest remainders, the earlier first', () => {
  assert.deepEqual(allocate(100n, [1n, 1n, 1n]), [34n, 33n, 33n]);
  assert.deepEqual(allocate(2n, [1n, 1n, 1n]), [1n, 1n, 0n]);
  assert.deepEqual(allocate(10n, [1n, 2n, 3n]), [2n, 3n, 5n]);
  assert.deepEqual(allocate(5n, [0n, 1n]), [0n, 5n]);
  assert.deepEqual(allocate(5n, [3n, 3n, 1n]), [2n, 2n, 1n]);
  assert.deepEqual(allocate(9n, [1n, 5n, 2n, 5n]), [1n, 4n, 1n, 3n]);
  assert.deepEqual(allocate(0n, [0n, 0n]), [0n, 0n]);
  assert.deepEqual(allocate(0n, []), []);
  assert.throws(() => allocate(1n, []));
  assert.throws(() => allocate(1n, [0n, 0n]));
  assert.throws(() => allocate(-1n, [1n]));
  assert.throws(() => allocate(1n, [2n, -1n]));
});

test('only what JSON keeps goes to the wire', () => {
  assert.equal(toWire(TOTAL_CAP), Number.MAX_SAFE_INTEGER);
  assert.equal(toWire(-TOTAL_CAP), -Number.MAX_SAFE_INTEGER);
  assert.ok(Object.is(toWire(0n), 0));
  assert.throws(() => toWire(TOTAL_CAP + 1n));
  assert.throws(() => toWire(-TOTAL_CAP - 1n));
});
