// Persons stored in memory and looked up by the product's blocking keys, counts and weights,
// without a database: quick enough for a test, and for whoever changes the weights.
import { blockingKeysOf } from '../../src/product/people/matching/blocking-keys.ts';
import {
  featuresFrom,
  featuresOf,
  featuresTo,
  isSame,
  type Features,
  type Stated,
} from '../../src/product/people/matching/features.ts';
import { SHIPPED } from '../../src/product/people/matching/weights-data.ts';
import type { Weights } from '../../src/product/people/matching/weights.ts';
import {
  homeOf,
  personOf,
  populationOf,
  textOf,
  valuesOf,
  type Population,
  type Value,
} from '../../src/product/people/matching/population.ts';
import { matchWeightOf, scoreFrom } from '../../src/product/people/matching/score.ts';

/** As look-up.ts: persons read for a key, and candidates compared. */
const SHARING_MAX = 64;
const OPENED_MAX = 20;
const ALONE_MAX = 5;
const WORTH = 1_000_000;
/** A map takes 2^24 entries, and a million persons have more keys. */
const MAPS = 16;

/** One of those stored, with the score. */
export interface Likely {
  readonly at: number;
  readonly score: number;
}

/** A text as a number of 53 bits. */
function hashOf(text: string): number {
  let [one, other] = [0x811c9dc5, 0x1b873593];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193);
    other = Math.imul(other + code, 0x85ebca6b) ^ (other >>> 13);
  }
  return (one >>> 0) * 0x200000 + (other >>> 11);
}

/** Texts with something of each. */
class ByText<T> {
  readonly #maps = Array.from({ length: MAPS }, () => new Map<number, T>());

  update(text: string, change: (before: T | undefined) => T): void {
    const hash = hashOf(text);
    const map = this.#maps[hash % MAPS] as Map<number, T>;
    map.set(hash, change(map.get(hash)));
  }

  get(text: string): T | undefined {
    const hash = hashOf(text);
    return this.#maps[hash % MAPS]?.get(hash);
  }
}

export class Stored {
  readonly #features: string[] = [];
  /** The number of one person, or of several. */
  readonly #byKey = new ByText<number | number[]>();
  readonly #counts = new ByText<number>();
  #totals = { size: 0, pairs: 0, homes: 0, related: 0 };

  add(person: Stated): void {
    const features = featuresOf(person);
    const at = this.#features.push(featuresTo(features).join('\n')) - 1;
    for (const key of blockingKeysOf(features)) {
      this.#byKey.update(key, (before) => {
        if (before === undefined) return at;
        return typeof before === 'number' ? [before, at] : [...before, at].slice(-SHARING_MAX);
      });
    }
    for (const value of valuesOf(features)) this.#counts.update(textOf(value), oneMore);
    const [alike, home] = [personOf(features), homeOf(features)];
    this.#totals.size += 1;
    if (alike !== '') this.#totals.pairs += this.#before(`person|${alike}`);
    if (home === null) return;
    this.#totals.homes += 1;
    this.#totals.related += this.#before(home[0]) - this.#before(home[1]);
  }

  /** How many before have a text that is counted. */
  #before(text: string): number {
    const before = this.#counts.get(text) ?? 0;
    this.#counts.update(text, oneMore);
    return before;
  }

  population(weights: Weights = SHIPPED): Population {
    const count = (...value: Value): number => this.countOf(value);
    return populationOf(this.#totals, count, weights);
  }

  /** How many persons have a value. */
  countOf(value: Value): number {
    return this.#counts.get(textOf(value)) ?? 0;
  }

  /** Those who share most blocking keys. */
  candidates(mine: Features): { readonly at: number; readonly features: Features }[] {
    const shared = new Map<number, { worth: number; keys: number }>();
    for (const key of blockingKeysOf(mine)) {
      const sharing = [this.#byKey.get(key) ?? []].flat();
      for (const at of sharing) {
        const { worth, keys } = shared.get(at) ?? { worth: 0, keys: 0 };
        shared.set(at, { worth: worth + Math.floor(WORTH / sharing.length), keys: keys + 1 });
      }
    }
    return [...shared]
      .filter(([, { worth, keys }]) => keys > 1 || worth >= WORTH / ALONE_MAX)
      .sort(([one, many], [other, more]) => more.worth - many.worth || other - one)
      .slice(0, OPENED_MAX)
      .map(([at]) => ({ at, features: featuresFrom((this.#features[at] ?? '').split('\n')) }));
  }

  /** Every candidate with its score, the likeliest first. */
  find(person: Stated, population: Population): Likely[] {
    const mine = featuresOf(person);
    return this.candidates(mine)
      .map(({ at, features }) => {
        const score = scoreFrom(matchWeightOf(mine, features, population), isSame(mine, features));
        return { at, score };
      })
      .sort((one, other) => other.score - one.score);
  }
}

function oneMore(before: number | undefined): number {
  return (before ?? 0) + 1;
}
