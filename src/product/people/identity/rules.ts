// Our own rules on what a person stated. Each gives a digit: 0 passes, 1 needs a look, 2 fails. No
// rule accepts or denies anybody; a digit above 0 turns the vendor's acceptance into a manual
// review. Pure. [G-52]
import type { CheckedPerson } from '../../../providers/identity/port.ts';
import { isPostcode } from './address.ts';
import { CALLING_CODES, POSTCODES } from './countries-data.ts';
import type { ReasonCode } from './reasons.ts';
import { digitsOf } from './submission-schema.ts';

/** The input of the rules; absent texts are ''. */
export type RuledPerson = Pick<
  CheckedPerson,
  'date_of_birth' | 'zip' | 'country' | 'phone_code' | 'document_country'
>;

type Digit = 0 | 1 | 2;
const ADULT = 18;
const OLDEST = 115;

/** Whole years from a birth date to a day, both `YYYY-MM-DD`. */
export function yearsBetween(birth: string, today: string): number {
  const years = Number(today.slice(0, 4)) - Number(birth.slice(0, 4));
  return today.slice(5) < birth.slice(5) ? years - 1 : years;
}

function age({ date_of_birth }: RuledPerson, today: string): Digit | null {
  if (date_of_birth === '') return null;
  const years = yearsBetween(date_of_birth, today);
  if (years < ADULT) return 2;
  return years > OLDEST ? 1 : 0;
}

function documentCountry({ document_country, country }: RuledPerson): Digit | null {
  if (document_country === '') return null;
  return document_country === country ? 0 : 1;
}

function postcode({ zip, country }: RuledPerson): Digit | null {
  if (POSTCODES[country] === undefined) return null;
  return isPostcode(country, zip) ? 0 : 1;
}

function phone({ phone_code, country }: RuledPerson): Digit | null {
  if (phone_code === '') return null;
  const code = Number(digitsOf(phone_code));
  return CALLING_CODES[country as keyof typeof CALLING_CODES] === code ? 0 : 1;
}

const RULES = {
  age,
  document_country: documentCountry,
  postcode,
  phone_country: phone,
} as const;

/** What a result asks of the person, by its rule and from which digit on. */
const REASON_OF: Readonly<Record<string, readonly [from: Digit, reason: ReasonCode]>> = {
  age: [1, 'UNDERAGE'],
  document_country: [1, 'DOCUMENT_COUNTRY_DIFFERS'],
  postcode: [1, 'ADDRESS_NOT_CONFIRMED'],
  phone_country: [1, 'PHONE_NOT_CONFIRMED'],
  // What the vendor does not tell is for operators to see: the person stated nothing wrong.
  verified_name: [2, 'NAME_DIFFERS'],
  verified_birth_date: [2, 'BIRTH_DATE_DIFFERS'],
  verified_tax_number: [2, 'TAX_NUMBER_NOT_CONFIRMED'],
};

/** Hits of the watch-list. They are never disclosed to the person, as rule or as reason. */
export const WATCH_RULE = 'watch_list';

/** Another account almost certainly has the same person. Asks nothing of the person. [G-53] */
export const MATCH_RULE = 'other_account';

/** Results of all rules that apply, as `<rule>:<digit>`; `today` is the workspace's UTC day. */
export function ownRules(person: RuledPerson, today: string): string[] {
  return Object.entries(RULES).flatMap(([name, rule]) => {
    const digit = rule(person, today);
    return digit === null ? [] : [`${name}:${digit}`];
  });
}

/** True where one of our results requires a manual review. */
export function wantsReview(results: readonly string[]): boolean {
  return results.some((result) => !result.endsWith(':0'));
}

/** The reasons for the applicant that our results give. */
export function reasonsOfRules(results: readonly string[]): ReasonCode[] {
  return results.flatMap((result) => {
    const [name = '', digit] = result.split(':');
    const [from, reason] = (Object.hasOwn(REASON_OF, name) && REASON_OF[name]) || [];
    return reason !== undefined && Number(digit) >= Number(from) ? [reason] : [];
  });
}

const HIDDEN = /^(?:vendor_)?watch_list:/;
/** A hit of a watch-list, ours or the vendor's. */
export const WATCH_HIT = /^(?:vendor_)?watch_list:[1-9]$/;

/** Results that the person and the integrator may see. */
export function shownRules(results: readonly string[]): string[] {
  return results.filter((result) => !HIDDEN.test(result));
}

/** A vendor's well-formed results, under names that cannot be ours. */
export function vendorRules(results: readonly string[]): string[] {
  const well = results.filter((result) => /^[a-z][a-z0-9_]{0,39}:\d$/.test(result));
  return well.map((result) => `vendor_${result}`);
}
