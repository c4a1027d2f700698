// Persons put together from others, by whom thresholds are estimated: nobody who is stored, with
// the coincidences and mistakes of the population; and the figures that come of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { invented } from '../../../../test/kit/persons.ts';
import { featuresOf, type Features } from './features.ts';
import { populationOf, textOf, USUAL, valuesOf, wholeName, type Population } from './population.ts';
import { statedAgain, strangerOf } from './recombine.ts';
import { binsOf, figuresAt } from './threshold-figures.ts';

function peopled(persons: readonly Features[]): Population {
  const counts = new Map<string, number>();
  for (const text of persons.flatMap((one) => valuesOf(one).map(textOf))) {
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return populationOf({ size: persons.length }, (...value) => counts.get(textOf(value)) ?? 0);
}

/** Numbers from 0 to 1, the same each time. */
function dice(seed = 1): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test('a stranger is nobody who is stored, and takes whole only what several have', () => {
  const persons = Array.from({ length: 300 }, (_, at) => featuresOf(invented(at)));
  const usual = persons.map((one, at) =>
    at % 3 === 0 ? { ...one, given: 'maria', middle: '', surname: 'garcia' } : one);
  const population = peopled(usual);
  const chance = dice();
  const strangers = Array.from({ length: 1_000 }, () => strangerOf(usual, population, chance));
  const of = (key: keyof Features): Set<string> => new Set(usual.map((one) => one[key]));
  const [phones, births, names] = [of('phone'), of('birth'), new Set(usual.map(wholeName))];
  const dates = usual.map((one) => [one.birth, wholeName(one), one.phone].join());
  for (const one of strangers) {
    assert.ok(!dates.includes([one.birth, wholeName(one), one.phone].join()));
    assert.equal(one.birth.length, 8);
  }
  const share = (is: (one: Features) => boolean): number => strangers.filter(is).length / 1_000;
  assert.ok(share((one) => phones.has(one.phone)) < 0.05, 'numbers are nobody else\'s');
  assert.ok(share((one) => births.has(one.birth)) < 0.6, 'birth dates are put together');
  const marias = share((one) => one.given === 'maria' && one.surname === 'garcia');
  assert.ok(marias > 0.25 && marias < 0.6, `as often as in the population: ${marias}`);
  const others = strangers.filter((one) => one.surname !== 'garcia');
  const whole = others.filter((one) => names.has(wholeName(one))).length / others.length;
  assert.ok(whole < 0.4, `rare names are put together: ${whole}`);
});

test('persons are stated again with the mistakes that the weights expect', () => {
  const persons = Array.from({ length: 300 }, (_, at) => featuresOf(invented(at)));
  const [person] = persons as [Features];
  const none = statedAgain(person, persons, USUAL, () => 0);
  assert.deepEqual(none, person, 'the first rate is of the same');
  const chance = dice(7);
  const again = Array.from({ length: 4_000 }, () =>
    statedAgain(person, persons, USUAL, chance));
  const same = (key: keyof Features): number =>
    again.filter((one) => one[key] === person[key]).length / again.length;
  for (const [key, expected] of [['birth', 0.93], ['tax', 0.93], ['phone', 0.6],
    ['surname', 0.88], ['zip', 0.82]] as const) {
    assert.ok(Math.abs(same(key) - expected) < 0.05, `${key}: ${same(key)}`);
  }
});

test('persons are stated again with the mistakes of a tenant that has weights of its own', () => {
  const persons = Array.from({ length: 300 }, (_, at) => featuresOf(invented(at)));
  const phone = { same: 0, close: 0, differs: 1 };
  const chance = dice(7);
  const own = { weights: { ...USUAL.weights, phone } };
  const kept = persons.filter((one) =>
    statedAgain(one, persons, own, chance).phone === one.phone);
  assert.ok(kept.length < 5, 'but where the other one is drawn from themselves');
});

test('figures are shares of a thousand with what they may be by chance', () => {
  const scored = {
    ...{ strangers: 2_000, again: 500 },
    strangers_at: binsOf([0, 0.4999, 0.5, 0.7, 0.9499]),
    again_at: binsOf([...Array.from({ length: 480 }, () => 1), 0.95, 0.9499]),
  };
  const low = figuresAt(5_000, scored);
  assert.deepEqual([low.alarms.seen, Math.round(low.missed.seen)], [1.5, 36]);
  const high = figuresAt(9_500, scored);
  assert.deepEqual([high.alarms.seen, high.alarms.least, high.missed.seen], [0, 0, 38]);
  assert.ok(high.alarms.most > 1.8 && high.alarms.most < 2, 'none of 2,000 is no promise');
  assert.ok(high.missed.least < 38 && high.missed.most > 38);
});
