// What a person fills in about a business: conversion from and to the saved form. [G-54]
import type { Agent, KybForm, Role } from './records.ts';

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

/** Without white space. */
export function tidy(text: string): string {
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
