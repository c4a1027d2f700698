// Times of an escrow's holding limit: when its warning is sent, and how long it runs on after a
// dispute. [G-42]

const DAY = 86_400;
const LEAD = 7 * DAY;

/** Seconds between the warning and the end: a week, or half of a short limit. */
export function warningSeconds(holdSeconds: number): number {
  return Math.min(LEAD, Math.floor(holdSeconds / 2));
}

/**
 * The fewest seconds left after a dispute, so that somebody can decide before the limit ends: a
 * day, or half of a short limit. [G-93]
 */
export function leastAfterDispute(holdSeconds: number): number {
  return Math.min(DAY, Math.floor(holdSeconds / 2));
}
