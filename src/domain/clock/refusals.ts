// The refusals of the clock, in order of precedence. [G-64]
import { defineRefusals } from '../../kernel/refusal.ts';

export const refusals = defineRefusals({
  CLOCK_WISH_UNCLEAR: {
    status: 400,
    sentence: 'Say exactly one of advance_seconds, to, next and until_idle.',
    act: 'caller',
    retry: false,
    cites: 'G-64',
  },
  CLOCK_BACKWARDS: {
    status: 400,
    sentence: 'The clock only goes forward: the moment asked for is not later than its own.',
    act: 'caller',
    retry: false,
    cites: 'G-64',
  },
  CLOCK_TOO_FAR: {
    status: 400,
    sentence: 'The clock goes to the end of the year 2199.',
    act: 'caller',
    retry: false,
    cites: 'G-64',
  },
  CLOCK_BUSY: {
    status: 409,
    sentence: 'Something that is due has not ended yet; the clock stands where it was named.',
    act: 'caller',
    retry: true,
    cites: 'G-64',
  },
});
