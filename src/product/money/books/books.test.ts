// The books of two tenants after a few payments: coverage for the tenant and for everybody, and
// what programs read of lifecycles and codes. [G-99]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openBench, type Bench } from '../../../../test/kit/domain-bench.ts';
import { operations } from '../../tell/reference/api.ts';
import type { Coverage } from './coverage.ts';

let bench: Bench;
let buyer = '';
before(async () => {
  bench = await openBench();
  buyer = await bench.newAccount();
  const body = { account_id: buyer, currency: 'USD', amount: 1_000 };
  await bench.must('sandboxDeposit', { body });
});
after(() => bench.close());

const readByAnybody = (integrator: string) =>
  bench.call('getPublishedCoverage', { params: { integrator } });

test('coverage is what is held against what is owed, by currency', async () => {
  const { currencies, integrator } = await bench.must<Coverage>('getCoverage');
  assert.equal(integrator, bench.home.integrator);
  const usd = currencies.find(({ currency }) => currency === 'USD');
  assert.deepEqual(usd?.held, {
    ...{ processor: 0, in_transit: 0, bank: 0, elsewhere: 0, sandbox: 1_000, total: 1_000 },
  });
  assert.deepEqual(usd?.owed, {
    ...{ wallets: 1_000, restricted: 0, escrows: 0, in_transit: 0, total: 1_000 },
  });
  assert.equal(usd?.covered, true);
  const theirs = await bench.must<Coverage>('getCoverage', { caller: bench.caller(bench.other) });
  assert.ok(theirs.currencies.every(({ held }) => held.total === 0), 'of another tenant');
});

test('nobody else reads it before the tenant publishes it, and after it ends that', async () => {
  const { integrator } = bench.home;
  const unknown = await readByAnybody('nobody');
  assert.equal(unknown.code, 'COVERAGE_NOT_FOUND');
  assert.deepEqual(await readByAnybody(integrator), unknown);
  for (const published of [true, false]) {
    await bench.must('changeCoverageSettings', { body: { published } });
    assert.deepEqual(await bench.must('getCoverageSettings'), { published });
    const { status } = await readByAnybody(integrator);
    assert.equal(status, published ? 200 : 404);
    assert.equal((await readByAnybody(bench.other.integrator)).status, 404);
  }
});

test('lifecycles and codes are those of the rows', async () => {
  type Lifecycles = { name: string; states: string[]; moves: { on: string; emits: string }[] }[];
  const lifecycles = await bench.must<Lifecycles>('listLifecycles');
  const escrow = lifecycles.find(({ name }) => name === 'escrow');
  assert.ok(escrow);
  assert.ok(escrow.states.includes('COMMITTED'));
  const commit = escrow.moves.find(({ on }) => on === 'commit');
  assert.equal(commit?.emits, 'escrow-transaction-update');
  type Errors = { errors: { code: string; statuses: number[] }[]; failures: object[] };
  const { errors, failures } = await bench.must<Errors>('listErrors');
  const account = errors.find(({ code }) => code === 'ACCOUNT_NOT_FOUND');
  assert.deepEqual(account?.statuses, [400, 404]);
  assert.equal(new Set(errors.map(({ code }) => code)).size, errors.length);
  assert.ok(failures.length > 5);
});

test('production shows no move that it does not have', async () => {
  const list = operations.find(({ id }) => id === 'listLifecycles');
  assert.ok(list);
  const services = { ...bench.services, env: 'production' } as const;
  const request = { caller: bench.caller(bench.home), params: {}, query: {}, body: null };
  const { payload } = await list.run(services, { ...request, idempotency: null, headers: {} });
  const events = (payload as { moves: { on: string }[] }[]).flatMap(({ moves }) => moves);
  assert.ok(!events.some(({ on }) => on === 'set'));
});
