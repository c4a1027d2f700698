// Whether a score is the probability that it says: of look-ups as a tenant has them, the share in
// each range of scores that is truly one person. How often relatives apply is an assumption.
import type { Kin } from './peoples/index.ts';
import type { Told } from './peoples/looks.ts';

/**
 * Of 1,000 who apply: stored already, or of the household of somebody stored; others are strangers.
 * Of 80 siblings one is a twin, as of 1,000 deliveries twelve are (Monden and others 2021, Human
 * Reproduction); of 150 sons one is taken to have the father's whole name. The rest is assumed.
 */
export const APPLY = {
  again: 20,
  spouse: 60,
  child: 30,
  sibling: 20,
  housemate: 20,
  twin: 0.25,
  junior: 0.1,
} as const;
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

  add({ strangers, kin, wrong }: Told): void {
    const related = Object.values(APPLY).reduce((sum, of) => sum + of, 0);
    this.#list(strangers, ALL - related, false);
    for (const [kind, scores] of Object.entries(kin)) this.#list(scores, APPLY[kind as Kin], false);
    this.#list(Object.values(wrong).flat(), APPLY.again, true);
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
    (TRAINED.includes(population) ? this.trained : this.others).add(told);
  }
}
