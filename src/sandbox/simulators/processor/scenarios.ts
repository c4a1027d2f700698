// The twenty failures that every payment must survive, as rows: name, how each must end, and the
// calls it scripts. Tests, docs and sandbox operations read this one table. [M13, campaign U]
import type { ScenarioFact } from '../../ports/cards.ts';
import type { OutcomeFact } from '../../ports/counterparties.ts';
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
    story: 'Every call succeeds.',
    ends: 'Success, captured once.',
    outcome: PAID,
    steps: [],
  },
  {
    name: 'declined',
    story: 'The authorisation is declined.',
    ends: 'Failed with the reason, nothing captured.',
    outcome: paymentEnd('failed', [], 'card_declined'),
    steps: [{ operation: 'authorize', exchange: 'decline_card_declined' }],
  },
  {
    name: 'lost_before_effect',
    story: 'The authorisation times out, and nothing happened.',
    ends: 'Retried under the same key, then success.',
    outcome: PAID,
    steps: [{ operation: 'authorize', exchange: 'timeout_before_effect' }],
  },
  {
    name: 'lost_after_capture',
    story: 'The capture times out, although the money was taken.',
    ends: 'Success, captured once.',
    outcome: PAID,
    steps: [{ operation: 'capture', exchange: 'timeout_after_effect' }],
  },
  {
    name: 'declined_late',
    story: 'The capture times out, stays pending, and is declined 15 seconds later.',
    ends: 'Failed, nothing captured.',
    outcome: paymentEnd('failed', [], 'generic_error'),
    steps: [{ operation: 'capture', exchange: 'fails_late_in_silence' }],
  },
  {
    name: 'silent_look_ups',
    story: 'The capture times out although the money was taken; so do five status queries.',
    ends: 'Processing meanwhile, then success, captured once.',
    outcome: PAID,
    steps: [
      { operation: 'capture', exchange: 'timeout_after_effect' },
      { operation: 'look', exchange: 'timeout_before_effect', times: 5 },
    ],
  },
  {
    name: 'lands_late',
    story: 'The authorisation times out, is unknown at first, and takes effect 15 seconds later.',
    ends: 'Success, captured once, all under one key.',
    outcome: PAID,
    steps: [{ operation: 'authorize', exchange: 'late_effect' }],
  },
  {
    name: 'fault_before_effect',
    story: 'The authorisation returns 500, and nothing happened.',
    ends: 'Retried, then success.',
    outcome: PAID,
    steps: [{ operation: 'authorize', exchange: 'fault_before_effect' }],
  },
  {
    name: 'fault_after_capture',
    story: 'The capture returns 500, although the money was taken.',
    ends: 'Success, captured once.',
    outcome: PAID,
    steps: [{ operation: 'capture', exchange: 'fault_after_effect' }],
  },
  {
    name: 'too_busy',
    story: 'Eight authorisations and eight status queries return 429.',
    ends: 'Success later, with growing pauses and 30 calls at most.',
    outcome: PAID,
    steps: [
      { operation: 'authorize', exchange: 'busy', times: 8 },
      { operation: 'look', exchange: 'busy', times: 8 },
    ],
  },
  {
    name: 'notice_first',
    story: 'The webhook of the capture arrives before the response.',
    ends: 'Success, once.',
    outcome: PAID,
    steps: [{ operation: 'capture', exchange: 'notice_before_answer' }],
  },
  {
    name: 'notices_in_disorder',
    story: 'The webhook of the capture arrives twice, that of the authorisation after it.',
    ends: 'Success, once.',
    outcome: PAID,
    steps: [
      { operation: 'authorize', exchange: 'notice_late' },
      { operation: 'capture', exchange: 'notice_twice' },
    ],
  },
  {
    name: 'statement_only',
    story: 'The capture and ten status queries time out, without a webhook; the statement has it.',
    ends: 'Success after reconciliation, captured once.',
    outcome: PAID,
    steps: [
      { operation: 'capture', exchange: 'silence_without_notice' },
      { operation: 'look', exchange: 'timeout_before_effect', times: 10 },
    ],
  },
  {
    name: 'declined_but_captured',
    story: 'The response says declined; its records and webhook say captured.',
    ends: 'Manual review, nobody is credited; then a person returns or accepts the money.',
    outcome: PARKED,
    steps: [{ operation: 'authorize', exchange: 'captured_but_denied' }],
  },
  {
    name: 'one_cent_less',
    story: 'One minor unit less than ordered is captured.',
    ends: 'Manual review, nobody is credited.',
    outcome: PARKED,
    steps: [{ operation: 'capture', exchange: 'one_less' }],
  },
  {
    name: 'other_currency',
    story: 'The capture is made in another currency than ordered.',
    ends: 'Manual review, nobody is credited.',
    outcome: PARKED,
    steps: [{ operation: 'capture', exchange: 'other_currency' }],
  },
  {
    name: 'captured_twice',
    story: 'The money is captured twice under one key; the statement shows both.',
    ends: 'Success, credited once, the second capture returned.',
    outcome: paymentEnd('success', ['capture', 'capture', 'refund']),
    steps: [{ operation: 'capture', exchange: 'captured_twice' }],
  },
  {
    name: 'settles_late',
    story: 'The capture is pending like a bank debit and settles after 15 seconds.',
    ends: 'Processing until then, then success.',
    outcome: PAID,
    steps: [{ operation: 'capture', exchange: 'settles_late' }],
  },
  {
    name: 'returned_late',
    story: 'A bank debit settles at once and is returned after 15 seconds (bank accounts only).',
    ends: 'Stays success; the return is booked separately, and no wallet goes below zero.',
    outcome: paymentEnd('success', ['capture', 'return']),
    needs: 'bank_settled',
    steps: [{ operation: 'capture', exchange: 'returned_late' }],
  },
  {
    name: 'key_forgotten',
    story: 'The authorisation times out, and a retry would reserve a second time.',
    ends: 'Queried before anything is retried: success, captured once.',
    outcome: PAID,
    steps: [
      { operation: 'authorize', exchange: 'timeout_after_effect' },
      { operation: 'authorize', exchange: 'forgotten_key' },
    ],
  },
];

/** All names. */
export const SCENARIO_NAMES: readonly string[] = SCENARIOS.map(({ name }) => name);

/** The calls that a scenario scripts. */
export function stepsOf(scenario: string): readonly ScenarioStep[] {
  return SCENARIOS.find(({ name }) => name === scenario)?.steps ?? [];
}
