// The cap of refunds: thousands of random requests on random charges never return more than was
// charged, by line item, by method or in sum, and whatever is taken back is free again. [M12]
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newUuid } from '../../../core/ids.ts';
import { Refusal } from '../../../core/refusal.ts';
import { taxWithin, type SaleTerms, type Allocation } from '../invoice/index.ts';
import { refusedOf } from './render.ts';
import {
  allLeft,
  chargedBack,
  counted,
  EMPTY,
  partOfLine,
  sumOf,
  wouldPayTwice,
  type Returned,
  type RefundedAmounts,
} from './refunded.ts';

/** A seeded generator of integers from 0 to n - 1. */
function dice(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

interface Charge {
  readonly saleTerms: SaleTerms;
  readonly allocation: Allocation;
}

/** A charge of some line items, paid by some methods. */
function charge(roll: (n: number) => number): Charge {
  const lines = Array.from({ length: 1 + roll(4) }, () => {
    const amount = roll(500);
    const tax = { amount: roll(amount + 1), inclusive: roll(2) === 0 };
    return { id: newUuid(), amount, ...(roll(3) > 0 && { tax }) };
  });
  const total = sumOf(lines);
  const cuts = Array.from({ length: roll(3) }, () => roll(total + 1)).toSorted((a, b) => a - b);
  const ends = [...cuts, total];
  const charges = ends
    .map((end, at) => ({ amount: end - (ends[at - 1] ?? 0), id: newUuid(), method: newUuid() }))
    .filter((part) => part.amount > 0)
    .map((part) => ({ ...part, wallet: '', token: '' }));
  const saleTerms = { lines, methods: [], total } as unknown as SaleTerms;
  return { saleTerms, allocation: { total, charges, currency: 'USD' } as unknown as Allocation };
}

function holds(
  { saleTerms, allocation }: Charge,
  refundedAmounts: RefundedAmounts,
  back: readonly Returned[],
): void {
  const given = back.reduce((sum, one) => sum + one.amount, 0);
  assert.ok(given <= allocation.total);
  for (const line of saleTerms.lines) {
    const refunded = back.reduce((sum, one) => sum + (one.lines[line.id] ?? 0), 0);
    assert.equal(refundedAmounts.lines[line.id] ?? 0, refunded);
    assert.ok(refunded <= line.amount);
    const tax = line.tax?.amount ?? 0;
    const taxBack = back.reduce((sum, one) => sum + (one.taxes[line.id] ?? 0), 0);
    assert.equal(refundedAmounts.taxes[line.id] ?? 0, taxBack);
    assert.ok(taxBack >= 0 && taxBack <= tax && taxBack <= refunded);
    assert.ok(refunded - taxBack <= line.amount - tax, 'no more than the rest without tax');
    if (refunded === line.amount) assert.equal(taxBack, tax, 'all of it returns all of the tax');
  }
  for (const { id, amount } of allocation.charges) {
    const parts = back.flatMap((one) => one.parts).filter((part) => part.charge === id);
    assert.equal(refundedAmounts.methods[id]?.refunded ?? 0, sumOf(parts));
    assert.ok(sumOf(parts) <= amount);
  }
  for (const one of back) {
    assert.equal(sumOf(one.parts), one.amount);
    assert.equal(
      Object.values(one.lines).reduce((sum, n) => sum + n, 0),
      one.amount,
    );
  }
}

/** The outcome of a random request, or null where it was refused. */
function wished(
  { saleTerms, allocation }: Charge,
  refundedAmounts: RefundedAmounts,
  roll: (n: number) => number,
) {
  if (roll(4) === 0) {
    const all = allLeft(saleTerms, allocation, refundedAmounts);
    return all.amount === 0 ? null : all;
  }
  const line = saleTerms.lines[roll(saleTerms.lines.length)];
  const methods = allocation.charges.filter(() => roll(2) === 0).map((part) => part.method);
  const request = { id: line?.id ?? '', amount: 1 + roll(300), methods };
  try {
    return partOfLine(saleTerms, allocation, refundedAmounts, request);
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error));
    return null;
  }
}

test('random refunds, withdrawals and refused parts stay within the charge', () => {
  for (let seed = 1; seed <= 400; seed += 1) {
    const roll = dice(seed);
    const sold = charge(roll);
    let refundedAmounts = EMPTY;
    let back: Returned[] = [];
    for (let turn = 0; turn < 25; turn += 1) {
      const gone = back[roll(back.length * 3)];
      const request = gone === undefined ? wished(sold, refundedAmounts, roll) : null;
      if (gone !== undefined) {
        const refused = gone.parts.filter(() => roll(2) === 0).map((part) => part.method);
        const less = refusedOf(gone, refused);
        refundedAmounts = counted(refundedAmounts, less, -1);
        const rest = (of: 'lines' | 'taxes'): Returned['lines'] => {
          const left = Object.entries(gone[of]).map(([id, n]) => [id, n - (less[of][id] ?? 0)]);
          return Object.fromEntries(left);
        };
        const parts = gone.parts.filter((part) => !refused.includes(part.method));
        const amount = gone.amount - less.amount;
        const left = { amount, parts, lines: rest('lines'), taxes: rest('taxes') };
        back = [...back.filter((one) => one !== gone), left];
      } else if (request !== null) {
        refundedAmounts = counted(refundedAmounts, request, 1);
        back.push(request);
      }
      holds(sold, refundedAmounts, back);
    }
    const rest = allLeft(sold.saleTerms, sold.allocation, refundedAmounts);
    assert.equal(
      rest.amount + back.reduce((sum, one) => sum + one.amount, 0),
      sold.allocation.total,
    );
    holds(sold, counted(refundedAmounts, rest, 1), [...back, rest]);
  }
});

test('a line refunded in any parts has returned the proportion of its tax at each of them', () => {
  for (let seed = 1; seed <= 2_000; seed += 1) {
    const roll = dice(seed);
    const amount = 1 + roll(seed % 7 === 0 ? 99_999_999_999 : 400);
    const line = { amount, tax: { amount: roll(amount + 1), inclusive: true } };
    let back = { amount: 0, tax: 0 };
    while (back.amount < amount) {
      const left = amount - back.amount;
      const part = roll(4) === 0 ? left : 1 + roll(Math.min(left, Math.ceil(amount / 9)));
      const tax = taxWithin(line, part, back);
      back = { amount: back.amount + part, tax: back.tax + tax };
      const exact = 2n * BigInt(line.tax.amount) * BigInt(back.amount) + BigInt(amount);
      assert.equal(BigInt(back.tax), exact / (2n * BigInt(amount)), 'rounded half up');
    }
    assert.equal(back.tax, line.tax.amount);
  }
});

test('what a bank took back is not refunded, and a reserved refund of it would pay twice', () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const roll = dice(seed);
    const { saleTerms, allocation } = charge(roll);
    for (const { id, amount } of allocation.charges) {
      const reserved = allLeft(saleTerms, allocation, EMPTY);
      const taken = 1 + roll(amount);
      const both = chargedBack(counted(EMPTY, reserved, 1), id, taken);
      assert.ok(wouldPayTwice(allocation, both, reserved.parts));
      assert.equal(allLeft(saleTerms, allocation, both).amount, 0);
      const first = chargedBack(EMPTY, id, taken);
      const rest = allLeft(saleTerms, allocation, first);
      assert.equal(rest.amount, allocation.total - taken);
      assert.ok(!wouldPayTwice(allocation, counted(first, rest, 1), rest.parts));
    }
  }
});
