// Texts for the codes of reviews, for operators. Lists, no logic beyond looking up.
import { ENTITY_REASONS } from '../../domain/business/index.ts';
import { REASONS } from '../../domain/identity/index.ts';
import type { CaseDecision } from '../../domain/review/index.ts';

/** Each rule by its digit: passes, wants a review, fails. */
const RULES: Readonly<Record<string, readonly [string, string, string]>> = {
  age: ['Of age', 'Improbably old', 'Under 18'],
  document_country: [
    'The document is from the country of the address',
    'The document is from another country than the address',
    'The document is from another country than the address',
  ],
  postcode: ['The postcode fits the country', 'The postcode does not fit the country', ''],
  phone_country: ['The phone fits the country', 'The phone is of another country', ''],
  tax_number: ['The tax number can exist', '', 'No such tax number was ever given out'],
  watch_list: ['Not on the watch-list', 'On the watch-list', 'On the watch-list'],
  other_account: ['No other account is alike', 'Another account is very much alike', ''],
  agents: ['Everybody behind it is verified', 'Not everybody behind it is verified', ''],
  documents: ['A document of the business is there', 'No document of the business itself', ''],
};
/** A stored match weight in percent: never rounded up, so that only 1.0 shows as 100. */
export function percentOf(score: number): string {
  return `${(Math.floor(score / 10) / 10).toFixed(1)} %`;
}

const DIGITS = ['passes', 'wants a look', 'fails'];

/** A result such as `age:2` in words. */
export function ruleInWords(result: string): string {
  const [name = '', digit = ''] = result.split(':');
  const own = RULES[name]?.[Number(digit)];
  if (own !== undefined && own !== '') return own;
  const vendor = name.startsWith('vendor_');
  const words = name.replace(/^vendor_/, '').replaceAll('_', ' ');
  return `${vendor ? 'The vendor says of ' : ''}${words}: ${DIGITS[Number(digit)] ?? digit}`;
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
  ask: 'Ask for more, with reasons',
  cancel: 'Cancel: the applicant may begin again',
};

/** Steps of histories. */
const EVENTS: Readonly<Record<string, string>> = {
  register: 'The account was made',
  submit: 'Sent in by the applicant',
  submit_tax_form: 'A tax form was sent in',
  decide: 'The check ended',
  cancel: 'Cancelled: what was sent was incomplete',
  review: 'Decided',
  ask: 'Asked for more',
  lapse: 'No answer for 30 days',
  require_again: 'A new check was started',
  follow_entity: 'Followed its business',
  set: 'Set by the sandbox',
  propose: 'Proposed, for a second person',
  confirm: 'Confirmed by a second person',
  reject: 'Rejected by a second person',
  onboard: 'The business was named',
  deactivate: 'The business does not exist any more',
};

/** A history event in words. */
export function eventInWords(event: string): string {
  return EVENTS[event] ?? event.replaceAll('_', ' ');
}
