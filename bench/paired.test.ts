// The comparison of two checkouts: the median's confidence interval by coin counting, and the
// verdict.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Figures } from './figures.ts';
import { rngOf } from './peoples/index.ts';
import { medianInterval, pairedLines, verdict } from './paired.ts';

const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => count - at);

test('the interval drops as many draws at either end as tables of the sign test do', () => {
  for (const [count, interval] of [
    [0, null],
    [5, null],
    [6, [1, 6]],
    [8, [1, 8]],
    [9, [2, 8]],
    [10, [2, 9]],
    [20, [6, 15]],
    [100, [40, 61]],
  ] as const) {
    assert.deepEqual(medianInterval(upTo(count)), interval, String(count));
  }
});

test('of 2,000 noisy runs of ten the interval misses the true ratio in 5 % at most', () => {
  const rng = rngOf(7);
  // Skewed with outliers, like a busy machine; half of the draws are above 1.
  const draw = (): number => {
    const [off, far] = [rng() ** 2 * 0.1, rng() < 0.1 ? 5 : 1];
    return rng() < 0.5 ? 1 + off * far : 1 - (off * far) / 2;
  };
  let missed = 0;
  for (let run = 0; run < 2_000; run += 1) {
    const [low = 0, high = 0] = medianInterval(Array.from({ length: 10 }, draw)) ?? [];
    if (low > 1 || high < 1) missed += 1;
  }
  // 2.1 % is expected; the rest is chance.
  assert.ok(missed > 20 && missed < 70, String(missed));
});

test('more than 3 % slower or more expensive is a miss, and an open result is reported', () => {
  const [rate, cpu] = [{ bar: 0.97 }, { bar: 1.03 }] as const;
  assert.equal(verdict(rate, 0.99, [0.975, 1.01]), 'hit');
  assert.match(verdict(rate, 0.99, [0.96, 1.01]), /^hit, but not surely/);
  assert.match(verdict(rate, 1.2, null), /^hit, but not surely/);
  assert.equal(verdict(rate, 0.9, [0.88, 0.95]), 'miss');
  assert.match(verdict(rate, 0.96, [0.9, 0.98]), /^miss, but not surely/);
  assert.equal(verdict(cpu, 0.8, [0.7, 1.03]), 'hit');
  assert.equal(verdict(cpu, 1.1, [1.04, 1.2]), 'miss');
});

test('both measures are reported with median, interval and target', () => {
  const figures = new Figures();
  for (const ratio of [0.9, 1.1, 1.01, 0.99, 1.02, 1]) {
    figures.add('paired.rate', ratio);
    figures.add('paired.cpu', ratio + 0.2);
  }
  const [rate = '', cpu = ''] = pairedLines(figures).map((line) => line.split('median ')[1]);
  assert.match(rate, /^1\.005 of 6 rounds \(95 %: 0\.900 to 1\.100\), at least 0\.97: hit, but/);
  assert.match(cpu, /^1\.205 of 6 rounds \(95 %: 1\.100 to 1\.300\), at most 1\.03: miss$/);
});
