// What a business and each of its people state, as fields of request bodies: of which shape, and
// which belong to one country alone. [seed: KYB entity, G-54]
import { z } from 'zod';
import { list, name, optional, reference, shapedOrEmpty } from '../../../core/schema.ts';
import { isAddress } from '../account/index.ts';
import { isAbroad } from './registered.ts';
import { ROLES } from './rules.ts';

/** [G-54] */
export const ENTITY_TYPES = [
  'sole_proprietorship',
  'single_member_llc',
  'multi_member_llc',
  'partnership',
  'corporation',
  'public_corporation',
  'nonprofit',
  'trust',
  'government',
] as const;

export const NAME_MAX = 255;
const EMAIL_MAX = 320;
/** The most codes in one list. */
const CODES = 20;

function codes(digits: number): z.ZodString {
  const shape = new RegExp(`^\\d{${digits}}(?:,\\d{${digits}}){0,${CODES - 1}}$`);
  const sentence = `must be ${digits}-digit numbers, separated by commas`;
  return shapedOrEmpty(shape, CODES * (digits + 1) - 1, sentence);
}

/** What a person types into one line, without markup; no card numbers are looked for in numbers. */
function plain(max: number): z.ZodString {
  const shape = /^[^<>\p{Cc}]*$/u;
  return reference(max).check((payload) => {
    if (shape.test(payload.value)) return;
    const message = 'must be one line without < and >';
    payload.issues.push({ code: 'custom', input: payload.value, message });
  });
}

export const stated = {
  entity_name: name(NAME_MAX),
  user_email: optional(
    shapedOrEmpty(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, EMAIL_MAX, 'must be an e-mail address, or empty'),
  ),
  /** '' as in records: not stated yet. */
  entity_type: optional(z.enum([...ENTITY_TYPES, ''])),
  /** For the US: an employer's number, or a person's. */
  tax_id: optional(
    shapedOrEmpty(
      /^(?:\d{2}-?\d{7}|\d{3}-\d{2}-\d{4})$/,
      11,
      'must be nine digits, such as 12-3456789',
    ),
  ),
  naics_numbers: optional(codes(6)),
  duns_numbers: optional(codes(9)),
  country: optional(
    shapedOrEmpty(/^[A-Z]{2}$/, 2, 'must be a country code of two upper-case letters'),
  ).meta({ description: 'Where it is registered.' }),
  legal_form: optional(plain(100)).meta({ description: 'Such as GmbH, SARL or Ltd.' }),
  registration_number: optional(plain(50)),
  register: optional(plain(NAME_MAX)).meta({
    description: 'Who keeps the register, such as a court.',
  }),
  vat_number: optional(
    shapedOrEmpty(/^[A-Za-z0-9][A-Za-z0-9 .-]*$/, 24, 'must be a VAT number, such as DE123456788'),
  ),
  street: optional(plain(NAME_MAX)),
  street2: optional(plain(NAME_MAX)),
  city: optional(plain(NAME_MAX)),
  region: optional(plain(NAME_MAX)),
  postal_code: optional(plain(20)),
} as const;

/** Of the US alone; elsewhere they would say nothing. */
const US_FIELDS = ['tax_id', 'naics_numbers', 'duns_numbers'] as const;
const US_TYPES: readonly string[] = ['single_member_llc', 'multi_member_llc'];

type Stated = {
  [K in (typeof US_FIELDS)[number] | 'country' | 'entity_type']?: string | undefined;
};

/** Refuses what only the US has of a business that says it is registered elsewhere. [G-54] */
export function ofItsCountry({ value, issues }: z.core.ParsePayload<Stated>): void {
  if (!isAbroad(value.country ?? '')) return;
  const wrong: string[] = US_FIELDS.filter((field) => (value[field] ?? '') !== '');
  if (US_TYPES.includes(value.entity_type ?? '')) wrong.push('entity_type');
  const message = 'is only for a business that is registered in the US';
  for (const field of wrong) issues.push({ code: 'custom', input: value, path: [field], message });
}

function eachOnce({ value, issues }: z.core.ParsePayload<string[]>): void {
  if (new Set(value).size === value.length) return;
  issues.push({ code: 'custom', input: value, message: 'must list each role only once' });
}

function anAddress({ value, issues }: z.core.ParsePayload<string>): void {
  if (isAddress(value)) return;
  issues.push({ code: 'custom', input: value, message: 'must be a mail address' });
}

export const person = {
  agent_name: name(NAME_MAX),
  agent_email: optional(reference(EMAIL_MAX).check(anAddress)).meta({
    format: 'email',
    description: 'Where the person is mailed their link, once the business is submitted.',
  }),
  roles: list(z.enum(ROLES)).check(z.minLength(1), z.maxLength(ROLES.length), eachOnce),
  ownership: optional(
    shapedOrEmpty(
      /^(?:25-50|50-75|75-100|(?:2[5-9]|[3-9]\d)(?:\.\d{1,2})?|100)$/,
      6,
      'must be a band such as 25-50, or a percentage from 25 to 100',
    ),
  ).meta({ description: 'What an owner owns: 25-50, 50-75, 75-100, or a percentage.' }),
} as const;

type Owner = { readonly roles: readonly string[]; readonly ownership?: string | undefined };

export function anOwner({ value, issues }: z.core.ParsePayload<Owner>): void {
  if ((value.ownership ?? '') === '' || value.roles.includes('beneficial_owner')) return;
  const message = 'is given for a beneficial owner only';
  issues.push({ code: 'custom', input: value, path: ['ownership'], message });
}
