// What is broken follows from seed, number and place; no fault of a place is left to luck, and what
// was wanted can be played again by the history's name.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Draws, FAULTS, type Wanted } from './draws.ts';
import { historyNamed, nameOf } from './kept.ts';

const [PLACE, OTHER] = ['processor.capture', 'processor.retrieve'];
const numbers = Array.from({ length: 500 }, (_, number) => number);

/** The first fault of a place in a history. */
function first(number: number, place: string, wanted: readonly Wanted[] = []): string | null {
  const draws = new Draws(7, number, new Map(), wanted);
  draws.on = true;
  return draws.at(place, FAULTS);
}

test('five histories begin with five faults, in no step with another place', () => {
  for (const place of [PLACE, OTHER]) {
    for (let round = 0; round < numbers.length; round += FAULTS.length) {
      const faults = numbers.slice(round, round + FAULTS.length).map((n) => first(n, place));
      assert.deepEqual(faults.toSorted(), [...FAULTS].toSorted());
    }
  }
  for (const fault of FAULTS) {
    const met = numbers.filter((n) => first(n, PLACE) === fault).map((n) => first(n, OTHER));
    assert.equal(new Set(met).size, FAULTS.length, `${OTHER} where ${PLACE} is ${fault}`);
  }
});

test('what is wanted comes first, and a name plays it again', () => {
  const wanted: Wanted[] = [[PLACE, 'late'], [PLACE, 'refused'], [OTHER, 'lost after']];
  const history = { seed: 7, kind: 'system', number: 12, wanted } as const;
  assert.deepEqual(historyNamed(nameOf(history)), history);
  for (const n of numbers) {
    assert.equal(first(n, PLACE, wanted), 'late');
    assert.equal(first(n, OTHER, wanted), 'lost after');
  }
  assert.throws(() => historyNamed('7/system/12?processor.capture=eaten'), /eaten is no fault/);
});
