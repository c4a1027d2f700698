// Persons stored in memory and looked up by the product's blocking keys and weights, without a
// database: quick enough for a test, and for whoever changes the weights.
import { blockingKeysOf } from '../../src/product/people/matching/blocking-keys.ts';
import {
  featuresOf,
  isSame,
  type Features,
  type Stated,
} from '../../src/product/people/matching/features.ts';
import {
  personOf,
  populationOf,
  textOf,
  valuesOf,
  type Population,
} from '../../src/product/people/matching/population.ts';
import { matchWeightOf, scoreFrom } from '../../src/product/people/matching/score.ts';

/** As look-up.ts: persons read for a key, and candidates compared. */
const SHARING_MAX = 64;
const OPENED_MAX = 48;

/** The likeliest of those stored. */
export interface Likest {
  readonly at: number;
  readonly score: number;
  readonly features: Features | null;
}

export class Stored {
  readonly #features: Features[] = [];
  readonly #byKey = new Map<string, number[]>();
  readonly #counts = new Map<string, number>();
  #pairs = 0;

  add(person: Stated): void {
    const features = featuresOf(person);
    const at = this.#features.push(features) - 1;
    for (const key of blockingKeysOf(features)) {
      const sharing = this.#byKey.get(key);
      if (sharing === undefined) this.#byKey.set(key, [at]);
      else sharing.push(at);
    }
    for (const value of valuesOf(features)) this.#count(textOf(value));
    const alike = personOf(features);
    if (alike !== '') this.#pairs += this.#count(`person|${alike}`);
  }

  /** Counts a text once more; gives how often it was there. */
  #count(text: string): number {
    const before = this.#counts.get(text) ?? 0;
    this.#counts.set(text, before + 1);
    return before;
  }

  population(): Population {
    const count = (text: string): number => this.#counts.get(text) ?? 0;
    return populationOf(this.#features.length, this.#pairs, (kind, value) =>
      count(textOf([kind, value])),
    );
  }

  features(at: number): Features {
    return this.#features[at] as Features;
  }

  #candidates(features: Features): number[] {
    const shared = new Map<number, number>();
    for (const key of blockingKeysOf(features)) {
      const sharing = (this.#byKey.get(key) ?? []).slice(-SHARING_MAX);
      for (const at of sharing) shared.set(at, (shared.get(at) ?? 0) + 1 / sharing.length);
    }
    return [...shared]
      .sort(([one, many], [other, more]) => more - many || other - one)
      .slice(0, OPENED_MAX)
      .map(([at]) => at);
  }

  /** Every candidate with its score, the likeliest first. */
  find(person: Stated, population = this.population()): Likest[] {
    const mine = featuresOf(person);
    return this.#candidates(mine)
      .map((at) => {
        const features = this.features(at);
        const score = scoreFrom(matchWeightOf(mine, features, population), isSame(mine, features));
        return { at, score, features };
      })
      .sort((one, other) => other.score - one.score);
  }

  likest(person: Stated, population?: Population): Likest {
    return this.find(person, population)[0] ?? { at: -1, score: 0, features: null };
  }
}
