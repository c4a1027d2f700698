// `node scripts/run.mjs --dev bench/matching-em.ts` estimates by EM, on three populations, how
// often people err and what relatives have in common, and writes weights-data.ts: the same numbers
// each time.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { featuresOf, type Stated } from '../src/product/people/matching/features.ts';
import {
  estimated,
  mayBeRelated,
  type Pair,
  type Sample,
} from '../src/product/people/matching/weigh.ts';
import type { Weights } from '../src/product/people/matching/weights.ts';
import { applyOf, storedOf, TRAINED } from './matching-reliability.ts';
import { KIN, Peopled, POPULATIONS, rngFor } from './peoples/index.ts';
import { known, STORED, STRANGERS } from './peoples/looks.ts';
import { Stored } from './peoples/memory.ts';
import { again, WRONGS } from './peoples/wrongs.ts';

export interface Sampled {
  readonly stored: number;
  readonly strangers: number;
  readonly each: number;
}

/** Draws a population, and who applies to it; each once with and once without tax digits. */
export function sampleOf(from: Peopled, { stored, strangers, each }: Sampled): Sample {
  const store = new Stored();
  const source = from.persons(STORED);
  for (let at = 0; at < stored; at += 1) store.add(source.next().value.stated);
  const shipped = store.population();
  const rng = rngFor(5, from.people.key);
  const some = known(from, stored, each);
  const apply = applyOf(from.people);
  // Of those who are stored each look-up counts once.
  const times = (some.length * WRONGS.length * 2) / (2 * apply.again);
  const pairs: Pair[] = [];
  const look = (stated: Stated, weight: number, own = -1): void => {
    for (const ssn_last4 of [stated.ssn_last4, '']) {
      const one = featuresOf({ ...stated, ssn_last4 });
      for (const { at, features: other } of store.candidates(one)) {
        if (at !== own && !mayBeRelated(one, other, shipped)) continue;
        pairs.push({ one, other, weight: weight * times });
      }
    }
  };
  const fresh = from.persons(STRANGERS);
  const related = Object.values(apply).reduce((sum, of) => sum + of, 0);
  for (let at = 0; at < strangers; at += 1) {
    look(fresh.next().value.stated, (1_000 - related) / strangers);
  }
  for (const [person, at] of some) {
    for (const kind of KIN) {
      look(from.kin(rng, person, kind).stated, apply[kind] / some.length, at);
    }
    for (const wrong of WRONGS) {
      look(again(rng, from, person, wrong), apply.again / some.length / WRONGS.length, at);
    }
  }
  return { pairs, population: store.population(BELIEF) };
}

const PEOPLES = POPULATIONS.filter(({ key }) => TRAINED.includes(key));

/**
 * What is believed before anything is seen, as if of `BELIEVED` persons; how often relatives apply
 * is assumed and not estimated.
 */
export const BELIEF: Weights = {
  surname: { ...{ same: 0.84, form: 0.02, close: 0.05, near: 0.01 },
    ...{ initial: 0.005, part: 0.005, left: 0.03, differs: 0.04 } },
  forename: { ...{ same: 0.76, form: 0.05, close: 0.06, near: 0.02 },
    ...{ initial: 0.03, part: 0.005, left: 0.04, differs: 0.035 } },
  birth: { same: 0.93, turned: 0.01, close: 0.03, near: 0.01, differs: 0.02 },
  tax: { same: 0.93, close: 0.03, differs: 0.04 },
  phone: { same: 0.6, close: 0.03, differs: 0.37 },
  place: { same: 0.7, differs: 0.15 },
  householdSurname: { same: 0.6, close: 0.01, part: 0.05, left: 0.03, differs: 0.31 },
  householdGiven: { same: 0.0001, close: 0.005, part: 0.1, left: 0.02, differs: 0.8749 },
  householdPhone: { same: 0.3, differs: 0.7 },
  twinGiven: { same: 0.0001, close: 0.015, part: 0.2, left: 0.03, differs: 0.7549 },
  stored: storedOf(PEOPLES),
};
const BELIEVED = 5_000;
const SAMPLED: Sampled = { stored: 10_000, strangers: 500, each: 60 };
const FILE = join(import.meta.dirname, '../src/product/people/matching/weights-data.ts');

const HEAD = [
  '// How often people err and what relatives have in common, estimated on invented people.',
  '// Made by `node scripts/run.mjs --dev bench/matching-em.ts`; weights.ts says what each means.',
  "import type { Weights } from './weights.ts';",
];

function pageOf(weights: Weights): string {
  const groups = Object.entries(weights).flatMap(([group, of]) => {
    const rows = Object.entries(of).map(([name, share]) => `    ${name}: ${String(share)},`);
    return [`  ${group}: {`, ...rows, '  },'];
  });
  return [...HEAD, '', 'export const SHIPPED: Weights = {', ...groups, '};', ''].join('\n');
}

if (import.meta.main) {
  const samples = PEOPLES.map((people) =>
    sampleOf(new Peopled(people, { inCity: true, tax: true }), SAMPLED),
  );
  const weights = estimated(samples, { belief: BELIEF, believed: BELIEVED });
  writeFileSync(FILE, pageOf(weights));
}
