// What a person fills in about a business: conversion from and to the saved form, and a first
// validation. The platform validates again. [G-54]
import type { Agent, KybForm, Role } from './records.ts';
import { t, type Key } from '../texts.ts';

/** The company's own fields. */
export interface Company {
  readonly entity_name: string;
  readonly entity_type: string;
  readonly country: string;
  /** What is typed now; the saved number is never returned. */
  readonly tax_id: string;
  readonly user_email: string;
  readonly naics_numbers: string;
  readonly duns_numbers: string;
}

/** Sentences by field. */
export type Faults = Readonly<Record<string, string>>;

/** A named person; a new one has no id. */
export interface Person {
  readonly entity_agent_id?: string;
  readonly agent_name: string;
  readonly roles: readonly Role[];
}

/** The saved company. */
export function companyOf({ entity, country, user_email }: KybForm): Company {
  return {
    entity_name: entity?.entity_name ?? '',
    entity_type: entity?.entity_type ?? '',
    country,
    tax_id: '',
    user_email,
    naics_numbers: entity?.naics_numbers ?? '',
    duns_numbers: entity?.duns_numbers ?? '',
  };
}

/** The saved people. */
export function peopleOf({ entity }: KybForm): readonly Person[] {
  return (entity?.agents ?? []).map(({ entity_agent_id, agent_name, roles }: Agent) => {
    return { entity_agent_id, agent_name, roles };
  });
}

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

function tidy(text: string): string {
  return text.replace(/\s+/g, '');
}

/**
 * The body that saves a form. Empty fields are left out, and so are people without a name: that can
 * only be the primary contact, whom the platform keeps.
 */
export function bodyOf(company: Company, people: readonly Person[]): Record<string, unknown> {
  const { entity_name, entity_type, country, tax_id } = company;
  return {
    entity_name: entity_name.trim(),
    ...(entity_type === '' ? {} : { entity_type }),
    ...(country === '' ? {} : { country }),
    ...(tax_id === '' ? {} : { tax_id: tidy(tax_id) }),
    user_email: tidy(company.user_email),
    naics_numbers: tidy(company.naics_numbers),
    duns_numbers: tidy(company.duns_numbers),
    agents: people.filter(({ agent_name }) => agent_name !== ''),
  };
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
