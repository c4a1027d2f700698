// The laws of money on the pure decisions: any history of everything that moves money, with every
// fault of processor, callers and people, leaves every cent where the model says. No database, no
// clock. [M1, M4, M8, M9, M10, M12, M14, M15, M16]
import { test } from 'node:test';
import { proveOne, seen } from '../laws/histories.ts';

const SEEDS = 5;
const base = Number(process.env['HOLDFAST_TEST_SEED'] ?? 20_261_120);
/** Programs for each seed and each kind of processor; `npm run prove` raises it. */
const RUNS = Number(process.env['HOLDFAST_LAW_RUNS'] ?? 200);

function prove(lying: boolean): void {
  for (let seed = base; seed < base + SEEDS; seed += 1) {
    for (let n = 0; n < RUNS; n += 1) proveOne(seed, n, lying);
  }
}

const seeds = `seeds ${base} to ${base + SEEDS - 1}, ${RUNS} histories each`;

test('money is where the model says after any history with an honest processor', (t) => {
  prove(false);
  t.diagnostic(seeds);
});

test('money is where the model says even with arbitrary processor answers', (t) => {
  prove(true);
  t.diagnostic(`${seeds}: ${JSON.stringify(Object.fromEntries(seen.ends))}`);
});
