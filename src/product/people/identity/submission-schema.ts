// The body of a submission: one schema for both forms, with the rules between its fields. Every
// error is named at its field; rules that lead to a review are in rules.ts. `kyc_pii.state` is the
// region, not the identity state. [G-52]
import { z } from 'zod';
import { SHOWN_FILE } from '../../../core/file-text.ts';
import {
  list,
  name,
  optional,
  shaped,
  strictObject,
  text,
  textThat,
} from '../../../core/schema.ts';
import { isDay } from '../../../core/time.ts';
import { CALLING_CODES, US_STATES } from './countries-data.ts';
import { documentPicture, furtherFile, sizeOfFurther } from './file-schema.ts';
import { FURTHER_FILES_MAX_BYTES } from '../../../providers/files/port.ts';

/** The most further files of one submission. */
const FURTHER_FILES = 20;
const NAME_MAX = 100;
const LINE_MAX = 255;
const ZIP_MAX = 20;
const FIRST_YEAR = '1900';
/** Passport, driving licence, identity card. */
export const DOCUMENT_TYPES = ['PP', 'DL', 'ID'] as const;

const country = textThat(
  (value) => value.length === 2 && Object.hasOwn(CALLING_CODES, value),
  'must be an ISO 3166 country code of two upper-case letters',
).meta({ maxLength: 2, pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2.' });

/** A real day from 1900 on, as `YYYY-MM-DD`. A day in the future is refused later. */
const birthDate = textThat(
  (value) => isDay(value) && value.slice(0, 4) >= FIRST_YEAR,
  `must be a date such as 1990-01-31, not before ${FIRST_YEAR}`,
).meta({ format: 'date', maxLength: 10 });

/** A person's US tax number, with or without hyphens. */
const taxNumber = shaped(/^\d{3}-?\d{2}-?\d{4}$/, 11, 'must be nine digits').check(
  ({ value, issues }) => {
    if (canExist(digitsOf(value))) return;
    const message = 'must be a valid social security number or ITIN';
    issues.push({ code: 'custom', input: value, message });
  },
);

/**
 * No number was ever issued with area 000 or 666, group 00 or serial 0000. Those from 900 on are
 * for taxpayers without social security, in the groups that the IRS issues.
 */
function canExist(digits: string): boolean {
  const [area, group] = [digits.slice(0, 3), digits.slice(3, 5)];
  if (digits.endsWith('0000')) return false;
  if (area.startsWith('9')) return /^(?:5\d|6[0-5]|7\d|8[0-8]|9[0-24-9])$/.test(group);
  return area !== '000' && area !== '666' && group !== '00';
}

const kycPii = strictObject({
  first: optional(name(NAME_MAX)).meta({ examples: ['Zoé'] }),
  middle: optional(text(NAME_MAX)),
  last: optional(name(NAME_MAX)).meta({ examples: ['Example'] }),
  date_of_birth: optional(birthDate).meta({ examples: ['1990-02-28'] }),
  street: optional(name(LINE_MAX)).meta({ examples: ['1 Rue Exemple'] }),
  street2: optional(text(LINE_MAX)),
  city: optional(name(NAME_MAX)).meta({ examples: ['Lille'] }),
  state: optional(text(NAME_MAX)),
  zip: optional(text(ZIP_MAX)),
  country: optional(country).meta({ examples: ['FR'] }),
  phone_code: optional(shaped(/^\+?[1-9]\d{0,2}$/, 4, 'must be a calling code, such as 1 or 44')),
  phone_number: optional(
    shaped(/^\d(?:[ -]?\d){3,11}$/, 24, 'must be 4 to 12 digits, with spaces or hyphens between'),
  ),
  ssn: optional(taxNumber),
  ssn_last4: optional(shaped(/^(?!0000)\d{4}$/, 4, 'must be four digits, not 0000')),
  signature: optional(text(LINE_MAX)),
  use_1099: optional(z.boolean()),
  document_type: optional(z.enum(DOCUMENT_TYPES)).meta({ examples: ['PP'] }),
  document_country: optional(country).meta({ examples: ['FR'] }),
  document_front: optional(documentPicture).meta({ examples: [SHOWN_FILE] }),
  document_back: optional(documentPicture),
}).meta({
  title: 'IdentityData',
  description:
    'A first submission requires first, last, date_of_birth, street, city, country, ' +
    'document_type, document_country and document_front; in the US also state and zip. Later ' +
    'submissions require the parts that the form lists as `needs`; the rest is kept.',
});
export type KycPii = z.output<typeof kycPii>;

/** A field of the personal data. */
export type Field = keyof KycPii;

/** Whoever sends one of the first fields must send all of the second: a part is sent whole. */
const TOGETHER: readonly (readonly [sent: readonly Field[], needed: readonly Field[]])[] = [
  [
    ['first', 'middle', 'last'],
    ['first', 'last'],
  ],
  [
    ['street', 'street2', 'city', 'state', 'zip', 'country'],
    ['street', 'city', 'country'],
  ],
  [
    ['phone_code', 'phone_number'],
    ['phone_code', 'phone_number'],
  ],
];

const DOCUMENT_FIELDS: readonly Field[] = [
  'document_type',
  'document_country',
  'document_front',
  'document_back',
];
const FREE_TEXTS = ['first', 'middle', 'last', 'street', 'street2', 'city', 'state', 'signature'];
/** A tax number as people write it: groups with one separator, or digits only. */
const TAX_NUMBER = /(?<!\d)\d{3}([\p{Pd} .])\d{2}\1\d{4}(?!\d)|^\s*\d{9}\s*$/u;
export const FOREIGN_TAX = 'is only accepted for addresses in the US';

/** `form` is our addition, `full` by default; `tax` is the form for tax purposes only. */
export const submissionBody = strictObject({
  form: optional(z.enum(['full', 'tax'])),
  kyc_pii: kycPii,
  extra_files: optional(list(furtherFile).check(z.maxLength(FURTHER_FILES))),
}).check(({ value, issues }) => {
  const tell = (field: Field, message: string): void => {
    issues.push({ code: 'custom', input: value, path: ['kyc_pii', field], message });
  };
  const pii = value.kyc_pii;
  for (const [field, message] of faultsOf(value.form ?? 'full', pii)) tell(field, message);
  const files = value.extra_files ?? [];
  const wrong =
    value.form === 'tax' && files.length > 0
      ? 'is not accepted with the tax form'
      : files.reduce((sum, file) => sum + sizeOfFurther(file), 0) > FURTHER_FILES_MAX_BYTES
        ? `must be at most ${FURTHER_FILES_MAX_BYTES} bytes in total`
        : null;
  if (wrong !== null) {
    issues.push({ code: 'custom', input: value, path: ['extra_files'], message: wrong });
  }
});
export type SubmissionBody = z.output<typeof submissionBody>;

/** Errors between fields that are valid each for itself. */
function faultsOf(form: 'full' | 'tax', pii: KycPii): [Field, string][] {
  const faults: [Field, string][] = [];
  const require = (...fields: Field[]): void => {
    for (const field of fields) {
      if (pii[field] === undefined) faults.push([field, 'is required']);
    }
  };
  for (const [sent, needed] of TOGETHER) {
    if (sent.some((field) => pii[field] !== undefined)) require(...needed);
  }
  const us = pii.country === 'US';
  // Elsewhere many addresses have no region, and some no postcode.
  if (us) require('state', 'zip');
  if (us && pii.state !== undefined && !US_STATES.includes(pii.state)) {
    faults.push(['state', 'must be the code of a US state, such as CA']);
  }
  if (us && pii.zip === '') faults.push(['zip', 'is required in the US']);
  const abroad = pii.country !== undefined && !us;
  for (const field of ['ssn', 'ssn_last4'] as const) {
    if (abroad && pii[field] !== undefined) faults.push([field, FOREIGN_TAX]);
  }
  if (form === 'full') {
    const own = DOCUMENT_FIELDS.some((field) => {
      return field !== 'document_back' && pii[field] !== undefined;
    });
    if (own) require('document_type', 'document_country');
  } else {
    require('first', 'last', 'street', 'city', 'country', 'signature');
    if (us) require('ssn');
    for (const field of DOCUMENT_FIELDS) {
      if (pii[field] !== undefined) faults.push([field, 'is not accepted with the tax form']);
    }
  }
  if (pii.signature !== undefined && pii.signature.trim() === '') {
    faults.push(['signature', 'must not be blank']);
  }
  return [...faults, ...taxNumbersIn(pii)];
}

/** Errors for tax numbers in other fields: only their own field is sealed or shortened. */
export function taxNumbersIn(pii: KycPii): [Field, string][] {
  const faults: [Field, string][] = [];
  const digits = digitsOf(pii.ssn ?? '');
  const last4 = pii.ssn_last4;
  if (digits !== '' && last4 !== undefined && !digits.endsWith(last4)) {
    faults.push(['ssn_last4', 'must be the last four digits of ssn']);
  }
  for (const field of FREE_TEXTS as readonly ('first' | 'street2')[]) {
    const value = pii[field] ?? '';
    const own = digits !== '' && digitsOf(value).includes(digits);
    if (own || TAX_NUMBER.test(value)) faults.push([field, 'must not contain a tax number']);
  }
  return faults;
}

export function digitsOf(value: string): string {
  return value.replaceAll(/\D/g, '');
}
