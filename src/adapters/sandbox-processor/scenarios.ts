// The twenty failures that every payment must survive, as rows: name, how each must end, and the
// calls it scripts. Tests, docs and sandbox operations read this one table. [M13, campaign U]
import type { ScenarioFact } from '../../ports/sandbox-cards.ts';
import type { OutcomeFact } from '../../ports/sandbox-counterparties.ts';
import type { ExchangeName } from './exchanges.ts';
import type { ExchangeOperation } from './protocol.ts';

/** One scripted call. */
export interface ScenarioStep {
  readonly operation: ExchangeOperation;
  readonly exchange: ExchangeName;
  /** How many calls in a row; 1 if absent. */
  readonly times?: number;
}

/** A scenario: what people read, and what is queued. */
export interface Scenario extends ScenarioFact {
  readonly steps: readonly ScenarioStep[];
  readonly outcome: OutcomeFact;
  /** The test account it is for; any card if absent. */
  readonly needs?: string;
}

/** How a payment ends; `moved`: kinds of the statement rows. */
export function paymentEnd(
  state: string,
  moved: readonly string[],
  code: string | null = null,
): OutcomeFact {
  return { of: 'payment', state, code, moved, tries: null };
}

const PAID = paymentEnd('success', ['capture']);
const PARKED = paymentEnd('parked', ['capture']);

/** In the order of the campaign, U1 to U20. */
export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'all_well',
    story: 'Every answer comes in time and is true.',
    ends: 'Success, captured once.',
    outcome: PAID,
    steps: [],
  },
  {
    name: 'declined',
    story: 'The authorisation is declined.',
    ends: 'Failed with its reason, nothing captured.',
    outcome: paymentEnd('failed', [], 'card_declined'),
    steps: [{ operation: 'authorize', exchange: 'decline_card_declined' }],
  },
  {
    name: 'lost_before_effect',
    story: 'The authorisation gets no answer, and nothing happened.',
    ends: 'Sent again under the same key, then success.',
    outcome: PAID,
    steps: [{ operation: 'authorize', exchange: 'timeout_before_effect' }],
  },
  {
    name: 'lost_after_capture',
    story: 'The capture gets no answer, and the money was taken.',
    ends: 'Success, captured once.',
    outcome: PAID,
    steps: [{ operation: 'capture', exchange: 'timeout_after_effect' }],
  },
  {
    name: 'declined_late',
    story: 'The capture gets no answer, stays pending, and is declined 15 seconds later.',
    ends: 'Failed, nothing captured.',
    outcome: paymentEnd('failed', [], 'generic_error'),
    steps: [{ operation: 'capture', exchange: 'fails_late_in_silence' }],
  },
  {
    name: 'silent_look_ups',
    story: 'The capture gets no answer although the money was taken, nor do five look-ups.',
    ends: 'Processing for as long, then success, captured once.',
    outcome: PAID,
    steps: [
      { operation: 'capture', exchange: 'timeout_after_effect' },
      { operation: 'look', exchange: 'timeout_before_effect', times: 5 },
    ],
  },
  {
    name: 'lands_late',
    story: 'The authorisation gets no answer, is not to be found, and lands 15 seconds later.',
    ends: 'Success, captured once, all under one key.',
    outcome: PAID,
    steps: [{ operation: 'authorize', exchange: 'late_effect' }],
  },
  {
    name: 'fault_before_effect',
    story: 'The authorisation is answered with a fault, and nothing happened.',
    ends: 'Sent again, then success.',
    outcome: PAID,
    steps: [{ operation: 'authorize', exchange: 'fault_before_effect' }],
  },
  {
    name: 'fault_after_capture',
    story: 'The capture is answered with a fault, and the money was taken.',
    ends: 'Success, captured once.',
    outcome: PAID,
    steps: [{ operation: 'capture', exchange: 'fault_after_effect' }],
  },
  {
    name: 'too_busy',
    story: 'Eight authorisations and eight look-ups are answered that there is too much to do.',
    ends: 'Success later, asked ever less often and 30 times at most.',
    outcome: PAID,
    steps: [
      { operation: 'authorize', exchange: 'busy', times: 8 },
      { operation: 'look', exchange: 'busy', times: 8 },
    ],
  },
  {
    name: 'notice_first',
    story: 'The notice of the capture comes before the answer of the call.',
    ends: 'Success, once.',
    outcome: PAID,
    steps: [{ operation: 'capture', exchange: 'notice_before_answer' }],
  },
  {
    name: 'notices_in_disorder',
    story: 'The notice of the capture comes twice, that of the authorisation after it.',
    ends: 'Success, once.',
    outcome: PAID,
    steps: [
      { operation: 'authorize', exchange: 'notice_late' },
      { operation: 'capture', exchange: 'notice_twice' },
    ],
  },
  {
    name: 'statement_only',
    story: 'The capture and ten look-ups get no answer and no notice comes: the statement knows.',
    ends: 'Success after reconciliation, captured once.',
    outcome: PAID,
    steps: [
      { operation: 'capture', exchange: 'silence_without_notice' },
      { operation: 'look', exchange: 'timeout_before_effect', times: 10 },
    ],
  },
  {
    name: 'declined_but_captured',
    story: 'The answer says declined, the book and its notice say captured.',
    ends: 'Waits for a person, nobody is credited, then given back or accepted by decision.',
    outcome: PARKED,
    steps: [{ operation: 'authorize', exchange: 'captured_but_denied' }],
  },
  {
    name: 'one_cent_less',
    story: 'One minor unit less than ordered is captured.',
    ends: 'Waits for a person, nobody is credited.',
    outcome: PARKED,
    steps: [{ operation: 'capture', exchange: 'one_less' }],
  },
  {
    name: 'other_currency',
    story: 'The capture is made in another currency than ordered.',
    ends: 'Waits for a person, nobody is credited.',
    outcome: PARKED,
    steps: [{ operation: 'capture', exchange: 'other_currency' }],
  },
  {
    name: 'captured_twice',
    story: 'The money is captured twice under one key; the statement shows both.',
    ends: 'Success, credited once, the second capture given back.',
    outcome: paymentEnd('success', ['capture', 'capture', 'refund']),
    steps: [{ operation: 'capture', exchange: 'captured_twice' }],
  },
  {
    name: 'settles_late',
    story: 'The capture is accepted as a bank debit and settles after 15 seconds.',
    ends: 'Processing until then, then success.',
    outcome: PAID,
    steps: [{ operation: 'capture', exchange: 'settles_late' }],
  },
  {
    name: 'returned_late',
    story: 'A bank debit settles at once and comes back after 15 seconds; for a bank account.',
    ends: 'Success stays; the return is booked beside it, and no wallet is below zero.',
    outcome: paymentEnd('success', ['capture', 'return']),
    needs: 'bank_settled',
    steps: [{ operation: 'capture', exchange: 'returned_late' }],
  },
  {
    name: 'key_forgotten',
    story: 'The authorisation gets no answer, and sent again it would reserve a second time.',
    ends: 'Looked up before anything is sent again: success, captured once.',
    outcome: PAID,
    steps: [
      { operation: 'authorize', exchange: 'timeout_after_effect' },
      { operation: 'authorize', exchange: 'forgotten_key' },
    ],
  },
];

/** All names. */
export const SCENARIO_NAMES: readonly string[] = SCENARIOS.map(({ name }) => name);
