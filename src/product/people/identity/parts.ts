// The parts of the identity form, with the fields that a submission must bring for each. A part is
// sent whole or not at all, so that no record mixes two statements. [G-52]
import type { Applicant } from './applicant.ts';
import type { Field, SubmissionBody } from './submission-schema.ts';

export const PARTS = [
  'name',
  'birth',
  'address',
  'phone',
  'tax',
  'document_front',
  'document_back',
  'extra_files',
] as const;
export type Part = (typeof PARTS)[number];

/** The parts of a whole form; a telephone number is asked for only after it was wrong. */
export const WHOLE_FORM = PARTS.filter((part) => part !== 'phone');
/** Required with every whole form; other parts depend on country and document. */
const ALWAYS: readonly Part[] = ['name', 'birth', 'address', 'document_front'];

const FIELDS: Readonly<Record<Exclude<Part, 'extra_files'>, readonly Field[]>> = {
  name: ['first', 'last'],
  birth: ['date_of_birth'],
  address: ['street', 'city', 'country'],
  phone: ['phone_code', 'phone_number'],
  tax: ['ssn'],
  document_front: ['document_type', 'document_country', 'document_front'],
  document_back: ['document_back'],
};

/** Fields that are kept, or replaced, together. */
const TOGETHER: readonly (readonly (keyof Applicant)[])[] = [
  ['first', 'middle', 'last'],
  ['date_of_birth'],
  ['street', 'street2', 'city', 'region', 'zip', 'country'],
  ['phone_code', 'phone_number'],
  ['ssn_last4'],
  ['document_type', 'document_country'],
  ['signature'],
  ['use_1099'],
];

/** The new statement, completed with the earlier one. */
export function completed(now: Applicant, before: Applicant): Applicant {
  const isAbsent = (field: keyof Applicant): boolean => now[field] === '' || now[field] === null;
  const kept = TOGETHER.filter((fields) => fields.every(isAbsent)).flat();
  const person = { ...now, ...Object.fromEntries(kept.map((field) => [field, before[field]])) };
  return person.country === 'US' ? person : { ...person, ssn_last4: '' };
}

/** The missing fields by path; `asked` null: the whole form is due. */
export function missingIn(
  { kyc_pii: pii, extra_files = [] }: SubmissionBody,
  asked: readonly Part[] | null,
  person: Applicant,
): Record<string, string> {
  const isMissing = (field: Field): boolean =>
    pii[field] === undefined && !(field === 'ssn' && pii.ssn_last4 !== undefined);
  const due = (asked ?? ALWAYS).filter((part) => {
    if (part === 'tax') return person.country === 'US';
    // Only the sender of another document knows whether it has a back.
    return part !== 'document_back' || asked?.includes('document_front') !== true;
  });
  const paths = due.flatMap((part) => {
    if (part === 'extra_files') return extra_files.length === 0 ? ['extra_files'] : [];
    return FIELDS[part].filter(isMissing).map((field) => `kyc_pii.${field}`);
  });
  return Object.fromEntries(paths.map((path) => [path, 'is required']));
}
