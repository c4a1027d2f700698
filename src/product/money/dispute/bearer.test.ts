// How a loss is shared: by what the sale paid each seller, rounded down, never more than the loss.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Allocation } from '../invoice/index.ts';
import { sharesOf } from './decide.ts';

function paid(integrator: number, ...credits: readonly (readonly [string, number])[]): Allocation {
  const parts = credits.map(([wallet, amount]) => {
    return { owner: `owner of ${wallet}`, wallet, restricted: `r ${wallet}`, amount };
  });
  const total = parts.reduce((sum, { amount }) => sum + amount, integrator);
  return { buyer: 'b', currency: 'USD', total, charges: [], credits: parts, integrator, tax: 0 };
}

const shares = (sale: Allocation, loss: bigint): unknown[] =>
  sharesOf(sale, loss).map(({ wallet, amount }) => [wallet, amount]);

test('a whole loss is owed as it was paid; the part of the integrator is nobody\'s', () => {
  assert.deepEqual(shares(paid(100, ['a', 500], ['b', 400]), 1_000n), [['a', 500n], ['b', 400n]]);
  assert.deepEqual(shares(paid(70), 70n), []);
});

test('a seller of several line items owes once, and a part of a loss in proportion', () => {
  const sale = paid(0, ['a', 1], ['b', 1], ['a', 1]);
  const of = { account: 'owner of a', wallet: 'a', restricted: 'r a' };
  assert.deepEqual(sharesOf(sale, 2n), [{ ...of, amount: 1n }]);
  assert.deepEqual(shares(sale, 3n), [['a', 2n], ['b', 1n]]);
});

test('shares never sum to more than the loss, nor exceed what was paid', () => {
  const sale = paid(333, ['a', 1], ['b', 99_999_999_999], ['c', 7]);
  for (let loss = 0n; loss <= BigInt(sale.total); loss += 12_345_678_901n) {
    const all = sharesOf(sale, loss);
    const sum = all.reduce((total, { amount }) => total + amount, 0n);
    assert.ok(sum <= loss && loss - sum <= 333n + 3n, `${loss}`);
    for (const { wallet, amount } of all) {
      const credit = sale.credits.find((one) => one.wallet === wallet);
      assert.ok(amount > 0n && amount <= BigInt(credit?.amount ?? 0));
    }
  }
});
