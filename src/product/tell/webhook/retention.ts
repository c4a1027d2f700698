// How long deliveries are shown, by the clock of their workspace. Their rows are removed later, all
// of a generation at once. [PD6]

/** SQL: how far the clock of workspace `$1` is ahead. */
export const AHEAD = '(select clock_offset from workspace where workspace = $1)';

/** SQL: attempt `a` is not over. */
export function attemptShown(): string {
  return `a.at >= clock_timestamp() + ${AHEAD} - interval '30 days'`;
}

/** SQL: delivery `d` of event `v` is pending, or ended and not over. */
export function deliveryShown(ahead = AHEAD, d = 'd'): string {
  return `(${d}.state = 'pending' or v.at >= clock_timestamp() + ${ahead} - interval '90 days')`;
}
