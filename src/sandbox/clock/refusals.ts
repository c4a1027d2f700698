// The refusals of the clock, in order of precedence. [G-64]
import { defineRefusals } from '../../core/refusal.ts';

export const refusals = defineRefusals({
  CLOCK_WISH_UNCLEAR: {
    status: 400,
    sentence: 'Send exactly one of advance_seconds, to, next and until_idle.',
    act: 'caller',
    retry: false,
    cites: 'G-64',
  },
  CLOCK_BACKWARDS: {
    status: 400,
    sentence:
      'The clock can only move forward: the requested time must be later than its current time.',
    act: 'caller',
    retry: false,
    cites: 'G-64',
  },
  CLOCK_TOO_FAR: {
    status: 400,
    sentence: 'The clock cannot move beyond the end of the year 2199.',
    act: 'caller',
    retry: false,
    cites: 'G-64',
  },
  CLOCK_BUSY: {
    status: 409,
    sentence: 'Due work is not finished yet, so the clock stopped early. Send the request again.',
    act: 'caller',
    retry: true,
    cites: 'G-64',
  },
});
