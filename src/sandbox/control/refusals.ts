// The refusals of the sandbox calls, in order of precedence.
import { defineRefusals } from '../../core/refusal.ts';

export const refusals = defineRefusals({
  DEPOSIT_TARGET_UNCLEAR: {
    status: 400,
    sentence: 'Send exactly one of account_id and integrator.',
    act: 'caller',
    retry: false,
    cites: 'G-49',
  },
  TEST_CARD_UNKNOWN: {
    status: 400,
    sentence: 'There is no such test card; see the list of test cards.',
    act: 'caller',
    retry: false,
    cites: 'G-64',
  },
  SCENARIO_UNKNOWN: {
    status: 400,
    sentence: 'There is no such scenario; see the list of scenarios.',
    act: 'caller',
    retry: false,
    cites: 'G-64',
  },
  OUTSIDE_EVENT_REFUSED: {
    status: 400,
    sentence:
      'There is no such payment or payout, or this event is not possible in its current state.',
    act: 'caller',
    retry: false,
    cites: 'G-64',
  },
  PROCESSOR_UNAVAILABLE: {
    status: 503,
    sentence:
      'The card processor is temporarily unavailable; nothing was changed. Try again later.',
    act: 'caller',
    retry: true,
    cites: 'G-64',
  },
  SANDBOX_PERSONS_ABSENT: {
    status: 400,
    sentence: 'The identity vendor of this installation has no test persons.',
    act: 'operator',
    retry: false,
    cites: 'G-64',
  },
  IDENTITY_EVENT_REFUSED: {
    status: 400,
    sentence: 'The application has no check, or the vendor has already made this decision.',
    act: 'caller',
    retry: false,
    cites: 'G-64',
  },
  VENDOR_UNAVAILABLE: {
    status: 503,
    sentence:
      'The identity vendor is temporarily unavailable; nothing was changed. Try again later.',
    act: 'caller',
    retry: true,
    cites: 'G-64',
  },
  SANDBOX_CARDS_ABSENT: {
    status: 400,
    sentence: 'The card processor of this installation has no test cards.',
    act: 'operator',
    retry: false,
    cites: 'G-64',
  },
});
