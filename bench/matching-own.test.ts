// Weights of a tenant's own persons in dense populations: each of those stored is looked up among
// the others as the product does, and by what is learned strangers stay strangers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { featuresOf } from '../src/product/people/matching/features.ts';
import type { Population } from '../src/product/people/matching/population.ts';
import { REVIEW_THRESHOLD } from '../src/product/people/matching/score.ts';
import {
  mayBeRelated,
  ownWeights,
  pairsIn,
  type Sample,
} from '../src/product/people/matching/weigh.ts';
import { SHIPPED } from '../src/product/people/matching/weights-data.ts';
import { Peopled, POPULATIONS, rngFor } from './peoples/index.ts';
import { looks, STORED } from './peoples/looks.ts';
import { Stored } from './peoples/memory.ts';
import { again, WRONGS, type Wrong } from './peoples/wrongs.ts';

const PERSONS = 3_000;
/** Every so many-th is stored twice. */
const NTH = 25;

interface Tenant {
  readonly from: Peopled;
  readonly store: Stored;
  readonly samples: readonly Sample[];
}

/** A population of whom some are stored twice, with the mistakes given. */
function tenantOf(key: string, wrongs: readonly Wrong[]): Tenant {
  const people = POPULATIONS.find((one) => one.key === key);
  assert.ok(people !== undefined, key);
  const from = new Peopled(people, { inCity: true, tax: true });
  const [store, rng, source] = [new Stored(), rngFor(11, key), from.persons(STORED)];
  const all = Array.from({ length: PERSONS }, () => source.next().value);
  const doubles = all.filter((_, at) => at % NTH === 0)
    .map((person, at) => again(rng, from, person, wrongs[at % wrongs.length]!));
  const stated = [...all.map((person) => person.stated), ...doubles];
  for (const one of stated) store.add(one);
  const population = store.population();
  const samples = stated.map((each, at) => {
    const one = featuresOf(each);
    const pairs = store.candidates(one)
      .filter((found) => found.at > at && mayBeRelated(one, found.features, population))
      .map(({ features: other }) => ({ one, other, weight: 1 }));
    return { pairs, population };
  });
  return { from, store, samples };
}

/** How many of 500 strangers, and of 30 of each mistake, have a match. */
async function matched({ from, store }: Tenant, population: Population): Promise<[number, number]> {
  const asked = { stored: PERSONS, strangers: 500, each: 30, tax: false };
  const { strangers, wrong } = await looks(from, asked, async (stated, own) => {
    const found = store.find(stated, population);
    return (own === undefined ? found[0] : found.find(({ at }) => at === own))?.score ?? 0;
  });
  const over = (scores: readonly number[]): number =>
    scores.filter((score) => score >= REVIEW_THRESHOLD).length;
  return [over(strangers), over(Object.values(wrong).flat())];
}

for (const key of ['korea', 'vietnam']) {
  test(`by their own weights nobody of ${key} is taken for a stranger`, async () => {
    const tenant = tenantOf(key, WRONGS);
    const own = ownWeights(tenant.samples);
    const { pairs, ofOne } = pairsIn(tenant.samples, own);
    const doubles = PERSONS / NTH;
    assert.ok(ofOne > doubles * 0.7 && ofOne < doubles * 1.3, `${ofOne} of ${doubles}, ${pairs}`);
    const [strangers, found] = await matched(tenant, tenant.store.population(own));
    const [, before] = await matched(tenant, tenant.store.population(SHIPPED));
    assert.ok(strangers <= 2, `${strangers} strangers`);
    assert.ok(found >= before * 0.97, `${found} found, ${before} before`);
  });
}

test('people who seldom change their telephone are weighed so', () => {
  const [kept, changed] = (['a field misspelt', 'new telephone'] as const)
    .map((wrong) => ownWeights(tenantOf('germany', [wrong]).samples));
  assert.ok(kept!.phone.differs < SHIPPED.phone.differs, String(kept!.phone.differs));
  assert.ok(changed!.phone.differs > SHIPPED.phone.differs, String(changed!.phone.differs));
});
