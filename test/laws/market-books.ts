// The ledger at the end of a program, entry by entry: balances and chains, every system account
// against the model, exactly the expected events, histories without a gap.
import assert from 'node:assert/strict';
import {
  balanceTable,
  SYSTEM_ACCOUNT_KINDS,
  systemAccountId,
  type SystemAccountKind,
  type PostingRow,
} from '../../src/ledger/index.ts';
import { CURRENCY, WORKSPACE } from './memory-core.ts';
import { Market } from './market.ts';

/** Fails on the first law that does not hold. */
export function checkBooks(market: Market): void {
  const { core, model } = market;
  const sums = new Map<string, bigint>();
  const entries = new Map<string, bigint>();
  for (const line of core.postings) {
    add(sums, line.account_id, line.amount);
    add(entries, `${line.resource_id}:${line.version}:${line.currency}`, line.amount);
    checkChain(line, sums);
  }
  for (const [entry, sum] of entries) assert.equal(sum, 0n, `${entry} is off balance`);
  for (const balance of core.all(balanceTable)) {
    assert.equal(balance.amount, sums.get(balance.id) ?? 0n, 'a balance differs from its postings');
    assert.ok(balance.amount >= 0n, 'a balance below zero');
  }
  for (const kind of Object.keys(SYSTEM_ACCOUNT_KINDS) as SystemAccountKind[]) {
    const sum = sums.get(systemAccountId(WORKSPACE, kind, CURRENCY)) ?? 0n;
    assert.equal(sum, model.systemAccounts[kind], `${kind} differs`);
  }
  assert.equal(
    model.folded + core.unfolded,
    model.systemAccounts.integrator_share,
    'credits are lost',
  );
  checkEvents(market);
  checkHistories(market);
}

function checkChain(line: PostingRow, sums: ReadonlyMap<string, bigint>): void {
  if (line.account_version === null) return;
  assert.equal(line.balance_after, sums.get(line.account_id), 'a chain does not add up');
}

function add(sums: Map<string, bigint>, key: string, amount: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + amount);
}

/** What was announced is what had to be: nothing twice, nothing left out, nothing else. */
function checkEvents({ core, model }: Market): void {
  const seen = new Map<string, number>();
  for (const { name, resource_id } of core.outbox.slice(Market.before.outbox.length)) {
    const key = `${name} ${resource_id}`;
    seen.set(key, (seen.get(key) ?? 0) + 1);
  }
  for (const [key, times] of model.events) assert.equal(seen.get(key), times, key);
  for (const key of seen.keys()) assert.ok(model.events.has(key), `${key} was announced`);
}

function checkHistories({ core }: Market): void {
  const seen = new Map<string, { version: number; state: string }>();
  for (const step of core.steps) {
    const before = seen.get(step.resource_id) ?? { version: 0, state: '' };
    assert.equal(step.version, before.version + 1);
    assert.equal(step.from_state, before.state);
    seen.set(step.resource_id, { version: step.version, state: step.to_state });
  }
}
