// The sandbox's test persons: what to submit, what the vendor does, and how the application must
// end. The last name selects the person, as a number selects a test card; nobody has such names.
// Everybody else is accepted, apart from two rules.
import type { IdentityEvent } from '../../ports/sandbox-persons.ts';
import type { ExchangeName } from '../sandbox-processor/exchanges.ts';
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
export interface TestPerson extends Treatment {
  /** What to submit as the last name. */
  readonly last: string;
  /** What the vendor does, for a person. */
  readonly story: string;
  /** How the application must end, for a person. */
  readonly ends: string;
}

const ACCEPTED: Verdict = { state: 'accepted', reasons: [], failed: [] };
const DENIED: Verdict = { state: 'denied', reasons: ['NAME_DIFFERS'], failed: ['data'] };
const SOON_MS = 3_000;

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

type Row = readonly [name: string, does: Omit<Treatment, 'name'>, story: string, ends: string];

const YES = 'Accepted.';
const NO = 'Denied, with the reason.';
const HONEST = { verdict: ACCEPTED } as const;

const ROWS: readonly Row[] = [
  ['accepted', HONEST, 'Accepts at once, as everybody who is not on this page.', YES],
  [
    'accepted_later',
    { verdict: 'pending', later: [{ event: 'accept', afterMs: SOON_MS }] },
    'Takes three seconds, then accepts and says so by a notice.',
    'In progress for as long, then accepted.',
  ],
  [
    'denied_later',
    { verdict: 'pending', later: [{ event: 'deny', afterMs: SOON_MS }] },
    'Takes three seconds, then denies and says so by a notice.',
    'In progress for as long, then denied: the name is not the one on the document.',
  ],
  [
    'document_unreadable',
    denied('DOCUMENT_FRONT_UNREADABLE', 'document'),
    'Denies: the front of the document cannot be read.',
    NO,
  ],
  ['document_expired', denied('DOCUMENT_EXPIRED', 'document'), 'Denies: it has expired.', NO],
  ['name_differs', denied('NAME_DIFFERS', 'data'), 'Denies: the document has another name.', NO],
  [
    'birth_date_differs',
    denied('BIRTH_DATE_DIFFERS', 'data'),
    'Denies: the document has another date of birth.',
    NO,
  ],
  ['underage', denied('UNDERAGE', 'age_on_document'), 'Denies: younger than 18.', NO],
  [
    'watch_list',
    denied('NOT_VERIFIED', 'watch_list'),
    'Denies: on a watch-list. The rule says so; the reason does not.',
    'Denied, and the person is not told of a list.',
  ],
  ['review', { verdict: DECISIONS.review }, 'Leaves it to people.', 'In manual review.'],
  [
    'incomplete',
    { verdict: DECISIONS.ask },
    'Asks for the back of the document.',
    'Ended without a decision; the person may submit again.',
  ],
  [
    'late',
    { verdict: 'pending' },
    'Decides nothing until a sandbox call makes it.',
    'In progress, then as the event says.',
  ],
  ['slow', { ...HONEST, begin: 'slow' }, 'Answers after two seconds, and accepts.', YES],
  [
    'timeout_before_effect',
    { ...HONEST, begin: 'timeout_before_effect' },
    'Does not answer the first call, and began nothing.',
    'Asked again under the same key, then accepted.',
  ],
  [
    'timeout_after_effect',
    { ...HONEST, begin: 'timeout_after_effect' },
    'Does not answer the first call, and accepted.',
    YES,
  ],
  [
    'effect_too_late',
    { ...HONEST, begin: 'late_effect' },
    'Does not answer the first call, and begins it when nobody waits any more.',
    'Accepted, checked once.',
  ],
  [
    'fault_before_effect',
    { ...HONEST, begin: 'fault_before_effect' },
    'Answers the first call with a 500, and began nothing.',
    'Asked again under the same key, then accepted.',
  ],
  [
    'fault_after_effect',
    { ...HONEST, begin: 'fault_after_effect' },
    'Answers the first call with a 500, and accepted.',
    YES,
  ],
  ['busy', { ...HONEST, begin: 'busy' }, 'Is too busy for the first call.', YES],
  [
    'garbled',
    { ...HONEST, begin: 'garbled_after_effect' },
    'Answers the first call with words that make no sense, and accepted.',
    YES,
  ],
  [
    'only_a_look_tells',
    { ...HONEST, begin: 'silence_without_notice', always: true },
    'Accepts, but answers no call to begin and posts no notice; only looking it up tells.',
    YES,
  ],
  [
    'notice_lost',
    { verdict: 'pending', later: [{ event: 'accept', afterMs: SOON_MS, told: false }] },
    'Takes three seconds, then accepts without a notice.',
    'In progress until it is looked up, then accepted.',
  ],
  [
    'notice_early',
    { ...HONEST, begin: 'notice_before_answer' },
    'Accepts; the notice arrives two seconds before the answer.',
    YES,
  ],
  [
    'notice_twice',
    { ...HONEST, begin: 'notice_twice' },
    'Accepts, and posts the notice twice.',
    'Accepted, told once.',
  ],
  [
    'notices_reordered',
    { verdict: 'pending', begin: 'notice_late', later: [{ event: 'accept', afterMs: 1_000 }] },
    'The notice that it is pending comes after the one that it is accepted.',
    'Accepted, and stays so.',
  ],
  [
    'accepted_then_denied',
    { ...HONEST, later: [{ event: 'deny', afterMs: SOON_MS }] },
    'Accepts at once, and three seconds later a notice leads to a denial.',
    'Never undone by itself: the contradiction is kept with the check, and in the audit.',
  ],
  [
    'denied_then_accepted',
    { verdict: DENIED, later: [{ event: 'accept', afterMs: SOON_MS }] },
    'Denies at once, and three seconds later a notice leads to an acceptance.',
    'Never undone by itself: the contradiction is kept with the check, and in the audit.',
  ],
  [
    'review_denied_accepted',
    {
      verdict: DECISIONS.review,
      later: [
        { event: 'deny', afterMs: SOON_MS },
        { event: 'accept', afterMs: 2 * SOON_MS },
      ],
    },
    'Leaves it to people, denies three seconds later, and accepts three seconds after that.',
    'In manual review, whatever the vendor says later: a person decides, and is shown both.',
  ],
];

/** The last name of a test person: `Specimen-Document-Expired`. */
function lastNameOf(name: string): string {
  const words = name.split('_').map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`);
  return ['Specimen', ...words].join('-');
}

/** Every test person, in the order of the docs. */
export const TEST_PERSONS: readonly TestPerson[] = ROWS.map(([name, does, story, ends]) => {
  return { name, last: lastNameOf(name), ...does, story, ends };
});

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
