// Refusals of the processor simulator, in order of precedence. A declined card is not here: that is
// a stored outcome.
import { defineRefusals } from '../../../core/refusal.ts';

export const refusals = defineRefusals({
  PROCESSOR_KEY_INVALID: {
    status: 401,
    sentence: 'The processor key is missing or invalid.',
    act: 'operator',
    retry: false,
    cites: 'G-12',
  },
  CARD_NOT_A_TEST_CARD: {
    status: 400,
    sentence: 'The sandbox accepts only test cards; see the list of test cards.',
    act: 'user',
    retry: false,
    cites: 'PD4',
  },
  CARD_DATE_PAST: {
    status: 400,
    sentence: 'The card has expired.',
    act: 'user',
    retry: false,
    cites: 'G-39',
  },
  ACCOUNT_NOT_A_TEST_ACCOUNT: {
    status: 400,
    sentence: 'The sandbox accepts only test accounts. Choose one of those on the page.',
    act: 'user',
    retry: false,
    cites: 'PD4',
  },
  ENTRY_PAGE_NOT_FOUND: {
    status: 404,
    sentence: 'There is no such page.',
    act: 'user',
    retry: false,
    cites: 'PD4',
  },
  ENTRY_ENDED: {
    status: 409,
    sentence: 'This page has expired. Go back and start again.',
    act: 'user',
    retry: false,
    cites: 'PD4',
  },
  ENTRY_KIND_MISMATCH: {
    status: 400,
    sentence: 'This page is for a different kind of card or account.',
    act: 'caller',
    retry: false,
    cites: 'PD4',
  },
  CHARGE_ABSENT: {
    status: 409,
    sentence: 'There is no authorization to capture under this key.',
    act: 'caller',
    retry: false,
    cites: 'G-41',
  },
  KEY_REUSED: {
    status: 409,
    sentence: 'This key was already used for a different order.',
    act: 'caller',
    retry: false,
    cites: 'G-44',
  },
  CHALLENGE_ABSENT: {
    status: 404,
    sentence: 'There is no payment to confirm at this address.',
    act: 'user',
    retry: false,
    cites: 'G-39',
  },
  CHALLENGE_OVER: {
    status: 409,
    sentence: 'The payment is no longer waiting for confirmation.',
    act: 'user',
    retry: false,
    cites: 'G-39',
  },
  OUTSIDE_EVENT_IMPOSSIBLE: {
    status: 409,
    sentence: 'The key is unknown, or this event is not possible in its current state.',
    act: 'caller',
    retry: false,
    cites: 'G-64',
  },
});
