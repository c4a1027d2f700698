// Whether a score is the probability that it says: of look-ups as a tenant has them, the share in
// each range of scores that is truly one person. How often relatives apply is an assumption.
import type { Told } from './peoples/looks.ts';

/** Of 1,000 who apply: stored already, or a relative of somebody stored. Others are strangers. */
const APPLY: Readonly<Record<string, number>> = {
  again: 20,
  spouse: 120,
  child: 80,
  sibling: 50,
  housemate: 45,
  twin: 2,
  junior: 1,
};
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
    for (const [kind, scores] of Object.entries(kin)) this.#list(scores, APPLY[kind] ?? 0, false);
    this.#list(Object.values(wrong).flat(), APPLY['again'] ?? 0, true);
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
