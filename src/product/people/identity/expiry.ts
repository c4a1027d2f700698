// When an identity document stops being valid, and when its person is warned. Pure. [G-51]
import { addSeconds, type Instant } from '../../../core/time.ts';

const DAY = 86_400;
/** Seconds before the expiry at which the warning is sent. */
const WARNING_SECONDS = 30 * DAY;

/** The first moment after the last valid day, `YYYY-MM-DD`. */
export function expiryOf(day: string): Instant {
  return addSeconds(`${day}T00:00:00.000000Z`, DAY);
}

/** When the warning about a document is due. */
export function warningOf(day: string): Instant {
  return addSeconds(expiryOf(day), -WARNING_SECONDS);
}
