// Properties of the course of an escrow: parts divide it to the cent, whatever they are and in
// whichever order; and the clock does everything that is planned, in its order, each after its
// warning. [G-94, G-95]
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { accountId, newUuid } from '../../src/core/ids.ts';
import { addSeconds, instantFromMillis, millisOf } from '../../src/core/time.ts';
import type { Course, Part, PlannedDate } from '../../src/product/money/escrow/course.ts';
import {
  afterWarning,
  datesOf,
  nextDue,
  shifted,
  withoutDate,
} from '../../src/product/money/escrow/dates.ts';
import { invoiceOf } from '../../src/product/money/escrow/index.ts';
import { Held } from '../../src/product/money/escrow/shares.ts';
import { allocationIn, type SaleTerms } from '../../src/product/money/invoice/index.ts';
import { partInvoice } from '../laws/market-escrows.ts';

const START = instantFromMillis(1_800_000_000_000);
const cents = fc.integer({ min: 0, max: 400 });
const recipients = fc.array(fc.tuple(cents, cents), { maxLength: 3 });
const lines = fc.array(fc.tuple(cents, cents, recipients), { minLength: 1, maxLength: 4 });
const wishes = fc.array(
  fc.tuple(
    fc.constantFrom('release', 'keep', 'return'),
    fc.nat(3),
    fc.integer({ min: 1, max: 900 }),
  ),
  { maxLength: 12 },
);
const id = accountId(newUuid());

type Shape = readonly [tax: number, share: number, paid: readonly [number, number][]];

function termsOf(shapes: readonly Shape[], first: number): SaleTerms {
  const sold = shapes.map(([tax, own, paid]) => {
    const to = paid.map(([amount, fee]) => ({
      ...{ id: newUuid(), amount, wallet: newUuid(), kept_back: newUuid(), account_id: id },
      ...{ method: newUuid(), fee: { id: newUuid(), amount: fee } },
    }));
    const paidOut = to.reduce((sum, one) => sum + one.amount + one.fee.amount, 0);
    const rest = to.length === 0 ? own : paidOut;
    const share = to.length === 0 ? newUuid() : undefined;
    const taxed = { tax: { id: newUuid(), amount: tax, inclusive: false } };
    return { id: newUuid(), amount: tax + rest, ...taxed, share, recipients: to };
  });
  const total = sold.reduce((sum, { amount }) => sum + amount, 0);
  const one = Math.min(first, total);
  const methods = [one, total - one].map((amount) => {
    return { id: newUuid(), subitem: newUuid(), amount };
  });
  return { account_id: id, currency: 'USD', total, created: START, lines: sold, methods };
}

test('parts divide an escrow to the cent, and nothing is ever below zero', () => {
  fc.assert(
    fc.property(lines, cents, wishes, (shapes, first, wanted) => {
      const terms = termsOf(shapes as readonly Shape[], first);
      const allocation = allocationIn(terms);
      const held = new Held(terms, allocation, []);
      const parts: Part[] = [];
      const gone = allocation.charges.map(() => 0);
      let moved = 0;
      const step = (on: Part['on'], sums: Part['lines']): void => {
        const share = held.take({ on, lines: sums });
        parts.push({ on, at: START, lines: sums });
        moved += share.terms.total;
        const paid = allocationIn(share.terms);
        const credits = paid.credits.reduce((sum, { amount }) => sum + amount, 0);
        assert.equal(credits + paid.integrator + paid.tax, share.terms.total);
        assert.equal(share.charges.reduce((sum, one) => sum + one, 0), share.terms.total);
        for (const [at, one] of share.charges.entries()) {
          assert.ok(one >= 0);
          gone[at] = (gone[at] ?? 0) + one;
        }
        assert.equal(held.total, terms.total - moved);
        assert.equal(held.charges.reduce((sum, one) => sum + one, 0), held.total);
      };
      for (const [on, at, amount] of wanted) {
        const most = Math.min(amount, held.lines[at] ?? 0);
        if (most > 0) step(on as Part['on'], [[at, most]]);
      }
      const again = new Held(terms, allocation, parts);
      assert.deepEqual([again.lines, again.charges], [held.lines, held.charges], 'told again');
      if (held.total > 0) step('release', held.all());
      assert.deepEqual(gone, allocation.charges.map(({ amount }) => amount), 'each charge whole');
    }),
  );
});

test('each invoice of an escrow has an id of its own, by a rule that stored data rests on', () => {
  const escrow = '01980000-0000-7000-8000-0000000000ff';
  assert.deepEqual(
    [invoiceOf(escrow, 'escrow'), invoiceOf(escrow, 'commit'), invoiceOf(escrow, 'cancel')],
    ['fe', 'fd', 'fc'].map((end) => escrow.replace(/ff$/, end)),
  );
  assert.deepEqual(
    [0, 1, 102].map((part) => invoiceOf(escrow, part)),
    ['0001', '0002', '0067'].map((n) => `01980000-0000-7000-8000-${n}000000fb`),
  );
  for (let round = 0; round < 50; round += 1) {
    const own = newUuid();
    const parts = Array.from({ length: 103 }, (_, part) => invoiceOf(own, part));
    assert.deepEqual(parts, parts.map((_, part) => partInvoice(own, null, part)));
    const ends = (['escrow', 'commit', 'cancel'] as const).map((end) => invoiceOf(own, end));
    assert.deepEqual(ends, [1, 2, 3].map((end) => partInvoice(own, end, 0)));
    assert.equal(new Set([own, ...ends, ...parts]).size, 107);
  }
});

const span = fc.integer({ min: 1, max: 90 * 86_400 });
const date = (seconds: number): PlannedDate => ({ at: addSeconds(START, seconds), since: START });

test('the clock does all that is planned, in order, and each after its warning', () => {
  const named = fc.array(span, { maxLength: 4 });
  const dates = fc.tuple(named, fc.option(span), span, fc.nat(1_000_000));
  fc.assert(
    fc.property(dates, ([stages, release, limit, frozen]) => {
      let course: Course = {
        ...{ version: 1, disputes: null, total: 1, parts: [], outcome: 'cancel' },
        milestones: stages.map((seconds, n) => ({ name: `${n}`, lines: [], date: date(seconds) })),
        ...(release !== null && { release: date(release) }),
        limit: date(limit),
      };
      const planned = datesOf(course).length;
      const later = nextDue(shifted(course, frozen));
      assert.equal(millisOf(later?.at ?? '') >= millisOf(nextDue(course)?.at ?? ''), true);
      const warned = new Set<unknown>();
      let [done, before] = [0, START];
      for (let due = nextDue(course); due !== null; due = nextDue(course)) {
        const { at, of, act } = due;
        assert.ok(at >= before, 'never back in time');
        before = at;
        assert.equal(warned.has(of), act);
        warned.add(of);
        done += Number(act);
        course = act ? withoutDate(course, of) : afterWarning(course, of);
      }
      assert.equal(done, planned);
    }),
  );
});
