// Whether a score is the probability that it says: of look-ups as a tenant has them, the share in
// each range of scores that is truly one person. How often relatives apply is an assumption.
import type { Weights } from '../src/product/people/matching/weights.ts';
import { ALL_POPULATIONS, type Kin, type People } from './peoples/index.ts';
import type { Told } from './peoples/looks.ts';

/** Of 1,000 who apply, those who are stored already: an assumption. */
const AGAIN = 20;
/**
 * Of 1,000 who apply, those with such a relative stored: as of 1,000 who are stored, by the shares
 * of households in `Peopled.persons`; of sons by the custom of the people. Others are strangers.
 */
const RELATED = { spouse: 234, child: 310, sibling: 86, housemate: 156, twin: 2.6 } as const;
const SONS = 110;

/** Of 1,000 who apply, how many of each kind. */
export function applyOf({ custom }: People): Readonly<Record<Kin | 'again', number>> {
  const junior = SONS * custom.juniors;
  return { again: AGAIN, ...RELATED, child: RELATED.child - junior, junior };
}

/** Of those who apply to a tenant that is not known yet, so many live with somebody stored. */
const HOUSEHOLD = 0.13;

/** Among these, twins and sons of one name are as frequent as in the populations. */
export function storedOf(peoples: readonly People[]): Weights['stored'] {
  const all = peoples.map(applyOf);
  const share = (kind: 'twin' | 'junior'): number =>
    all.reduce((sum, { [kind]: few, spouse, child, sibling, housemate, junior }) =>
      sum + few / (spouse + child + sibling + housemate + junior), 0) / all.length;
  return {
    household: HOUSEHOLD,
    twin: HOUSEHOLD * share('twin'),
    namesake: HOUSEHOLD * share('junior'),
  };
}

const ALL = 1_000;
const RANGES = [0.5, 0.7, 0.85, 0.95, 0.99, 1.001] as const;

interface Range {
  /** By how often such look-ups come. */
  weight: number;
  ofOne: number;
  scores: number;
  count: number;
}

/** A range of scores with what was expected and what is true. */
export interface RangeRow {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly said: number;
  readonly true: number;
}

export class Reliability {
  readonly #ranges: Range[] = RANGES.slice(1).map(() => {
    return { weight: 0, ofOne: 0, scores: 0, count: 0 };
  });

  add({ strangers, kin, wrong }: Told, people: People): void {
    const apply = applyOf(people);
    const known = Object.values(apply).reduce((sum, of) => sum + of, 0);
    this.#list(strangers, ALL - known, false);
    for (const [kind, scores] of Object.entries(kin)) this.#list(scores, apply[kind as Kin], false);
    this.#list(Object.values(wrong).flat(), apply.again, true);
  }

  #list(scores: readonly number[], outOf: number, isOne: boolean): void {
    for (const score of scores) {
      const at = RANGES.findLastIndex((least) => score >= least);
      const range = this.#ranges[at];
      if (range === undefined) continue;
      const weight = outOf / scores.length;
      range.weight += weight;
      range.ofOne += isOne ? weight : 0;
      range.scores += weight * score;
      range.count += 1;
    }
  }

  rows(): RangeRow[] {
    return this.#ranges.map(({ weight, ofOne, scores, count }, at) => ({
      from: RANGES[at] as number,
      to: Math.min(1, RANGES[at + 1] as number),
      count,
      said: weight === 0 ? 0 : scores / weight,
      true: weight === 0 ? 0 : ofOne / weight,
    }));
  }

  /** How far scores and truth are apart on average, of those scored at least 0.5. */
  error(): number {
    const all = this.#ranges.reduce((sum, { weight }) => sum + weight, 0);
    const off = this.#ranges.reduce((sum, one) => sum + Math.abs(one.scores - one.ofOne), 0);
    return all === 0 ? 0 : off / all;
  }
}

/** The populations from which the weights come; the others tell whether they hold. */
export const TRAINED: readonly string[] = ['vietnam', 'mexico', 'unitedStates'];

/** Of those populations, and of the others. */
export class Reliabilities {
  readonly trained = new Reliability();
  readonly others = new Reliability();

  add(population: string, told: Told): void {
    const people = ALL_POPULATIONS.find(({ key }) => key === population) as People;
    (TRAINED.includes(population) ? this.trained : this.others).add(told, people);
  }
}
