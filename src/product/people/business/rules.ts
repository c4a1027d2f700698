// What is required of a business, and our own rules on it: roles, missing parts, and what follows
// once its persons are verified. The sandbox decides by the name; elsewhere operators do. Pure.
// [G-54, G-55]
import { refuse } from '../../../core/refusal.ts';
import { hasRegistrationDocument, type NamedDocument } from './judged.ts';
import type { EntityReason } from './reasons.ts';
import { refusals as no } from './refusals.ts';
import { isAbroad, REGISTRATION_NEEDS } from './registered.ts';
import type { EntityRow } from './tables.ts';

/** Roles of a person in a business. [G-54] */
export const ROLES = ['primary_contact', 'control_prong', 'beneficial_owner'] as const;
export type Role = (typeof ROLES)[number];

/** The most persons in each role. */
const MOST: Readonly<Record<Role, readonly [number, keyof typeof no]>> = {
  primary_contact: [1, 'PRIMARY_CONTACT_TAKEN'],
  control_prong: [1, 'CONTROL_PRONG_TAKEN'],
  beneficial_owner: [4, 'TOO_MANY_BENEFICIAL_OWNERS'],
};

/** A person in a business. */
export interface Part {
  readonly roles: readonly Role[];
  /** A band or a percentage; '' where it is not stated. */
  readonly ownership: string;
}

/**
 * Throws a Refusal where a role has more persons than a business may have, or its owners have more
 * than all of it even at the lower end of their bands.
 */
export function checkParts(people: readonly Part[]): void {
  for (const role of ROLES) {
    const [most, code] = MOST[role];
    if (people.filter(({ roles }) => roles.includes(role)).length > most) throw refuse(no[code]);
  }
  const hundredths = people.map(({ ownership }) => Math.round(parseFloat(ownership || '0') * 100));
  if (hundredths.reduce((sum, one) => sum + one, 0) > 10_000) throw refuse(no.OWNERSHIP_OVER_ALL);
}

/** The most persons that a business ever names: each has an account of their own, which stays. */
export const PEOPLE_MAX = 30;

/** Parts of the form that a submission must have. */
export const NEEDS = [
  ...['entity_type', 'tax_id', ...REGISTRATION_NEEDS],
  ...['control_prong', 'ownership', 'documents'],
] as const;
export type Need = (typeof NEEDS)[number];

/**
 * The parts that a submission lacks. Kind and tax number are of the US, or of no country; elsewhere
 * a registration and what each owner owns stand in their place. [G-54, G-55]
 */
export function needsOf(
  entity: Pick<EntityRow, 'entity_type' | 'country' | 'tax_id_given' | 'lacks'>,
  documents: readonly NamedDocument[],
  people: readonly Part[],
): Need[] {
  const abroad = isAbroad(entity.country);
  const owners = people.filter(({ roles }) => roles.includes('beneficial_owner'));
  const lacks = new Set(JSON.parse(entity.lacks) as Need[]);
  if (!abroad && entity.entity_type === '') lacks.add('entity_type');
  if (!abroad && !entity.tax_id_given) lacks.add('tax_id');
  if (!people.some(({ roles }) => roles.includes('control_prong'))) lacks.add('control_prong');
  if (abroad && owners.some(({ ownership }) => ownership === '')) lacks.add('ownership');
  if (!hasRegistrationDocument(documents)) lacks.add('documents');
  return NEEDS.filter((need) => lacks.has(need));
}

/** The post-verification policy: a verdict by the sandbox, or by operators (`people`). */
export type PostVerificationPolicy = EntityRow['course'];

/** A business name that the sandbox knows. */
export interface TestBusiness {
  readonly name: string;
  readonly course: PostVerificationPolicy;
  /** How it ends, for a reader. */
  readonly ends: string;
}

/** Names that lead to something else than acceptance; more letters may follow them. [G-64] */
export const TEST_BUSINESSES: readonly TestBusiness[] = [
  { name: 'Specimen-Denied', course: 'deny', ends: 'Denied, with the reason.' },
  { name: 'Specimen-Unreadable', course: 'ask', ends: 'Asked for a sharper document.' },
  { name: 'Specimen-Review', course: 'people', ends: 'In progress until a person decides.' },
];

function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '');
}

/** What the sandbox decides by. */
type Tested = Readonly<Record<'entity_name' | 'registration_number', string>>;

/** The policy for a business that states this; outside of the sandbox always `people`. */
export function postVerificationOf(
  { entity_name, registration_number }: Tested,
  sandbox: boolean,
): PostVerificationPolicy {
  if (!sandbox) return 'people';
  if (/^[^1-9]*0[^1-9]*$/.test(registration_number)) return 'unregistered';
  const letters = lettersOf(entity_name);
  const known = TEST_BUSINESSES.find((one) => letters.startsWith(lettersOf(one.name)));
  return known?.course ?? 'accept';
}

/** What the check of a business depends on. */
export interface Checked {
  readonly course: PostVerificationPolicy;
  /** The status of each of its persons. */
  readonly people: readonly string[];
  /** True where one of them is on the watch-list. */
  readonly watched: boolean;
  readonly documents: readonly NamedDocument[];
}

/** The outcome of a check. */
export interface Verdict {
  readonly to: 'ACCEPT' | 'DENY' | 'INCOMPLETE';
  readonly reasons: readonly EntityReason[];
}

/** Results of our rules as `<rule>:<digit>`: 0 passes, 1 needs a look. */
export function rulesOf({ people, watched, documents }: Checked): string[] {
  const digit = (passes: boolean): number => (passes ? 0 : 1);
  return [
    `agents:${digit(people.every((status) => status === 'ACCEPT'))}`,
    `watch_list:${digit(!watched)}`,
    `documents:${digit(hasRegistrationDocument(documents))}`,
  ];
}

/** The automatic verdict; null: it waits for its persons, or for an operator. */
export function verdictOf(checked: Checked): Verdict | null {
  const { course, people } = checked;
  if (course === 'people') return null;
  if (people.includes('DENY')) return { to: 'INCOMPLETE', reasons: ['AGENT_NOT_VERIFIED'] };
  if (rulesOf(checked).some((result) => !result.endsWith(':0'))) return null;
  if (course === 'deny') return { to: 'DENY', reasons: ['NOT_VERIFIED'] };
  if (course === 'unregistered') return { to: 'INCOMPLETE', reasons: ['REGISTRATION_NOT_FOUND'] };
  if (course === 'ask') return { to: 'INCOMPLETE', reasons: ['DOCUMENT_UNREADABLE'] };
  return { to: 'ACCEPT', reasons: [] };
}
