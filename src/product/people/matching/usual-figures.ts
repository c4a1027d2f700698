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
  { from: 5_000, alarms: [0, 0.3], missed: { tax: [5.7, 10], noTax: [57, 88.7] } },
  { from: 7_000, alarms: [0, 0.3], missed: { tax: [8, 13], noTax: [61.3, 97] } },
  { from: 8_500, alarms: [0, 0.3], missed: { tax: [10.3, 18], noTax: [74.3, 134] } },
  { from: 9_500, alarms: [0, 0], missed: { tax: [11.7, 25], noTax: [103.3, 158] } },
  { from: 9_900, alarms: [0, 0], missed: { tax: [16.7, 34.3], noTax: [172.7, 248.3] } },
];
