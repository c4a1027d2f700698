// The sandbox's test persons: what to submit, what the vendor does, and how the application must
// end. The last name selects the person, as a number selects a test card; nobody has such names.
// Everybody else is accepted, apart from two rules.
import type { IdentityEvent, TestPersonFact } from '../../ports/persons.ts';
import type { ExchangeName } from '../processor/exchanges.ts';
import type { CheckBody, ReasonCode, Rule } from './protocol.ts';

/** A decision, and which rules failed. */
export interface Verdict {
  readonly state: 'accepted' | 'denied' | 'review' | 'incomplete';
  readonly reasons: readonly ReasonCode[];
  readonly failed: readonly Rule[];
}

/** What the vendor decides by itself, so many milliseconds later. */
interface Later {
  readonly event: IdentityEvent;
  readonly afterMs: number;
  /** False: without a webhook. */
  readonly told?: false;
}

/** What the vendor does with a person. */
export interface Treatment {
  /** Its stored name. */
  readonly name: string;
  readonly verdict: Verdict | 'pending';
  /** How the first call goes; absent: normally. */
  readonly begin?: ExchangeName;
  /** True: every call goes like the first, so that only retrieving gives the outcome. */
  readonly always?: true;
  /** In order; each event once. */
  readonly later?: readonly Later[];
}

/** A treatment that can be chosen by name. */
export interface TestPerson extends Treatment, TestPersonFact {}

const ACCEPTED: Verdict = { state: 'accepted', reasons: [], failed: [] };
const DENIED: Verdict = { state: 'denied', reasons: ['NAME_DIFFERS'], failed: ['data'] };
const SOON_MS = 3_000;

function soon(event: IdentityEvent): Later {
  return { event, afterMs: SOON_MS };
}

function denied(reason: ReasonCode, failed: Rule): { readonly verdict: Verdict } {
  return { verdict: { state: 'denied', reasons: [reason], failed: [failed] } };
}

/** The vendor's decision at each event. */
export const DECISIONS: Readonly<Record<IdentityEvent, Verdict>> = {
  accept: ACCEPTED,
  deny: DENIED,
  review: { state: 'review', reasons: [], failed: [] },
  ask: { state: 'incomplete', reasons: ['DOCUMENT_BACK_UNREADABLE'], failed: ['document'] },
};

const YES = 'Accepted.';
const NO = 'Denied, with the reason.';
const HONEST = { verdict: ACCEPTED } as const;

