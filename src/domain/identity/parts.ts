// The parts of the identity form, and the fields that a submission must bring for each. A part is
// sent whole or not at all, so that no record is half of one statement and half of another. [G-52]
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

/** What a whole form asks for; a telephone number is asked for only once one was wrong. */
export const WHOLE_FORM = PARTS.filter((part) => part !== 'phone');
/** What everybody sends with a whole form; the rest depends on country and document. */
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

/** What is kept of one statement, or replaced by another, together. */
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

/** What was stated now, and for the rest what was stated before. */
export function completed(now: Applicant, before: Applicant): Applicant {
  const isAbsent = (field: keyof Applicant): boolean => now[field] === '' || now[field] === null;
  const kept = TOGETHER.filter((fields) => fields.every(isAbsent)).flat();
  const person = { ...now, ...Object.fromEntries(kept.map((field) => [field, before[field]])) };
  return person.country === 'US' ? person : { ...person, ssn_last4: '' };
}

/** Fields that are missing, by path; `asked` null: the whole form is due. */
export function missingIn(
  { kyc_pii: pii, extra_files = [] }: SubmissionBody,
  asked: readonly Part[] | null,
  person: Applicant,
): Record<string, string> {
  const isMissing = (field: Field): boolean =>
    pii[field] === undefined && !(field === 'ssn' && pii.ssn_last4 !== undefined);
  const due = (asked ?? ALWAYS).filter((part) => {
    if (part === 'tax') return person.country === 'US';
    // Which pages a document has is known by the one who sends another.
    return part !== 'document_back' || asked?.includes('document_front') !== true;
  });
  const paths = due.flatMap((part) => {
    if (part === 'extra_files') return extra_files.length === 0 ? ['extra_files'] : [];
    return FIELDS[part].filter(isMissing).map((field) => `kyc_pii.${field}`);
  });
  return Object.fromEntries(paths.map((path) => [path, 'is required']));
}
