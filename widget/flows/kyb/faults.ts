// A first validation of what a person fills in about a business. The platform validates again.
// [G-54]
import { t, type Key } from '../texts.ts';
import { isAbroad, tidy, type Company, type Person } from './draft.ts';
import type { Country, Role } from './records.ts';
import type { Registered } from './registered.ts';

/** Sentences by field. */
export type Faults = Readonly<Record<string, string>>;

const EMAIL_SHAPE = /^(?:[^\s@]+@[^\s@]+\.[^\s@]+)?$/;
type Wrong = readonly [keyof Company, RegExp, Key];
const EMAIL: Wrong = ['user_email', EMAIL_SHAPE, 'kyb.email_wrong'];
const WRONG: readonly Wrong[] = [
  ['tax_id', /^(?:\d{2}-?\d{7}|\d{3}-\d{2}-\d{4})?$/, 'kyb.tax_id_wrong'],
  ['naics_numbers', /^(?:\d{6}(?:,\d{6})*)?$/, 'kyb.naics_hint'],
  ['duns_numbers', /^(?:\d{9}(?:,\d{9})*)?$/, 'kyb.duns_hint'],
];

const MISSING: readonly (readonly [Registered, Key])[] = [
  ['legal_form', 'kyb.legal_form_missing'],
  ['registration_number', 'kyb.registration_number_missing'],
  ['register', 'kyb.register_missing'],
  ['street', 'kyb.street_missing'],
  ['city', 'kyb.city_missing'],
];

/** What the platform alone can check, such as digits: the sentence of each such field. */
const CHECKED: readonly (readonly [Registered, Key])[] = [
  ['vat_number', 'kyb.vat_number_wrong'],
  ['postal_code', 'kyb.postal_code_wrong'],
];

/** What the platform found wrong with these fields. */
export function checkedFaults(fields: readonly string[]): Faults {
  const wrong = CHECKED.filter(([field]) => fields.includes(field));
  return Object.fromEntries(wrong.map(([field, key]) => [field, t(key)]));
}

/** The country's record; undefined for none. */
export function countryOf(
  { country }: Pick<Company, 'country'>,
  countries: readonly Country[],
): Country | undefined {
  return countries.find(({ code }) => code === country);
}

/** The company's errors; empty if the step is done. */
export function companyFaults(
  company: Company,
  taxIdGiven: boolean,
  countries: readonly Country[],
): Faults {
  const faults: Record<string, string> = {};
  if (company.entity_name.trim() === '') faults['entity_name'] = t('kyb.entity_name_missing');
  if (company.country === '') faults['country'] = t('kyb.country_missing');
  if (isAbroad(company)) {
    const hasCity = countryOf(company, countries)?.address.includes('city') !== false;
    for (const [field, key] of MISSING) {
      const asked = field !== 'city' || hasCity;
      if (asked && company[field].trim() === '') faults[field] = t(key);
    }
  } else {
    if (company.entity_type === '') faults['entity_type'] = t('kyb.entity_type_missing');
    if (!taxIdGiven && company.tax_id === '') faults['tax_id'] = t('kyb.tax_id_missing');
  }
  for (const [field, shape, key] of isAbroad(company) ? [EMAIL] : [EMAIL, ...WRONG]) {
    if (!shape.test(tidy(company[field]))) faults[field] = t(key);
  }
  return faults;
}

/** Most owners of a business. */
const OWNERS = 4;

/** The errors of a person, given the others; empty for none. `abroad`: owners say how much. */
export function personFaults(
  { agent_name, agent_email = '', roles, ownership = '' }: Person,
  others: readonly Person[],
  abroad = false,
): Faults {
  const faults: Record<string, string> = {};
  const have = (role: Role): number => others.filter((one) => one.roles.includes(role)).length;
  if (agent_name.trim() === '') faults['agent_name'] = t('kyb.full_name_missing');
  if (!EMAIL_SHAPE.test(agent_email)) faults['agent_email'] = t('kyb.email_wrong');
  if (abroad && roles.includes('beneficial_owner') && ownership === '') {
    faults['ownership'] = t('kyb.ownership_missing');
  }
  if (roles.length === 0) faults['roles'] = t('kyb.roles_missing');
  else if (roles.includes('control_prong') && have('control_prong') > 0) {
    faults['roles'] = t('kyb.control_taken');
  } else if (roles.includes('beneficial_owner') && have('beneficial_owner') >= OWNERS) {
    faults['roles'] = t('kyb.owners_most', { count: OWNERS });
  }
  return faults;
}
