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

type Call = readonly [ScenarioStep['operation'], ScenarioStep['exchange'], times?: number];

function scenario(
  name: string,
  outcome: OutcomeFact,
  calls: readonly Call[],
  story: string,
  ends: string,
  needs?: string,
): Scenario {
  const steps = calls.map(([operation, exchange, times]) => {
    return { operation, exchange, ...(times === undefined ? {} : { times }) };
  });
  return { name, story, ends, outcome, steps, ...(needs === undefined ? {} : { needs }) };
}

/** In the order of the campaign, U1 to U20. */
export const SCENARIOS: readonly Scenario[] = [
  scenario('all_well', PAID, [], 'Every call succeeds.', 'Success, captured once.'),
  scenario('declined', paymentEnd('failed', [], 'card_declined'),
    [['authorize', 'decline_card_declined']],
    'The authorisation is declined.', 'Failed with the reason, nothing captured.'),
  scenario('lost_before_effect', PAID, [['authorize', 'timeout_before_effect']],
    'The authorisation times out, and nothing happened.',
    'Retried under the same key, then success.'),
  scenario('lost_after_capture', PAID, [['capture', 'timeout_after_effect']],
    'The capture times out, although the money was taken.', 'Success, captured once.'),
  scenario('declined_late', paymentEnd('failed', [], 'generic_error'),
    [['capture', 'fails_late_in_silence']],
    'The capture times out, stays pending, and is declined 15 seconds later.',
    'Failed, nothing captured.'),
  scenario('silent_look_ups', PAID,
    [['capture', 'timeout_after_effect'], ['look', 'timeout_before_effect', 5]],
    'The capture times out although the money was taken; so do five status queries.',
    'Processing meanwhile, then success, captured once.'),
  scenario('lands_late', PAID, [['authorize', 'late_effect']],
    'The authorisation times out, is unknown at first, and takes effect 15 seconds later.',
    'Success, captured once, all under one key.'),
  scenario('fault_before_effect', PAID, [['authorize', 'fault_before_effect']],
    'The authorisation returns 500, and nothing happened.', 'Retried, then success.'),
  scenario('fault_after_capture', PAID, [['capture', 'fault_after_effect']],
    'The capture returns 500, although the money was taken.', 'Success, captured once.'),
  scenario('too_busy', PAID, [['authorize', 'busy', 8], ['look', 'busy', 8]],
    'Eight authorisations and eight status queries return 429.',
    'Success later, with growing pauses and 30 calls at most.'),
  scenario('notice_first', PAID, [['capture', 'notice_before_answer']],
    'The webhook of the capture arrives before the response.', 'Success, once.'),
  scenario('notices_in_disorder', PAID, [['authorize', 'notice_late'], ['capture', 'notice_twice']],
    'The webhook of the capture arrives twice, that of the authorisation after it.',
    'Success, once.'),
  scenario('statement_only', PAID,
    [['capture', 'silence_without_notice'], ['look', 'timeout_before_effect', 10]],
    'The capture and ten status queries time out, without a webhook; the statement has it.',
    'Success after reconciliation, captured once.'),
  scenario('declined_but_captured', PARKED, [['authorize', 'captured_but_denied']],
    'The response says declined; its records and webhook say captured.',
    'Manual review, nobody is credited; then a person returns or accepts the money.'),
  scenario('one_cent_less', PARKED, [['capture', 'one_less']],
    'One minor unit less than ordered is captured.', 'Manual review, nobody is credited.'),
  scenario('other_currency', PARKED, [['capture', 'other_currency']],
    'The capture is made in another currency than ordered.', 'Manual review, nobody is credited.'),
  scenario('captured_twice', paymentEnd('success', ['capture', 'capture', 'refund']),
    [['capture', 'captured_twice']],
    'The money is captured twice under one key; the statement shows both.',
    'Success, credited once, the second capture returned.'),
  scenario('settles_late', PAID, [['capture', 'settles_late']],
    'The capture is pending like a bank debit and settles after 15 seconds.',
    'Processing until then, then success.'),
  scenario('returned_late', paymentEnd('success', ['capture', 'return']),
    [['capture', 'returned_late']],
    'A bank debit settles at once and is returned after 15 seconds (bank accounts only).',
    'Stays success; the return is booked separately, and no wallet goes below zero.',
    'bank_settled'),
  scenario('key_forgotten', PAID,
    [['authorize', 'timeout_after_effect'], ['authorize', 'forgotten_key']],
    'The authorisation times out, and a retry would reserve a second time.',
    'Queried before anything is retried: success, captured once.'),
];

/** All names. */
export const SCENARIO_NAMES: readonly string[] = SCENARIOS.map(({ name }) => name);

/** The calls that a scenario scripts. */
export function stepsOf(scenario: string): readonly ScenarioStep[] {
  return SCENARIOS.find(({ name }) => name === scenario)?.steps ?? [];
}
