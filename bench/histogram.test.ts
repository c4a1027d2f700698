// The histogram against sorted arrays: percentiles are at most 1 % too high and never too low.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Histogram } from './histogram.ts';

/** A small random number generator, so that a failing run can be repeated. */
function* numbers(seed: number): Generator<number, never> {
  let state = seed;
  for (;;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}

test('percentiles are within one percent of those of the sorted values', () => {
  const random = numbers(20_240_611);
  const histogram = new Histogram();
  const values: number[] = [];
  for (let i = 0; i < 50_000; i += 1) {
    const value = Math.floor(Math.exp(random.next().value * 16));
    values.push(value);
    histogram.record(value);
  }
  values.sort((a, b) => a - b);
  for (const share of [0.001, 0.1, 0.5, 0.9, 0.99, 0.999, 1]) {
    const exact = values[Math.ceil(share * values.length) - 1] ?? 0;
    const told = histogram.percentile(share);
    assert.ok(told >= exact, `${share}: ${told} is below ${exact}`);
    assert.ok(told <= exact * 1.01 + 1, `${share}: ${told} is far above ${exact}`);
  }
});

test('small values are exact, extremes are counted, and an empty histogram gives 0', () => {
  const histogram = new Histogram();
  assert.equal(histogram.percentile(0.99), 0);
  for (const value of [0, 1, 2, 127, 128, 255]) histogram.record(value);
  assert.equal(histogram.percentile(0.5), 2);
  assert.equal(histogram.percentile(1), 255);
  histogram.record(-5);
  histogram.record(Number.MAX_SAFE_INTEGER);
  assert.equal(histogram.percentile(1), 0x7fffffff);
  assert.equal(histogram.total, 8);
});

test('buckets carry over to another histogram without loss', () => {
  const one = new Histogram();
  for (const value of [3, 3, 900, 12_345, 9_999_999]) one.record(value);
  const other = new Histogram();
  other.add(one.buckets());
  other.add(one.buckets());
  assert.equal(other.total, 10);
  assert.equal(other.percentile(0.5), one.percentile(0.5));
  assert.equal(other.percentile(1), one.percentile(1));
});
