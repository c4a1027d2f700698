// What a person has filled in so far: which steps it takes, its errors, and the body to send. Kept
// in the page's memory only. [G-52]
import { dayText, EMPTY_DATE, isoDate, type DateParts } from '../kit/date.ts';
import { fieldTexts } from '../field-texts.ts';
import { t, type Key } from '../texts.ts';
import type { Country, KycForm, Part } from './records.ts';

/** A chosen file, ready to be sent. */
export interface Picture {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly blob: Blob;
  /** A blob URL to show it; '' for anything but a picture. */
  readonly url: string;
}

/** The form, texts as typed. Field names are the platform's. */
export interface Draft {
  readonly country: string;
  readonly first: string;
  readonly middle: string;
  readonly last: string;
  readonly date_of_birth: DateParts;
  readonly ssn: string;
  readonly signature: string;
  readonly use_1099: boolean;
  readonly street: string;
  readonly street2: string;
  readonly city: string;
  readonly state: string;
  readonly zip: string;
  readonly phone_code: string;
  readonly phone_number: string;
  readonly document_type: string;
  readonly document_country: string;
  readonly document_front: Picture | null;
  readonly document_back: Picture | null;
  readonly extra_files: readonly Picture[];
}
export type Field = keyof Draft;
/** Sentences by field. */
export type Faults = Readonly<Partial<Record<Field, string>>>;

/** An empty form. */
export function emptyDraft(country: string): Draft {
  return {
    country,
    first: '',
    middle: '',
    last: '',
    date_of_birth: EMPTY_DATE,
    ssn: '',
    signature: '',
    use_1099: true,
    street: '',
    street2: '',
    city: '',
    state: '',
    zip: '',
    phone_code: '',
    phone_number: '',
    document_type: '',
    document_country: '',
    document_front: null,
    document_back: null,
    extra_files: [],
  };
}

const FIELDS = {
  country: ['country'],
  person: ['first', 'middle', 'last', 'date_of_birth'],
  tax: ['ssn', 'signature'],
  address: ['street', 'street2', 'city', 'state', 'zip', 'use_1099'],
  phone: ['phone_code', 'phone_number'],
  documents: [
    'document_type',
    'document_country',
    'document_front',
    'document_back',
    'extra_files',
  ],
} as const satisfies Readonly<Record<string, readonly Field[]>>;
export type StepId = keyof typeof FIELDS;
const ORDER = ['country', 'person', 'tax', 'address', 'phone', 'documents'] as const;

const PARTS: Readonly<Record<Part, StepId>> = {
  name: 'person',
  birth: 'person',
  address: 'address',
  phone: 'phone',
  tax: 'tax',
  document_front: 'documents',
  document_back: 'documents',
  extra_files: 'documents',
};

/** What this person must provide now. */
export interface Asked {
  readonly form: 'full' | 'tax';
  readonly steps: readonly StepId[];
  /** The country of the address; null until one is chosen. */
  readonly country: Country | null;
  readonly name: boolean;
  readonly birth: boolean;
  /** The US tax number. */
  readonly ssn: boolean;
  readonly front: boolean;
  readonly back: boolean;
  /** A proof of address: needed, helpful, or neither. */
  readonly extra: 'needed' | 'offered' | 'no';
}

const TAX_FORM: readonly Part[] = ['name', 'address', 'tax'];

/** What is needed, as far as the draft tells. The tax form is always complete. */
export function askedOf(
  { needs, failed, country_default }: KycForm,
  form: 'full' | 'tax',
  draft: Draft,
  countries: readonly Country[],
): Asked {
  const full = form === 'full';
  const parts = full ? needs : TAX_FORM;
  const has = (part: Part): boolean => parts.includes(part);
  const country = countries.find(({ code }) => code === draft.country) ?? null;
  const us = country?.needs_ssn === true;
  // Someone who moves to the US must give its tax number, even if only the address was wrong.
  const moved = has('address') && us && (draft.country !== country_default || draft.ssn !== '');
  const front = has('document_front');
  // A passport has one page, unless the back of an earlier upload is requested by itself.
  const back = has('document_back') && !(front && draft.document_type === 'PP');
  const foreign = draft.document_country !== '' && draft.document_country !== draft.country;
  const needed = failed.includes('extra_files');
  const due: Readonly<Record<StepId, boolean>> = {
    country: has('address'),
    person: has('name') || has('birth'),
    tax: has('tax') || moved,
    address: has('address'),
    phone: has('phone'),
    documents: front || back || needed,
  };
  return {
    form,
    steps: ORDER.filter((step) => due[step]),
    country,
    name: has('name'),
    birth: has('birth'),
    // A number alone is requested again only from someone who gave one.
    ssn: has('address') ? us : true,
    front,
    back,
    extra: needed ? 'needed' : front && has('address') && foreign ? 'offered' : 'no',
  };
}

/** The step of a field; null for anything else. */
export function stepOf(field: string): StepId | null {
  const found = Object.entries(FIELDS).find(([, fields]) =>
    (fields as readonly string[]).includes(field),
  );
  return found === undefined ? null : (found[0] as StepId);
}

