// The estimate of weights from pairs: it follows how people truly err, is not told who is one
// person, and where nothing was seen what is shipped remains.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { invented } from '../../../../test/kit/persons.ts';
import { featuresOf, type Features } from './features.ts';
import { populationOf, textOf, valuesOf, type Population } from './population.ts';
import { matchWeightOf } from './score.ts';
import { mayBeRelated, ownWeights, pairsIn, type Sample } from './weigh.ts';
import { SHIPPED } from './weights-data.ts';
import type { Weights } from './weights.ts';

const PERSONS = 300;
const AGAIN = 100;

/** How the n-th of those who are stored twice states themselves again. */
type Again = (person: Features, at: number) => Partial<Features>;

function populationOfAll(persons: readonly Features[], pairs: number): Population {
  const counts = new Map<string, number>();
  for (const text of persons.flatMap((one) => valuesOf(one).map(textOf))) {
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const totals = { size: persons.length, pairs };
  return populationOf(totals, (...value) => counts.get(textOf(value)) ?? 0);
}

/** Everybody beside everybody who may be related, among whom some are stored twice. */
function drawn(again: Again): Sample {
  const persons = Array.from({ length: PERSONS }, (_, at) => featuresOf(invented(at)));
  const doubles = persons.slice(0, AGAIN).map((one, at) => ({ ...one, ...again(one, at) }));
  const all = [...persons, ...doubles];
  const population = populationOfAll(all, AGAIN);
  const pairs = all.flatMap((one, at) =>
    all.slice(at + 1)
      .filter((other) => one.birth === other.birth || one.surname === other.surname)
      .filter((other) => mayBeRelated(one, other, population))
      .map((other) => ({ one, other, weight: 1 })));
  return { pairs, population };
}

const other = (one: Features): string => String(99_999_999 - Number(one.phone));
/** A third has another telephone, as those do by whom the weights are estimated. */
const usual: Again = (one, at) => (at % 3 === 0 ? { phone: other(one) } : {});

test('where nobody has another telephone, another one says more against', () => {
  const own = ownWeights([drawn(() => ({}))]);
  assert.ok(own.phone.differs < SHIPPED.phone.differs * 0.7, String(own.phone.differs));
  assert.ok(own.phone.same > SHIPPED.phone.same + 0.1, String(own.phone.same));
  const many = ownWeights([drawn((one) => ({ phone: other(one) }))]);
  assert.ok(many.phone.differs > SHIPPED.phone.differs + 0.1, String(many.phone.differs));
});

test('where every third surname is misspelt, a slip says less against', () => {
  const sample = drawn((one, at) =>
    ({ ...usual(one, at), ...(at % 3 === 1 ? { surname: `${one.surname}e` } : {}) }));
  const own = ownWeights([sample]);
  const closer = own.surname.close + own.surname.near;
  assert.ok(closer > 3 * (SHIPPED.surname.close + SHIPPED.surname.near), String(closer));
  assert.ok(own.surname.same < SHIPPED.surname.same - 0.05, String(own.surname.same));
  assert.ok(Math.abs(own.phone.differs - SHIPPED.phone.differs) < 0.04, String(own.phone.differs));
  for (const name of ['form', 'initial', 'left'] as const) {
    assert.equal(own.surname[name], SHIPPED.surname[name]);
  }
  assert.deepEqual([own.stored, own.place], [SHIPPED.stored, SHIPPED.place]);
});

test('the same pairs give the same weights, in samples or in one, and none those shipped', () => {
  const { pairs, population } = drawn(usual);
  const own = ownWeights([{ pairs, population }]);
  assert.deepEqual(ownWeights([{ pairs, population }]), own);
  const apart = pairs.map((pair) => ({ pairs: [pair], population }));
  assert.deepEqual(ownWeights(apart), own);
  assert.deepEqual(ownWeights([]), SHIPPED);
  const { ofOne } = pairsIn(apart, own);
  assert.ok(ofOne >= AGAIN * 0.95 && ofOne < AGAIN * 1.05, `${ofOne} of ${AGAIN}`);
});

test('by own weights two weigh the same both ways round', () => {
  const { pairs, population } = drawn((one, at) => ({ ...usual(one, at), given: `${one.given}a` }));
  const weights: Weights = ownWeights([{ pairs, population }]);
  assert.notDeepEqual(weights, SHIPPED);
  for (const { one, other: two } of pairs) {
    const own = { ...population, weights };
    assert.equal(matchWeightOf(one, two, own), matchWeightOf(two, one, own));
  }
});
