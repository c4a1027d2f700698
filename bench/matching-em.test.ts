// The estimate of weights: it repeats, learns what it meets, and keeps what cannot be met.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Weights } from '../src/product/people/matching/weights.ts';
import { estimated, type Sample } from '../src/product/people/matching/weigh.ts';
import { BELIEF, sampleOf } from './matching-em.ts';
import { Peopled, POPULATIONS } from './peoples/index.ts';

const GERMANY = POPULATIONS.filter(({ key }) => key === 'germany');
const FEW = { stored: 1_500, strangers: 50, each: 15 };

function drawn(): Sample[] {
  return GERMANY.map((people) => sampleOf(new Peopled(people, { inCity: true, tax: true }), FEW));
}

function of(samples: readonly Sample[]): Weights {
  return estimated(samples, { belief: BELIEF, believed: 50, rounds: 2 });
}

test('the same people give the same weights, and other people others', () => {
  const weights = of(drawn());
  assert.deepEqual(of(drawn()), weights);
  // Of those who are stored, nobody keeps their telephone.
  const moved = drawn().map((sample) => ({
    ...sample,
    pairs: sample.pairs.map((pair) => ({ ...pair, other: { ...pair.other, phone: '00000000' } })),
  }));
  assert.ok(of(moved).phone.same < weights.phone.same - 0.2, String(of(moved).phone.same));
});

test('shares of a group keep their sum, and short forms are as often as was believed', () => {
  const weights = of(drawn());
  assert.equal(weights.forename.form, BELIEF.forename.form);
  for (const group of ['surname', 'forename', 'birth', 'tax', 'phone', 'twinGiven'] as const) {
    const sum = Object.values(weights[group]).reduce((all, share) => all + Number(share), 0);
    assert.ok(Math.abs(sum - 1) < 0.01, `${group}: ${sum}`);
  }
});
