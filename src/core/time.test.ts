// Times keep their microseconds, sort as text and render in the four formats of [G-74].
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  addMicros,
  addSeconds,
  applicationTime,
  escrowTime,
  instantFromMillis,
  instantFromPostgres,
  invoiceTime,
  isInstant,
  laterOf,
  methodTime,
  millisOf,
  ofEscrowTime,
} from './time.ts';

test('PostgreSQL text keeps every digit of the fraction', () => {
  assert.equal(instantFromPostgres('2026-11-20 09:54:23+00'), '2026-11-20T09:54:23.000000Z');
  assert.equal(instantFromPostgres('2026-11-20 09:54:23.1+00'), '2026-11-20T09:54:23.100000Z');
  assert.equal(instantFromPostgres('2026-11-20 09:54:23.12+00'), '2026-11-20T09:54:23.120000Z');
  assert.equal(instantFromPostgres('2026-11-20 09:54:23.0012+00'), '2026-11-20T09:54:23.001200Z');
  assert.equal(instantFromPostgres('2026-11-20 09:54:23.12345+00'), '2026-11-20T09:54:23.123450Z');
  assert.equal(instantFromPostgres('2026-11-20 09:54:23.123456+00'), '2026-11-20T09:54:23.123456Z');
});

test('a time that is not UTC or not ISO is a fault', () => {
  const wrong = [
    '',
    'infinity',
    '-infinity',
    '2026-11-20',
    '2026-11-20 09:54:23',
    '2026-11-20 09:54:23.+00',
    '2026-11-20 09:54:23+01',
    '2026-11-20 09:54:23.1-00',
    '2026-11-20 09:54:23+05:30',
    '2026-11-20 09:54:23.1234567+00',
    '2026-11-20T09:54:23.1+00',
    '12026-11-20 09:54:23+00',
    '0044-03-15 09:54:23+00 BC',
    '20/11/2026 09:54:23.1+00',
    '2026-11-20 09:54-23+00',
    '2026-11-20 09:54:23,1+00',
  ];
  for (const text of wrong) assert.throws(() => instantFromPostgres(text), text);
});

test('milliseconds convert both ways', () => {
  const seed = 20261120;
  fc.assert(
    fc.property(fc.integer({ min: -6e13, max: 2.5e14 }), (ms) => {
      const instant = instantFromMillis(ms);
      assert.equal(instant.length, 27);
      assert.equal(millisOf(instant), ms);
      assert.ok(isInstant(instant));
    }),
    { seed },
  );
  assert.equal(millisOf('2026-11-20T09:54:23.123999Z'), Date.UTC(2026, 10, 20, 9, 54, 23, 123));
  assert.throws(() => instantFromMillis(Number.NaN));
  assert.throws(() => instantFromMillis(2.6e14));
  assert.throws(() => millisOf('2026-11-20'));
  assert.throws(() => millisOf('2026-13-20T09:54:23.123999Z'));
});

test('adding is exact in microseconds, orders as text, and can be undone', () => {
  assert.equal(addMicros('2026-12-31T23:59:59.999999Z', 1), '2027-01-01T00:00:00.000000Z');
  assert.equal(addMicros('2027-01-01T00:00:00.000000Z', -1), '2026-12-31T23:59:59.999999Z');
  assert.equal(addSeconds('2026-02-28T12:00:00.000001Z', 86_400), '2026-03-01T12:00:00.000001Z');
  assert.throws(() => addMicros('2026-12-31T23:59:59.999999Z', 0.5));
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 2e13 }),
      fc.integer({ min: 0, max: 999 }),
      fc.integer({ min: -1e15, max: 1e15 }),
      (ms, micros, n) => {
        const start = addMicros(instantFromMillis(ms), micros);
        const moved = addMicros(start, n);
        assert.equal(addMicros(moved, -n), start);
        assert.equal(moved > start, n > 0);
        assert.equal(laterOf(start, moved), n > 0 ? moved : start);
      },
    ),
    { seed: 7 },
  );
});

test('isInstant knows the calendar', () => {
  assert.ok(isInstant('2028-02-29T00:00:00.000000Z'));
  for (const text of ['2026-02-29T00:00:00.000000Z', '2026-01-01T24:00:00.000000Z', 'x', '']) {
    assert.ok(!isInstant(text), text);
  }
});

test('the four wire formats are rendered', () => {
  const instant = instantFromPostgres('2026-11-20 09:54:23.0123+00');
  assert.equal(invoiceTime(instant), '2026-11-20T09:54:23.012300Z');
  assert.equal(escrowTime(instant), '2026-11-20 09:54:23.012300 +0000 UTC');
  assert.equal(ofEscrowTime(escrowTime(instant)), instant);
  assert.equal(applicationTime(instant), '2026-11-20 09:54:23.012300');
  assert.equal(methodTime(instant), '2026-11-20 09:54:23');
});
