// The laws of money on the pure core: any history of sales, payments, answers and circumstances
// leaves every cent where the model says. No database, no clock. [M1, M4, M8, M9, M14, M16]
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { programs, type Program } from './actions.ts';
import { Market } from './market.ts';

const SEEDS = 5;
const base = Number(process.env['HOLDFAST_TEST_SEED'] ?? 20_261_120);
/** Programs for each seed; `npm run prove` raises it. */
const RUNS = Number(process.env['HOLDFAST_LAW_RUNS'] ?? 1_000);

/** Plays a program to its end; gives in which states its invoices are. */
function play({ plans, actions }: Program): string[] {
  const market = new Market(plans);
  for (const action of actions) market.step(action);
  market.end();
  return market.sales.map((sale) => `${sale.state} ${sale.failure ?? ''}`);
}

function prove(lying: boolean, runs: number, seed: number, ends: Map<string, number>): void {
  fc.assert(
    fc.property(programs(lying), (program) => {
      for (const end of play(program)) ends.set(end, (ends.get(end) ?? 0) + 1);
    }),
    { seed, numRuns: runs },
  );
}

test('money is where the model says after any history with an honest processor', (t) => {
  const ends = new Map<string, number>();
  for (let n = 0; n < SEEDS; n += 1) prove(false, RUNS, base + n, ends);
  t.diagnostic(`seeds ${base} to ${base + SEEDS - 1}: ${JSON.stringify(Object.fromEntries(ends))}`);
  for (const end of ['success ', 'failed card_declined', 'failed insufficient_funds']) {
    assert.ok((ends.get(end) ?? 0) > RUNS / 20, `histories hardly ever end as ${end}`);
  }
});

test('money is where the model says even when anybody answers for the processor', (t) => {
  const ends = new Map<string, number>();
  for (let n = 0; n < SEEDS; n += 1) prove(true, RUNS, base + n, ends);
  t.diagnostic(`seeds ${base} to ${base + SEEDS - 1}: ${JSON.stringify(Object.fromEntries(ends))}`);
  assert.ok((ends.get('success ') ?? 0) > 0);
});
