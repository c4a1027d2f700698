// The matcher against two dense populations, scaled down: that strangers stay strangers, relatives
// are no match, and persons are found again. Whoever changes the weights sees here what it costs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MATCH_THRESHOLD, REVIEW_THRESHOLD } from '../../src/product/people/matching/score.ts';
import { sharesOf } from './draw.ts';
import { Peopled, POPULATIONS, rngOf } from './index.ts';
import { looks, STORED, type Scores, type Told } from './looks.ts';
import { Stored } from './memory.ts';

const PERSONS = 4_000;
const EACH = 100;

function drawn(key: string): Peopled {
  const people = POPULATIONS.find((one) => one.key === key);
  assert.ok(people !== undefined, key);
  return new Peopled(people, { inCity: true, tax: true });
}

async function measured(key: string, tax: boolean): Promise<Told> {
  const [from, stored] = [drawn(key), new Stored()];
  const source = from.persons(STORED);
  for (let at = 0; at < PERSONS; at += 1) stored.add(source.next().value.stated);
  const population = stored.population();
  const asked = { stored: PERSONS, strangers: 1_000, each: EACH, tax };
  return looks(from, asked, async (stated, own) => {
    const found = stored.find(stated, population);
    const best = own === undefined ? found[0] : found.find(({ at }) => at === own);
    return best?.score ?? 0;
  });
}

const over = (scores: Scores | undefined, least: number): number =>
  (scores ?? []).filter((score) => score >= least).length;

test('the same seed gives the same people, and shares are as stated', () => {
  const [one, other] = [drawn('korea').persons(4), drawn('korea').persons(4)];
  const some = Array.from({ length: 5_000 }, () => one.next().value.stated);
  assert.deepEqual(some, Array.from({ length: 5_000 }, () => other.next().value.stated));
  const kims = some.filter(({ last }) => last === 'kim').length / some.length;
  assert.ok(Math.abs(kims - 0.215) < 0.02, String(kims));
  for (const people of POPULATIONS) {
    const rng = rngOf(1);
    const listed = [...sharesOf(people.surnames.listed).values()].reduce((sum, of) => sum + of, 0);
    assert.ok(listed > 0.2 && listed < 1.05, `${people.key}: ${listed}`);
    const from = new Peopled(people, { inCity: false, tax: false });
    const { stated } = from.alone(rng);
    assert.ok(stated.first !== '' && stated.last !== '' && stated.zip !== '', people.key);
    assert.equal(stated.ssn_last4, '');
  }
});

test('without tax digits, nobody of a dense city matches a stranger', async () => {
  for (const key of ['vietnam', 'korea']) {
    const { strangers, kin, wrong } = await measured(key, false);
    assert.ok(over(strangers, MATCH_THRESHOLD) <= 1, key);
    assert.ok(over(strangers, REVIEW_THRESHOLD) <= 5, key);
    for (const kind of ['sibling', 'spouse', 'child', 'housemate', 'junior']) {
      const matched = over(kin[kind], MATCH_THRESHOLD);
      assert.ok(matched <= 3, `${key}, ${kind}: ${matched} of ${EACH}`);
    }
    assert.ok(over(kin['twin'], MATCH_THRESHOLD) <= 5, `${key}, twins`);
    for (const [kind, least] of [
      ['the same', 95],
      ['a field misspelt', 93],
      ['a field missing', 93],
      ['moved', 93],
      ['new telephone', 93],
      ['moved, new telephone', 75],
    ] as const) {
      const found = over(wrong[kind], REVIEW_THRESHOLD);
      assert.ok(found >= least, `${key}, ${kind}: ${found} of ${EACH}`);
    }
  }
});

test('with tax digits, one wrong field or a move loses nobody', async () => {
  const { strangers, kin, wrong } = await measured('mexico', true);
  assert.ok(over(strangers, REVIEW_THRESHOLD) <= 1);
  for (const [kind, scores] of Object.entries(kin)) {
    assert.ok(over(scores, MATCH_THRESHOLD) <= 2, kind);
  }
  for (const [kind, scores] of Object.entries(wrong)) {
    const least = kind === 'two fields wrong' ? 90 : 98;
    assert.ok(over(scores, MATCH_THRESHOLD) >= least, `${kind}: ${over(scores, MATCH_THRESHOLD)}`);
  }
});
