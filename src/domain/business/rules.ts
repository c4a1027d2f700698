// What is asked of a business, and our own rules on it: who may have which role, what is missing,
// and what follows once its people are verified. The sandbox decides by the name; elsewhere people
// do. Pure. [G-54, G-55]
import { refuse } from '../../kernel/refusal.ts';
import type { EntityReason } from './reasons.ts';
import { refusals as no } from './refusals.ts';
import type { EntityRow, NamedDocument } from './tables.ts';

/** What a person can be for a business. [G-54] */
export const ROLES = ['primary_contact', 'control_prong', 'beneficial_owner'] as const;
export type Role = (typeof ROLES)[number];

/** Most people of each role. */
const MOST: Readonly<Record<Role, readonly [number, keyof typeof no]>> = {
  primary_contact: [1, 'PRIMARY_CONTACT_TAKEN'],
  control_prong: [1, 'CONTROL_PRONG_TAKEN'],
  beneficial_owner: [4, 'TOO_MANY_BENEFICIAL_OWNERS'],
};

/** Refuses more people of a role than a business has. */
export function checkRoles(people: readonly (readonly Role[])[]): void {
  for (const role of ROLES) {
    const [most, code] = MOST[role];
    if (people.filter((roles) => roles.includes(role)).length > most) throw refuse(no[code]);
  }
}

/** People whom one business ever names: each has an account of their own, which stays. */
export const PEOPLE_MAX = 30;

/** Parts of the form that a submission must have. */
export const NEEDS = ['entity_type', 'tax_id', 'control_prong', 'documents'] as const;
export type Need = (typeof NEEDS)[number];

/** What a business that wants to be checked lacks. A tax number is of the US only. [G-55] */
export function needsOf(
  entity: Pick<EntityRow, 'entity_type' | 'country' | 'tax_id_given'>,
  documents: readonly NamedDocument[],
  people: readonly (readonly Role[])[],
): Need[] {
  const has: Readonly<Record<Need, boolean>> = {
    entity_type: entity.entity_type !== '',
    tax_id: entity.tax_id_given || !['', 'US'].includes(entity.country),
    control_prong: people.some((roles) => roles.includes('control_prong')),
    documents: documents.some(({ agent }) => agent === null),
  };
  return NEEDS.filter((need) => !has[need]);
}

/** What follows once all people are verified: a verdict of the sandbox, or a person's. */
export type Course = 'accept' | 'deny' | 'ask' | 'people';

/** A business whose name the sandbox knows. */
export interface TestBusiness {
  readonly name: string;
  readonly course: Course;
  /** How it ends, for a person. */
  readonly ends: string;
}

/** Names that lead to something else than acceptance; others may follow them. [G-64] */
export const TEST_BUSINESSES: readonly TestBusiness[] = [
  { name: 'Specimen-Denied', course: 'deny', ends: 'Denied, with the reason.' },
  { name: 'Specimen-Unreadable', course: 'ask', ends: 'Asked for a sharper document.' },
  { name: 'Specimen-Review', course: 'people', ends: 'In progress until a person decides.' },
];

function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '');
}

/** The course of a business of that name; outside of the sandbox always people. */
export function courseOf(name: string, sandbox: boolean): Course {
  if (!sandbox) return 'people';
  const letters = lettersOf(name);
  const known = TEST_BUSINESSES.find((one) => letters.startsWith(lettersOf(one.name)));
  return known?.course ?? 'accept';
}

/** What the check of a business knows. */
export interface Checked {
  readonly course: string;
  /** Status of each of its people. */
  readonly people: readonly string[];
  /** True when somebody of them is on the watch-list. */
  readonly watched: boolean;
  readonly documents: readonly NamedDocument[];
}

/** How a check ends: a status, why, and the results of the rules. */
export interface Verdict {
  readonly to: 'ACCEPT' | 'DENY' | 'INCOMPLETE';
  readonly reasons: readonly EntityReason[];
}

/** Results of our rules as `<rule>:<digit>`: 0 passes, 1 wants a look. */
export function rulesOf({ people, watched, documents }: Checked): string[] {
  const digit = (passes: boolean): number => (passes ? 0 : 1);
  return [
    `agents:${digit(people.every((status) => status === 'ACCEPT'))}`,
    `watch_list:${digit(!watched)}`,
    `documents:${digit(documents.some(({ agent }) => agent === null))}`,
  ];
}

/** The verdict by itself; null: it waits for its people, or for a person who decides. */
export function verdictOf(checked: Checked): Verdict | null {
  const { course, people } = checked;
  if (course === 'people') return null;
  if (people.includes('DENY')) return { to: 'INCOMPLETE', reasons: ['AGENT_NOT_VERIFIED'] };
  if (rulesOf(checked).some((result) => !result.endsWith(':0'))) return null;
  if (course === 'deny') return { to: 'DENY', reasons: ['NOT_VERIFIED'] };
  if (course === 'ask') return { to: 'INCOMPLETE', reasons: ['DOCUMENT_UNREADABLE'] };
  return { to: 'ACCEPT', reasons: [] };
}
