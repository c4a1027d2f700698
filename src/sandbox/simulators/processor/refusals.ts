// Refusals of the processor simulator, in order of precedence. A declined card is not here: that is
// a stored outcome.
import { defineRefusals, no } from '../../../core/refusal.ts';

export const refusals = defineRefusals({
  PROCESSOR_KEY_INVALID: no(401, 'operator', 'G-12', 'The processor key is missing or invalid.'),
  CARD_NOT_A_TEST_CARD: no(400, 'user', 'PD4',
    'The sandbox accepts only test cards; see the list of test cards.'),
  CARD_DATE_PAST: no(400, 'user', 'G-39', 'The card has expired.'),
  ACCOUNT_NOT_A_TEST_ACCOUNT: no(400, 'user', 'PD4',
    'The sandbox accepts only test accounts. Choose one of those on the page.'),
  ENTRY_PAGE_NOT_FOUND: no(404, 'user', 'PD4', 'There is no such page.'),
  ENTRY_ENDED: no(409, 'user', 'PD4', 'This page has expired. Go back and start again.'),
  ENTRY_KIND_MISMATCH: no(400, 'caller', 'PD4',
    'This page is for a different kind of card or account.'),
  CHARGE_ABSENT: no(409, 'caller', 'G-41', 'There is no authorization to capture under this key.'),
  KEY_REUSED: no(409, 'caller', 'G-44', 'This key was already used for a different order.'),
  CHALLENGE_ABSENT: no(404, 'user', 'G-39', 'There is no payment to confirm at this address.'),
  CHALLENGE_OVER: no(409, 'user', 'G-39', 'The payment is no longer waiting for confirmation.'),
  OUTSIDE_EVENT_IMPOSSIBLE: no(409, 'caller', 'G-64',
    'The key is unknown, or this event is not possible in its current state.'),
});
