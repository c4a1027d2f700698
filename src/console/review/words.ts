// Texts for the codes of reviews, for operators. Lists, no logic beyond looking up.
import { ENTITY_REASONS } from '../../product/people/business/index.ts';
import { REASONS } from '../../product/people/identity/index.ts';
import type { CaseDecision } from '../../product/people/review/index.ts';

/** Each rule by its digit: passed, needs review, failed. */
const RULES: Readonly<Record<string, readonly [string, string, string]>> = {
  age: ['18 or older', 'Implausible age', 'Under 18'],
  document_country: [
    'Document and address are from the same country',
    'Document and address are from different countries',
    'Document and address are from different countries',
  ],
  postcode: ['Postcode matches the country', 'Postcode does not match the country', ''],
  phone_country: ['Phone number matches the country', 'Phone number is from another country', ''],
  tax_number: ['Tax number is plausible', '', 'Tax number was never issued'],
  watch_list: ['Not on the watch-list', 'On the watch-list', 'On the watch-list'],
  people_watch_list: [
    'None of its people is on the watch-list',
    'One of its people is on the watch-list',
    'One of its people is on the watch-list',
  ],
  other_account: ['No similar account', 'Very similar to another account', ''],
  agents: ['All its people are verified', 'Not all its people are verified', ''],
  documents: ['Business document submitted', 'No business document that counts', ''],
};
/** A stored match weight in percent: never rounded up, so that only 1.0 shows as 100. */
export function percentOf(score: number): string {
  return `${(Math.floor(score / 10) / 10).toFixed(1)} %`;
}

const DIGITS = ['passed', 'needs review', 'failed'];

/** A result such as `age:2` in words. */
export function ruleInWords(result: string): string {
  const [name = '', digit = ''] = result.split(':');
  const own = RULES[name]?.[Number(digit)];
  if (own !== undefined && own !== '') return own;
  const vendor = name.startsWith('vendor_');
  const words = name.replace(/^vendor_/, '').replaceAll('_', ' ');
  return `${vendor ? 'Vendor check of ' : ''}${words}: ${DIGITS[Number(digit)] ?? digit}`;
}

/** A result about a business: its watch-list rule is about the people behind it. */
export function ofPeople(result: string): string {
  return result.replace(/^watch_list:/, 'people_watch_list:');
}

/** True for a result that calls for a review. */
export function isTelling(result: string): boolean {
  return !result.endsWith(':0');
}

/** What the applicant is told, by code. */
export const PERSON_REASONS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(REASONS).map(([code, { sentence }]) => [code, sentence]),
);
export const BUSINESS_REASONS: Readonly<Record<string, string>> = ENTITY_REASONS;

/** Decisions as on the buttons. */
export const DECISION_WORDS: Readonly<Record<CaseDecision, string>> = {
  accept: 'Accept',
  deny: 'Deny, with reasons',
  ask: 'Request more information, with reasons',
  cancel: 'Cancel: the applicant can start again',
};

/** Steps of histories. */
const EVENTS: Readonly<Record<string, string>> = {
  register: 'Account created',
  submit: 'Submitted by the applicant',
  submit_tax_form: 'Tax form submitted',
  decide: 'Check finished',
  cancel: 'Cancelled: the submission was incomplete',
  review: 'Decided',
  ask: 'More information requested',
  lapse: 'No answer for 30 days',
  find: 'Found by screening',
  drop: 'The watch-list was dropped',
  dismiss: 'Decided: another person or business',
  uphold: 'Decided: the same person or business',
  warn: 'Warned that the document expires',
  expire: 'The document has expired',
  require_again: 'New check started',
  follow_entity: 'Updated with its business',
  processor_verify: 'Verified by the card processor',
  processor_withdraw: 'The card processor requires more',
  set: 'Set by the sandbox',
  propose: 'Proposed; a second person must confirm',
  confirm: 'Confirmed by a second person',
  reject: 'Rejected by a second person',
  onboard: 'Business created',
  deactivate: 'Business closed',
};

/** A history event in words. */
export function eventInWords(event: string): string {
  return EVENTS[event] ?? event.replaceAll('_', ' ');
}
