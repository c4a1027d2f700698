// A first validation of what a person fills in about a business. The platform validates again.
// [G-54]
import { t, type Key } from '../texts.ts';
import { tidy, type Company, type Person } from './draft.ts';
import type { Role } from './records.ts';

/** Sentences by field. */
export type Faults = Readonly<Record<string, string>>;

const WRONG: readonly (readonly [keyof Company, RegExp, Key])[] = [
  ['tax_id', /^(?:\d{2}-?\d{7}|\d{3}-\d{2}-\d{4})?$/, 'kyb.tax_id_wrong'],
  ['user_email', /^(?:[^\s@]+@[^\s@]+\.[^\s@]+)?$/, 'kyb.email_wrong'],
  ['naics_numbers', /^(?:\d{6}(?:,\d{6})*)?$/, 'kyb.naics_hint'],
  ['duns_numbers', /^(?:\d{9}(?:,\d{9})*)?$/, 'kyb.duns_hint'],
];

/** True if a US tax number is needed. */
export function needsTaxId({ country }: Company): boolean {
  return country === 'US' || country === '';
}

/** The company's errors; empty if the step is done. */
export function companyFaults(company: Company, taxIdGiven: boolean): Faults {
  const faults: Record<string, string> = {};
  if (company.entity_name.trim() === '') faults['entity_name'] = t('kyb.entity_name_missing');
  if (company.entity_type === '') faults['entity_type'] = t('kyb.entity_type_missing');
  if (company.country === '') faults['country'] = t('kyb.country_missing');
  if (needsTaxId(company) && !taxIdGiven && company.tax_id === '') {
    faults['tax_id'] = t('kyb.tax_id_missing');
  }
  for (const [field, shape, key] of WRONG) {
    if (!shape.test(tidy(company[field]))) faults[field] = t(key);
  }
  return faults;
}

/** Most owners of a business. */
const OWNERS = 4;

/** The errors of a person, given the others; empty for none. */
export function personFaults(
  { agent_name, roles }: Person,
  others: readonly Person[],
): Faults {
  const faults: Record<string, string> = {};
  const have = (role: Role): number => others.filter((one) => one.roles.includes(role)).length;
  if (agent_name.trim() === '') faults['agent_name'] = t('kyb.full_name_missing');
  if (roles.length === 0) faults['roles'] = t('kyb.roles_missing');
  else if (roles.includes('control_prong') && have('control_prong') > 0) {
    faults['roles'] = t('kyb.control_taken');
  } else if (roles.includes('beneficial_owner') && have('beneficial_owner') >= OWNERS) {
    faults['roles'] = t('kyb.owners_most', { count: OWNERS });
  }
  return faults;
}
