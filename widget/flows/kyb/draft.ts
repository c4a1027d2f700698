// What a person fills in about a business: conversion from and to the saved form. [G-54]
import type { Agent, KybForm, Role } from './records.ts';
import { REGISTERED, type Registered } from './registered.ts';

/** The company's own fields. */
export interface Company extends Readonly<Record<Registered, string>> {
  readonly entity_name: string;
  readonly entity_type: string;
  readonly country: string;
  /** What is typed now; the saved number is never returned. */
  readonly tax_id: string;
  readonly user_email: string;
  readonly naics_numbers: string;
  readonly duns_numbers: string;
}

/** A named person; a new one has no id. */
export interface Person {
  readonly entity_agent_id?: string;
  readonly agent_name: string;
  /** Of a new one, where it is known. */
  readonly agent_email?: string;
  readonly roles: readonly Role[];
  readonly ownership?: string;
}

/** The saved company. */
export function companyOf({ entity, country, user_email }: KybForm): Company {
  const registered = REGISTERED.map((field) => [field, entity?.[field] ?? ''] as const);
  return {
    ...(Object.fromEntries(registered) as Record<Registered, string>),
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
  return (entity?.agents ?? []).map(({ entity_agent_id, agent_name, roles, ownership }: Agent) => {
    return { entity_agent_id, agent_name, roles, ownership };
  });
}

/** Without white space. */
export function tidy(text: string): string {
  return text.replace(/\s+/g, '');
}

/** True for a business that is registered outside the US, which has other fields. */
export function isAbroad({ country }: Pick<Company, 'country'>): boolean {
  return country !== '' && country !== 'US';
}

/** The fields that a business has in its country. */
function statedIn(company: Company): Record<string, string> {
  const { entity_type, tax_id } = company;
  if (isAbroad(company)) {
    return Object.fromEntries(REGISTERED.map((field) => [field, company[field].trim()]));
  }
  return {
    ...(entity_type === '' ? {} : { entity_type }),
    ...(tax_id === '' ? {} : { tax_id: tidy(tax_id) }),
    naics_numbers: tidy(company.naics_numbers),
    duns_numbers: tidy(company.duns_numbers),
  };
}

/**
 * The body that saves a form. Empty fields are left out, and so are people without a name: that can
 * only be the primary contact, whom the platform keeps.
 */
export function bodyOf(company: Company, people: readonly Person[]): Record<string, unknown> {
  const { entity_name, country } = company;
  return {
    entity_name: entity_name.trim(),
    ...(country === '' ? {} : { country }),
    user_email: tidy(company.user_email),
    ...statedIn(company),
    agents: people.filter(({ agent_name }) => agent_name !== ''),
  };
}
