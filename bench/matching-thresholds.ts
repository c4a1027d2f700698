// `node scripts/run.mjs --dev bench/matching-thresholds.ts 10000 2000`: what thresholds cost in the
// invented populations, so many stored and so many looked up, as the product estimates it from the
// stored ones alone; and how that compares with strangers of the population who really exist.
import { featuresFrom, featuresOf, featuresTo } from '../src/product/people/matching/features.ts';
import type { Features, Stated } from '../src/product/people/matching/features.ts';
import { statedAgain, strangerOf } from '../src/product/people/matching/recombine.ts';
import { binsOf, figuresAt, THRESHOLDS } from '../src/product/people/matching/threshold-figures.ts';
import { rngFor } from './peoples/draw.ts';
import { Peopled, POPULATIONS } from './peoples/index.ts';
import { STORED, STRANGERS } from './peoples/looks.ts';
import { Stored } from './peoples/memory.ts';

const [persons = '10000', looked = '2000'] = process.argv.slice(2);
const COUNT = Number(looked);
const DRAWN = 60;

/** Normalized fields as somebody could have stated them. */
function statedOf(features: Features): Stated {
  const { given, surname, house, street, place, birth, phone, tax, ...rest } = features;
  return {
    ...{ ...rest, first: given, last: surname, street: `${house} ${street}`, street2: place },
    ...{ date_of_birth: birth, phone_number: phone, ssn_last4: tax },
  };
}

function sample<T>(chance: () => number, list: readonly T[], count: number): T[] {
  return Array.from({ length: count }, () => list[Math.floor(chance() * list.length)] as T);
}

function scored(strangers: readonly number[], again: readonly number[]): void {
  const all = { strangers_at: binsOf(strangers), again_at: binsOf(again) };
  const figures = { ...all, strangers: strangers.length, again: again.length };
  for (const from of THRESHOLDS) {
    const { alarms, missed } = figuresAt(from, figures);
    const told = [alarms, missed].map(({ seen, most }) => `${seen.toFixed(1)}<${most.toFixed(1)}`);
    process.stdout.write(`  ${from}: ${told.join(' / ')}\n`);
  }
}

for (const people of POPULATIONS) {
  for (const tax of [false, true]) {
    const from = new Peopled(people, { inCity: true, tax });
    const [stored, texts]: [Stored, string[][]] = [new Stored(), []];
    const source = from.persons(STORED);
    for (let at = 0; at < Number(persons); at += 1) {
      const { stated } = source.next().value;
      stored.add(stated);
      texts.push(featuresTo(featuresOf(stated)));
    }
    const population = stored.population();
    const chance = rngFor(9, people.key);
    const numbers = texts.map((_, at) => at);
    const best = (stated: Stated): number => stored.find(stated, population)[0]?.score ?? 0;
    const [recombined, again, real]: [number[], number[], number[]] = [[], [], []];
    while (again.length < COUNT) {
      const drawn = [...new Set(sample(chance, numbers, DRAWN))];
      const opened = drawn.map((at) => featuresFrom(texts[at] as string[]));
      for (const [n, at] of drawn.slice(0, DRAWN / 3).entries()) {
        recombined.push(best(statedOf(strangerOf(opened, population, chance))));
        const stated = statedOf(statedAgain(opened[n] as Features, opened, population, chance));
        again.push(stored.find(stated, population).find((one) => one.at === at)?.score ?? 0);
      }
    }
    const fresh = from.persons(STRANGERS);
    while (real.length < COUNT) real.push(best(fresh.next().value.stated));
    process.stdout.write(`${people.key}, ${tax ? 'tax digits' : 'no tax digits'}\n`);
    scored(recombined, again);
    process.stdout.write(' strangers who exist\n');
    scored(real, []);
  }
}
