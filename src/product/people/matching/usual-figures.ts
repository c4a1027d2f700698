// What thresholds cost in invented populations, for tenants with too few persons of their own: the
// least and the most of six countries, 10,000 stored in one city. Made by
// bench/matching-thresholds.ts, anew where weights change; docs/matching.md says of whom.

/** Of 1,000, in the population with the least and in that with the most. */
type Range = readonly [least: number, most: number];

/** What a threshold costs there. */
export interface UsualFigures {
  /** In ten-thousandths. */
  readonly from: number;
  /** Strangers with a match from this score on. */
  readonly alarms: Range;
  /** Those stored who apply again and have none: where all state tax digits, and where none do. */
  readonly missed: { readonly tax: Range; readonly noTax: Range };
}

export const USUAL_FIGURES: readonly UsualFigures[] = [
  { from: 5_000, alarms: [0, 0.7], missed: { tax: [2.3, 7], noTax: [24.7, 44.3] } },
  { from: 7_000, alarms: [0, 0.7], missed: { tax: [3, 8.7], noTax: [31.7, 55] } },
  { from: 8_500, alarms: [0, 0.3], missed: { tax: [4.7, 10], noTax: [51, 93] } },
  { from: 9_500, alarms: [0, 0.3], missed: { tax: [9, 15.3], noTax: [64, 106] } },
  { from: 9_900, alarms: [0, 0], missed: { tax: [14.7, 21.3], noTax: [99.7, 157.7] } },
];
