// Call limits on a test clock: a bucket gives its rate and no more, memory is bounded, and
// concurrent requests are counted per tenant.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Caller } from '../core/operation.ts';
import { Refusal } from '../core/refusal.ts';
import { Buckets, Limits, NO_LIMITS, type CallLimits } from './limits.ts';

const rates = fc.integer({ min: 1, max: 5_000 });
const pauses = fc.array(fc.oneof(fc.constant(0), fc.double({ min: 0, max: 3_000, noNaN: true })), {
  minLength: 1,
  maxLength: 200,
});

test('in any stretch of time a bucket gives no more than a burst and its rate', () => {
  fc.assert(
    fc.property(rates, pauses, (rate, gaps) => {
      const buckets = new Buckets();
      const taken: number[] = [];
      let now = 1e7;
      for (const gap of gaps) {
        now += gap;
        if (buckets.take('a', rate, now) === 0) taken.push(now);
      }
      for (const [at, begin] of taken.entries()) {
        const most = rate * 2 + ((now - begin) * rate) / 1_000;
        assert.ok(taken.length - at <= most + 0.01);
      }
    }),
  );
});

test('the wait that a bucket reports is enough, and hardly more', () => {
  fc.assert(
    fc.property(rates, fc.double({ min: 0, max: 1e9, noNaN: true }), (rate, now) => {
      const buckets = new Buckets();
      for (let n = 0; n < rate * 2; n += 1) assert.equal(buckets.take('a', rate, now), 0);
      const wait = buckets.take('a', rate, now);
      assert.ok(wait > 0 && wait <= 1_000 / rate + 0.01);
      assert.ok(buckets.take('a', rate, now + wait * 0.9) > 0);
      assert.equal(buckets.take('a', rate, now + wait), 0);
      buckets.giveBack('a', rate);
      assert.equal(buckets.take('a', rate, now + wait), 0);
    }),
    { numRuns: 30 },
  );
});

test('keys are independent', () => {
  const buckets = new Buckets();
  for (const key of ['a', 'b', 'c']) {
    assert.equal(buckets.take(key, 1, 0), 0);
    assert.equal(buckets.take(key, 1, 0), 0);
    assert.ok(buckets.take(key, 1, 0) > 0);
  }
});

test('the most recent keys are kept, and few more', () => {
  const keys = fc.array(fc.integer({ min: 0, max: 30 }).map(String), { maxLength: 300 });
  fc.assert(
    fc.property(keys, (asked) => {
      const most = 4;
      const buckets = new Buckets(most);
      const recent: string[] = [];
      for (const key of asked) {
        // At the same moment: a key that took two and is still known gets no third.
        const taken = [0, 0, 0].map(() => buckets.take(key, 1, 0) === 0);
        if (recent.includes(key)) assert.ok(taken.every((one) => !one), key);
        const others = recent.filter((one) => one !== key).slice(1 - most);
        recent.splice(0, recent.length, ...others, key);
        assert.ok(buckets.size <= most * 2);
      }
    }),
  );
});

function callerOf(integrator: string, limits?: Caller['limits']): Caller {
  const who = { workspace: 1, clientId: 'c', kind: 'client', accountId: null } as const;
  return { ...who, integrator, scopes: new Set(), ...(limits && { limits }) };
}

function refused(work: () => unknown): readonly [string, number | null] | 'nothing' {
  try {
    work();
    return 'nothing';
  } catch (error) {
    assert.ok(error instanceof Refusal);
    return [error.spec.code, error.retryAfter];
  }
}

const MANY = 'TOO_MANY_REQUESTS';

function limitsOf(request: Partial<CallLimits>, clock = { now: 0 }): Limits {
  return new Limits({ ...NO_LIMITS, ...request }, () => 'somewhere', () => clock.now);
}

test("a tenant's concurrent requests are limited, by its own limits first", () => {
  const limits = limitsOf({ tenant: { inFlight: 2, writes: 0, reads: 0 } });
  const [one, other] = [callerOf('one'), callerOf('other')];
  const grown = callerOf('grown', { inFlight: 0, writes: 0, reads: 1 });
  assert.equal(limits.enterTenant(one, true), true);
  assert.equal(limits.enterTenant(one, false), true);
  assert.deepEqual(refused(() => limits.enterTenant(one, true)), [MANY, 1]);
  assert.equal(limits.enterTenant(other, true), true);
  limits.leaveTenant('one');
  assert.equal(limits.enterTenant(one, true), true);
  for (let n = 0; n < 9; n += 1) assert.equal(limits.enterTenant(grown, true), false);
  assert.equal(limits.enterTenant(grown, false), false);
  assert.equal(limits.enterTenant(grown, false), false);
  assert.deepEqual(refused(() => limits.enterTenant(grown, false)), [MANY, 1]);
});

test('writes and reads are counted apart; a call that is refused counts for nothing', () => {
  const clock = { now: 0 };
  const limits = limitsOf({ tenant: { inFlight: 0, writes: 1, reads: 2 } }, clock);
  const call = (writes: boolean) => refused(() => limits.enterTenant(callerOf('one'), writes));
  assert.deepEqual([call(true), call(true)], ['nothing', 'nothing']);
  for (let n = 0; n < 50; n += 1) assert.deepEqual(call(true), [MANY, 1]);
  for (let n = 0; n < 4; n += 1) assert.equal(call(false), 'nothing');
  assert.deepEqual(call(false), [MANY, 1]);
  clock.now = 999;
  assert.deepEqual(call(true), [MANY, 1]);
  clock.now = 1_000;
  assert.equal(call(true), 'nothing');
});

test('the last fifth of the slots is for high-priority operations', () => {
  const limits = limitsOf({ process: 10 });
  for (let n = 0; n < 8; n += 1) limits.enter();
  assert.equal(refused(() => limits.requirePlace(false)), 'nothing');
  limits.enter();
  assert.deepEqual(refused(() => limits.requirePlace(false)), ['OVERLOADED', 1]);
  limits.enter();
  assert.equal(refused(() => limits.requirePlace(true)), 'nothing');
  limits.enter();
  assert.deepEqual(refused(() => limits.requirePlace(true)), ['OVERLOADED', 1]);
});
