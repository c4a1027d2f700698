// What is asked of lists when they are measured, and how the answer is told.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lists } from '../src/catalogue.ts';
import { timeFilters } from '../src/core/list.ts';
import { querySchema } from '../src/product/tell/list/schema.ts';
import { casesOf, type SeenRow } from './list-cases.ts';
import { timeLine, timesOf } from './lists.ts';
import { readOptions } from './options.ts';

const DAYS = [['2030-01-31', '2030-02-01']] as const;

test('every filter of every list is asked for, with values that it takes', () => {
  for (const list of lists) {
    const state = list.filters['state']?.words?.[0] ?? 'open';
    const row: SeenRow = { state, currency: 'USD', amount: 5, blocked: false, account_id: null };
    const cases = casesOf(list, [row, row], null, DAYS);
    const names = new Set(cases.flatMap(({ query }) => Object.keys(query)));
    assert.deepEqual(Object.keys(list.filters).filter((name) => !names.has(name)), [], list.name);
    assert.ok(timeFilters(list).every((name) => names.has(name)), list.name);
    const whats = cases.map(({ what }) => what);
    assert.equal(new Set(cases.map(({ query }) => JSON.stringify(query))).size, cases.length);
    assert.equal(whats[0], 'newest');
    for (const { query } of cases) assert.ok(querySchema(list).safeParse(query).success);
  }
});

test('a value with an index of its own is told from one that is looked for', () => {
  const [payouts] = lists.filter(({ name }) => name === 'payouts');
  assert.ok(payouts);
  const row: SeenRow = { currency: 'USD', amount: 5, state: 'SUCCESS' };
  const cases = casesOf(payouts, [row], 'deep', []).map(({ what }) => what);
  assert.deepEqual(cases.slice(0, 2), ['newest', 'deep']);
  for (const what of ['on_hold, index', 'amount, scan', 'account_id of none, index']) {
    assert.ok(cases.includes(what), `${what}: ${cases.join()}`);
  }
});

test('percentiles are told with what misses', () => {
  const hundred = Array.from({ length: 100 }, (_, at) => at + 1);
  assert.deepEqual(timesOf(hundred), { p50: 50, p95: 95 });
  assert.equal(timeLine('x', { p50: 1, p95: 100, cpu: 2 }), '    1.0   100.0     2.0  x');
  assert.match(timeLine('x', { p50: 1, p95: 100.1, cpu: 2 }), /MISSES 100 ms$/);
});

test('measuring lists runs nothing else', () => {
  const options = readOptions(['--lists'], 'main.ts');
  assert.deepEqual([options.lists, options.parts.size, options.write], [true, 0, false]);
});
