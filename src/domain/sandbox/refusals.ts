// The refusals of the sandbox calls, in order of precedence.
import { defineRefusals } from '../../kernel/refusal.ts';

export const refusals = defineRefusals({
  DEPOSIT_TARGET_UNCLEAR: {
    status: 400,
    sentence: 'Name either an account or the integrator as the receiver of the money.',
    act: 'caller',
    retry: false,
    cites: 'G-49',
  },
  TEST_CARD_UNKNOWN: {
    status: 400,
    sentence: 'There is no test card of that name; the list of test cards has them all.',
    act: 'caller',
    retry: false,
    cites: 'G-64',
  },
  SCENARIO_UNKNOWN: {
    status: 400,
    sentence: 'There is no scenario of that name; the list of scenarios has them all.',
    act: 'caller',
    retry: false,
    cites: 'G-64',
  },
  OUTSIDE_EVENT_REFUSED: {
    status: 400,
    sentence: 'There is no payment or payout of that id to which this can happen now.',
    act: 'caller',
    retry: false,
    cites: 'G-64',
  },
  PROCESSOR_UNAVAILABLE: {
    status: 503,
    sentence: 'The card processor does not answer now; nothing was changed.',
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
    sentence: 'There is no check of that application, or the vendor has decided so already.',
    act: 'caller',
    retry: false,
    cites: 'G-64',
  },
  VENDOR_UNAVAILABLE: {
    status: 503,
    sentence: 'The identity vendor does not answer now; nothing was changed.',
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
