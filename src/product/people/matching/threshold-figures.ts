// What a threshold costs, from scores of look-ups: of 1,000 strangers who has a match, and of 1,000
// who are stored who has none. Pure. [G-53]

/** Scores that a tenant chooses from, in ten-thousandths. */
export const THRESHOLDS = [5_000, 7_000, 8_500, 9_500, 9_900] as const;

/** The score of the first hundredth that is counted. */
const FIRST = 50;
const HUNDREDTHS = 51;

/** Of 1,000: what was seen, and between what it lies with a probability of 95 %. */
export interface Rate {
  readonly seen: number;
  readonly least: number;
  readonly most: number;
}

/** What a threshold is expected to cost. */
export interface ThresholdFigures {
  /** In ten-thousandths. */
  readonly from: number;
  /** Of 1,000 strangers, those with a match from this score on. */
  readonly alarms: Rate;
  /** Of 1,000 who are stored and apply again, those without one. */
  readonly missed: Rate;
}

/** How strangers and persons stated again scored. */
export interface Scored {
  readonly strangers: number;
  readonly again: number;
  /** How many of each score from 0.50 to 1.00, in hundredths; those below are in neither. */
  readonly strangers_at: readonly number[];
  readonly again_at: readonly number[];
}

/** Wilson's interval of a share, of 1,000. */
function rateOf(count: number, of: number): Rate {
  if (of === 0) return { seen: 0, least: 0, most: 1_000 };
  const z = 1.96;
  const share = count / of;
  const middle = share + (z * z) / (2 * of);
  const side = z * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of));
  const whole = 1 + (z * z) / of;
  const bound = (value: number): number => 1_000 * Math.min(1, Math.max(0, value / whole));
  return {
    seen: 1_000 * share,
    least: count === 0 ? 0 : bound(middle - side),
    most: count === of ? 1_000 : bound(middle + side),
  };
}

/** The figures of a threshold, from how many had a score of each hundredth from 0.5 on. */
export function figuresAt(
  threshold: number,
  { strangers, again, strangers_at, again_at }: Scored,
): ThresholdFigures {
  const first = Math.ceil(threshold / 100) - FIRST;
  const from = (bins: readonly number[]): number =>
    bins.slice(first).reduce((sum, count) => sum + count, 0);
  return {
    from: threshold,
    alarms: rateOf(from(strangers_at), strangers),
    missed: rateOf(again - from(again_at), again),
  };
}

/** How many scores are of each hundredth from 0.5 on. */
export function binsOf(scores: readonly number[]): number[] {
  const bins = Array.from({ length: HUNDREDTHS }, () => 0);
  for (const score of scores) {
    const at = Math.floor(Math.round(score * 10_000) / 100) - FIRST;
    if (at >= 0) bins[at] = (bins[at] ?? 0) + 1;
  }
  return bins;
}
