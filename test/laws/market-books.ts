// The books at the end of a program, line by line: entries, balances and chains, house accounts
// against the model, one event for each ended invoice, histories without a gap.
import assert from 'node:assert/strict';
import { balanceTable, houseAccountId, type PostingRow } from '../../src/ledger/index.ts';
import { WORLD } from './memory-core.ts';
import type { Market } from './market.ts';

/** Fails on the first law that does not hold. */
export function checkBooks(market: Market): void {
  const { core } = market;
  const sums = new Map<string, bigint>();
  const entries = new Map<string, bigint>();
  for (const line of core.postings) {
    add(sums, line.account_id, line.amount);
    add(entries, `${line.resource_id}:${line.version}`, line.amount);
    checkChain(line);
  }
  for (const [entry, sum] of entries) assert.equal(sum, 0n, `${entry} is off balance`);
  for (const balance of core.all(balanceTable)) {
    assert.equal(balance.amount, sums.get(balance.id) ?? 0n, 'a balance differs from its postings');
    assert.ok(balance.amount >= 0n);
  }
  checkHouse(market, sums);
  checkSales(market);
  checkHistories(market);

  function checkChain(line: PostingRow): void {
    if (line.account_version === null) return;
    assert.equal(line.balance_after, sums.get(line.account_id), 'a chain does not add up');
  }
}

function add(sums: Map<string, bigint>, key: string, amount: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + amount);
}

function checkHouse(market: Market, sums: ReadonlyMap<string, bigint>): void {
  const of = (kind: Parameters<typeof houseAccountId>[1]): bigint =>
    sums.get(houseAccountId(WORLD, kind, 'USD')) ?? 0n;
  let [held, captured] = [0n, 0n];
  for (const sale of market.sales) {
    for (const part of sale.parts) {
      if (sale.state === 'processing' && !part.card) held += part.amount;
      if (sale.state === 'success' && part.card) captured += part.amount;
    }
  }
  assert.equal(of('integrator_share'), market.share);
  assert.equal(of('holding'), held);
  assert.equal(of('processor_clearing'), -captured);
}

/** Credited exactly the total on success, nothing else; announced once when ended. */
function checkSales(market: Market): void {
  const events = new Map<string, number>();
  for (const { resource_id } of market.core.outbox) {
    events.set(resource_id, (events.get(resource_id) ?? 0) + 1);
  }
  const last = new Map(market.core.steps.map((step) => [step.resource_id, step]));
  for (const sale of market.sales) {
    const ended = sale.state === 'success' || sale.state === 'failed';
    assert.equal(events.get(sale.id) ?? 0, ended ? 1 : 0, 'events of an invoice');
    if (sale.state !== 'success') continue;
    const version = last.get(sale.id)?.version;
    const credited = market.core.postings
      .filter((line) => line.resource_id === sale.id && line.version === version)
      .reduce((sum, line) => sum + (line.amount > 0n ? line.amount : 0n), 0n);
    assert.equal(credited, sale.total);
  }
}

function checkHistories(market: Market): void {
  const seen = new Map<string, { version: number; state: string }>();
  for (const step of market.core.steps) {
    const before = seen.get(step.resource_id) ?? { version: 0, state: '' };
    assert.equal(step.version, before.version + 1);
    assert.equal(step.from_state, before.state);
    seen.set(step.resource_id, { version: step.version, state: step.to_state });
  }
}
