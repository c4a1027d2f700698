// The chart of accounts: which kinds have a running balance, and one id for each system account of
// a lineage, kind and currency.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  SYSTEM_ACCOUNT_KINDS,
  systemAccount,
  systemAccountId,
  tracked,
  TRACKED_KINDS,
} from './chart.ts';

test('wallets and what is restricted in them have a running balance', () => {
  assert.deepEqual(TRACKED_KINDS, ['wallet', 'kept_back']);
  const entry = { account_id: 'a', currency: 'USD', amount: 5n };
  assert.deepEqual(tracked('a', 'USD', 5n), { ...entry, tracked: true });
  const account_id = systemAccountId(3, 'escrow', 'USD');
  assert.deepEqual(systemAccount(3, 'escrow', 'USD', 5n), { ...entry, account_id, tracked: false });
});

test('each system account has its own id, the same each time', () => {
  const kinds = Object.keys(SYSTEM_ACCOUNT_KINDS) as (keyof typeof SYSTEM_ACCOUNT_KINDS)[];
  const ids = [1, 2].flatMap((lineage) =>
    ['USD', 'EUR'].flatMap((code) => kinds.map((kind) => systemAccountId(lineage, kind, code))),
  );
  assert.equal(new Set(ids).size, 4 * kinds.length);
  assert.equal(systemAccountId(1, kinds[0] ?? 'escrow', 'USD'), ids[0]);
});