/** The last name of a test person: `Specimen-Document-Expired`. */
function lastNameOf(name: string): string {
  const words = name.split('_').map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`);
  return ['Specimen', ...words].join('-');
}

function person(
  name: string,
  does: Omit<Treatment, 'name'>,
  story: string,
  ends: string,
): TestPerson {
  return { name, last: lastNameOf(name), ...does, story, ends };
}

/** Every test person, in the order of the docs. */
export const TEST_PERSONS: readonly TestPerson[] = [
  person('accepted', HONEST, 'Accepts at once, like every name that is not on this page.', YES),
  person('accepted_later', { verdict: 'pending', later: [soon('accept')] },
    'Accepts after three seconds, with a webhook.', 'In progress meanwhile, then accepted.'),
  person('denied_later', { verdict: 'pending', later: [soon('deny')] },
    'Denies after three seconds, with a webhook.',
    'In progress meanwhile, then denied: the name does not match the document.'),
  person('document_unreadable', denied('DOCUMENT_FRONT_UNREADABLE', 'document'),
    'Denies: the front of the document cannot be read.', NO),
  person('document_expired', denied('DOCUMENT_EXPIRED', 'document'), 'Denies: it has expired.', NO),
  person('name_differs', denied('NAME_DIFFERS', 'data'),
    'Denies: the document has another name.', NO),
  person('birth_date_differs', denied('BIRTH_DATE_DIFFERS', 'data'),
    'Denies: the document has another date of birth.', NO),
  person('underage', denied('UNDERAGE', 'age_on_document'), 'Denies: younger than 18.', NO),
  person('watch_list', denied('NOT_VERIFIED', 'watch_list'),
    'Denies: on a watch-list. The rule names the list; the reason does not.',
    'Denied, and the person is not told of a list.'),
  person('review', { verdict: DECISIONS.review },
    'Sends it to manual review.', 'In manual review.'),
  person('incomplete', { verdict: DECISIONS.ask },
    'Requests the back of the document.',
    'Closed without a decision; the person can submit again.'),
  person('late', { verdict: 'pending' },
    'Does not decide until a sandbox call tells it to.', 'In progress, then as the event says.'),
  person('slow', { ...HONEST, begin: 'slow' }, 'Responds after two seconds and accepts.', YES),
  person('timeout_before_effect', { ...HONEST, begin: 'timeout_before_effect' },
    'The first call times out, and no check was started.',
    'Retried under the same key, then accepted.'),
  person('timeout_after_effect', { ...HONEST, begin: 'timeout_after_effect' },
    'The first call times out, although it accepted.', YES),
  person('effect_too_late', { ...HONEST, begin: 'late_effect' },
    'The first call times out, and the check starts only afterwards.', 'Accepted, checked once.'),
  person('fault_before_effect', { ...HONEST, begin: 'fault_before_effect' },
    'The first call returns 500, and no check was started.',
    'Retried under the same key, then accepted.'),
  person('fault_after_effect', { ...HONEST, begin: 'fault_after_effect' },
    'The first call returns 500, although it accepted.', YES),
  person('busy', { ...HONEST, begin: 'busy' },
    'The first call returns 429 (too many requests).', YES),
  person('garbled', { ...HONEST, begin: 'garbled_after_effect' },
    'The first response is unreadable, although it accepted.', YES),
  person('only_a_look_tells', { ...HONEST, begin: 'silence_without_notice', always: true },
    'Accepts, but every start call times out and no webhook comes; only a status query works.',
    YES),
  person('notice_lost',
    { verdict: 'pending', later: [{ event: 'accept', afterMs: SOON_MS, told: false }] },
    'Accepts after three seconds, without a webhook.',
    'In progress until the status is queried, then accepted.'),
  person('notice_early', { ...HONEST, begin: 'notice_before_answer' },
    'Accepts; the webhook arrives two seconds before the response.', YES),
  person('notice_twice', { ...HONEST, begin: 'notice_twice' },
    'Accepts and sends the webhook twice.', 'Accepted, announced once.'),
  person('notices_reordered',
    { verdict: 'pending', begin: 'notice_late', later: [{ event: 'accept', afterMs: 1_000 }] },
    'The webhook for pending arrives after the one for accepted.', 'Accepted, and stays so.'),
  person('accepted_then_denied', { ...HONEST, later: [soon('deny')] },
    'Accepts at once; a webhook three seconds later leads to a denial.',
    'The first decision stands: the contradiction is recorded with the check and in the audit.'),
  person('denied_then_accepted', { verdict: DENIED, later: [soon('accept')] },
    'Denies at once; a webhook three seconds later leads to an acceptance.',
    'The first decision stands: the contradiction is recorded with the check and in the audit.'),
  person('review_denied_accepted',
    { verdict: DECISIONS.review, later: [soon('deny'), { event: 'accept', afterMs: 2 * SOON_MS }] },
    'Sends it to manual review, denies three seconds later, accepts three seconds after that.',
    'In manual review, whatever the vendor says later: a reviewer decides and sees both.'),
];

const ANYBODY: Treatment = { name: 'anybody', ...HONEST };
const MINOR: Treatment = {
  name: 'minor',
  verdict: { state: 'review', reasons: ['UNDERAGE'], failed: ['age_on_document'] },
};
const FOREIGN: Treatment = {
  name: 'foreign_document',
  verdict: { state: 'review', reasons: ['DOCUMENT_COUNTRY_DIFFERS'], failed: ['country'] },
};

const BY_LAST_NAME = new Map(TEST_PERSONS.map((one) => [spelled(one.last), one]));
const BY_NAME = new Map(
  [...TEST_PERSONS, ANYBODY, MINOR, FOREIGN].map((one) => [one.name, one]),
);

/** Case, spaces and hyphens are ignored in names. */
function spelled(last: string): string {
  return last.toLowerCase().replaceAll(/[\s-]/g, '');
}

/** What the vendor does with this person. `today`: `YYYY-MM-DD`, the vendor's date. */
export function treatmentFor(person: CheckBody['person'], today: string): Treatment {
  const named = BY_LAST_NAME.get(spelled(person.last));
  if (named !== undefined) return named;
  const { date_of_birth: born, country, document_country: issuer } = person;
  // Texts compare as dates do: both years have four digits.
  if (`${Number(born.slice(0, 4)) + 18}${born.slice(4)}` > today) return MINOR;
  return issuer !== '' && country !== '' && issuer !== country ? FOREIGN : ANYBODY;
}

/** The treatment of a stored name; an unknown name gets the usual one. */
export function treatmentNamed(name: string): Treatment {
  return BY_NAME.get(name) ?? ANYBODY;
}