/**
 * Steps before the review: what is not filled in, and what did not pass. A country known only from
 * elsewhere is shown first.
 */
export function pathOf(asked: Asked, draft: Draft, { failed }: KycForm): readonly StepId[] {
  const again = new Set(failed.map((part) => PARTS[part]));
  if (draft.first === '') again.add('country');
  return asked.steps.filter(
    (step) => again.has(step) || Object.keys(faultsIn(step, asked, draft)).length > 0,
  );
}

/** The errors in a step. */
export function faultsIn(step: StepId, asked: Asked, draft: Draft): Faults {
  const faults: Partial<Record<Field, string>> = {};
  const require = (key: Key, ...fields: readonly Field[]): void => {
    for (const field of fields) {
      const value = draft[field];
      if (value === null || (typeof value === 'string' && value.trim() === '')) {
        faults[field] = t(key);
      }
    }
  };
  const { country } = asked;
  if (step === 'country') require('kyc.country_missing', 'country');
  if (step === 'person') {
    if (asked.name) require('kyc.fill_in', 'first', 'last');
    if (asked.birth && isoDate(draft.date_of_birth) === null) {
      const { day, month, year } = draft.date_of_birth;
      const typed = day !== '' && month !== '' && year.length === 4;
      faults.date_of_birth = typed
        ? t('kyc.birth_wrong')
        : t('kyc.birth_missing', { date: dayText('1990-03-07') });
    }
  }
  if (step === 'tax') {
    require('kyc.sign_missing', 'signature');
    if (asked.ssn && !/^\d{9}$/.test(draft.ssn.replaceAll(/[\s-]/g, ''))) {
      faults.ssn = t('kyc.ssn_wrong');
    }
  }
  if (step === 'address') {
    require('kyc.fill_in', 'street', 'city');
    if (country !== null && country.regions.length > 0) {
      require('kyc.fill_in', 'zip');
      if (!country.regions.includes(draft.state)) faults.state = t('kyc.choose_one');
    }
  }
  if (step === 'phone') require('kyc.fill_in', 'phone_code', 'phone_number');
  if (step === 'documents') {
    if (asked.front) {
      require('kyc.choose_one', 'document_type', 'document_country');
      require('kyc.picture_missing', 'document_front');
    }
    if (asked.back) require('kyc.picture_missing', 'document_back');
    if (asked.extra === 'needed' && draft.extra_files.length === 0) {
      faults.extra_files = t('kyc.proof_missing');
    }
  }
  return faults;
}

/** The platform's `errors` by field of the form. */
export function faultsOf(errors: Readonly<Record<string, string>>): Faults {
  const own = Object.entries(fieldTexts(errors)).flatMap(([path, sentence]) => {
    const field = path.replace(/^kyc_pii\./, '').replace(/[.[].*$/, '');
    return stepOf(field) === null ? [] : [[field, sentence]];
  });
  return Object.fromEntries(own) as Faults;
}

/** The body of a submission; `text` makes a data URI of a file. */
export async function bodyOf(
  asked: Asked,
  draft: Draft,
  text: (blob: Blob) => Promise<string>,
): Promise<object> {
  const typed = (...fields: readonly Field[]): object =>
    Object.fromEntries(
      fields.flatMap((field) => {
        const value = String(draft[field]).trim();
        return value === '' ? [] : [[field, value]];
      }),
    );
  const picture = async (field: 'document_front' | 'document_back'): Promise<object> => {
    const chosen = draft[field];
    return chosen === null ? {} : { [field]: await text(chosen.blob) };
  };
  const has = (step: StepId): boolean => asked.steps.includes(step);
  const files = asked.extra === 'no' ? [] : draft.extra_files;
  return {
    form: asked.form,
    kyc_pii: {
      ...(asked.name ? typed('first', 'middle', 'last') : {}),
      ...(asked.birth ? { date_of_birth: isoDate(draft.date_of_birth) } : {}),
      ...(has('tax') ? typed('signature', ...(asked.ssn ? (['ssn'] as const) : [])) : {}),
      ...(has('address') ? typed('country', 'street', 'street2', 'city', 'state', 'zip') : {}),
      ...(has('address') ? { use_1099: draft.use_1099 } : {}),
      ...(has('phone') ? typed('phone_code', 'phone_number') : {}),
      ...(asked.front ? typed('document_type', 'document_country') : {}),
      ...(asked.front ? await picture('document_front') : {}),
      ...(asked.back ? await picture('document_back') : {}),
    },
    ...(files.length === 0
      ? {}
      : { extra_files: await Promise.all(files.map(({ blob }) => text(blob))) }),
  };
}

/** The draft for another try: pictures that did not pass must be taken again; no number is kept. */
export function draftAgain(draft: Draft, { needs }: KycForm): Draft {
  return {
    ...draft,
    ...(needs.includes('document_front') ? { document_front: null } : {}),
    ...(needs.includes('document_back') ? { document_back: null } : {}),
    ...(needs.includes('extra_files') ? { extra_files: [] } : {}),
    ...(needs.includes('tax') ? {} : { ssn: '' }),
  };
}
