// What a sale leaves behind, and what grows under a soak, from readings.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOfSale, depthOf, grownLines, type Reading } from './grown.ts';
import { readOptions } from './options.ts';
import { growth, pilesUp, slopeOf, soakLines, type Churn, type Minute } from './soak.ts';

function reading(sales: number, hits: number, table: number, index: number, depth = 2): Reading {
  const relations = [
    { table: 'step', index: '', bytes: table, depth: 0 },
    { table: 'step', index: 'step_pkey', bytes: index, depth },
    { table: 'tenant', index: '', bytes: 8192, depth: 0 },
  ];
  return { sales, hits, reads: 0, relations };
}

test('bytes of a sale are what each relation grew by, most first', () => {
  const { each, sum } = bytesOfSale(reading(100, 0, 8192, 16384), reading(200, 0, 28192, 66384));
  assert.deepEqual(
    each.map(({ index, bytes }) => [index, bytes]),
    [['step_pkey', 500], ['', 200], ['', 0]],
  );
  assert.equal(sum, 700);
});

test('the depth of an index follows from its pages where nothing tells it', () => {
  // A root alone, with leaves below it, with a level between.
  assert.deepEqual([1, 2, 3, 150, 1_000, 30_000].map(depthOf), [1, 1, 2, 2, 3, 4]);
});

test('both databases are printed, without what a sale does not touch', () => {
  const before = [reading(100, 0, 0, 0), reading(1_000, 0, 0, 0)] as const;
  const grown = reading(1_200, 9_000, 40_000, 20_000, 3);
  const after = [reading(200, 4_000, 20_000, 9_000), grown] as const;
  const [small = '', large = '', ...rest] = grownLines(before, after, true);
  assert.match(small, /from 100 to 200 sales; 40\.0 hits/);
  assert.match(large, /from 1,000 to 1,200 sales; 45\.0 hits/);
  assert.deepEqual(rest.slice(1), [
    '    200     200  step',
    '     90     100    step_pkey  2 to 3 levels',
    '    290     300  in all',
  ]);
});

test('the slope is that of least squares, with its standard error', () => {
  assert.deepEqual(slopeOf([1, 3, 5, 7]), { slope: 2, error: 0 });
  const { slope, error } = slopeOf([1, 2, 1.3, 3.75, 2.25]);
  assert.ok(Math.abs(slope - 0.425) < 1e-9 && Math.abs(error - 0.305) < 1e-4, `${slope} ${error}`);
});

test('memory leaks where it rises above the bar and not by chance', () => {
  const rising = Array.from({ length: 20 }, (_, at) => 200 + at / 20 + (at % 2) / 10);
  assert.equal(growth(rising).leaks, true);
  assert.match(growth(rising.map((value, at) => value - at / 20)).text, /: flat$/);
  const noise = growth([200, 207, 199, 206, 204, 201, 209]);
  assert.equal(noise.leaks, false);
  assert.match(noise.text, /not surely flat/);
  assert.deepEqual(growth([200, 300]), { leaks: false, text: 'too few minutes to tell' });
});

test('dead rows that only grow are a fault once autovacuum is overdue', () => {
  const series = (...dead: number[]): Churn[] =>
    dead.map((each) => ({ table: 'balance', live: 1_000, dead: each, vacuumed: '' }));
  assert.equal(pilesUp(series(100, 300, 501)), true);
  assert.equal(pilesUp(series(100, 300, 500)), false);
  assert.equal(pilesUp(series(100, 900, 800, 1_000)), false);

  const minutes = [0, 1, 2, 3, 4, 5].map((at): Minute => {
    const tables = series(200 * at);
    const same = { heap: 50, code: 8, handles: 9, files: 40, connections: 12 };
    return { ...same, resident: 200 + at, tables };
  });
  const { lines, faults } = soakLines(minutes);
  assert.deepEqual(lines.map((line) => line.slice(0, 11)), ['heap memory']);
  assert.match(faults.join('\n'), /^resident memory .* grows\ndead rows of balance only grow$/);
});

test('a comparison with a grown database and a soak run nothing else', () => {
  const grown = readOptions(['--grown', '--stored', '50000'], 'main.ts');
  assert.deepEqual([grown.grown, grown.stored, grown.parts.size], [true, 50_000, 0]);
  assert.deepEqual([grown.rounds, grown.seconds, grown.write], [10, 4, false]);
  const soak = readOptions(['--soak', '30'], 'main.ts');
  assert.deepEqual([soak.soak, soak.parts.size, soak.write], [30, 0, false]);
  assert.throws(() => readOptions(['--soak', 'long'], 'x'), /--soak wants a whole number/);
});
