// The refusals of the clock, in order of precedence. [G-64]
import { defineRefusals, no, notYet } from '../../core/refusal.ts';

export const refusals = defineRefusals({
  CLOCK_WISH_UNCLEAR: no(400, 'caller', 'G-64',
    'Send exactly one of advance_seconds, to, next and until_idle.'),
  CLOCK_BACKWARDS: no(400, 'caller', 'G-64',
    'The clock can only move forward: the requested time must be later than its current time.'),
  CLOCK_TOO_FAR: no(400, 'caller', 'G-64',
    'The clock cannot move beyond the end of the year 2199.'),
  CLOCK_BUSY: notYet(409, 'caller', 'G-64',
    'Due work is not finished yet, so the clock stopped early. Send the request again.'),
});
