// The refusals of the sandbox calls, in order of precedence.
import { defineRefusals, no, notYet } from '../../core/refusal.ts';

export const refusals = defineRefusals({
  DEPOSIT_TARGET_UNCLEAR: no(400, 'caller', 'G-49',
    'Send exactly one of account_id and integrator.'),
  TEST_CARD_UNKNOWN: no(400, 'caller', 'G-64',
    'There is no such test card; see the list of test cards.'),
  SCENARIO_UNKNOWN: no(400, 'caller', 'G-64',
    'There is no such scenario; see the list of scenarios.'),
  OUTSIDE_EVENT_REFUSED: no(400, 'caller', 'G-64',
    'There is no such payment or payout, or this event is not possible in its current state.'),
  PROCESSOR_UNAVAILABLE: notYet(503, 'caller', 'G-64',
    'The card processor is temporarily unavailable; nothing was changed. Try again later.'),
  SANDBOX_PERSONS_ABSENT: no(400, 'operator', 'G-64',
    'The identity vendor of this installation has no test persons.'),
  IDENTITY_EVENT_REFUSED: no(400, 'caller', 'G-64',
    'The application has no check, or the vendor has already made this decision.'),
  VENDOR_UNAVAILABLE: notYet(503, 'caller', 'G-64',
    'The identity vendor is temporarily unavailable; nothing was changed. Try again later.'),
  SANDBOX_CARDS_ABSENT: no(400, 'operator', 'G-64',
    'The card processor of this installation has no test cards.'),
});
