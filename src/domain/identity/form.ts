// What the form for identity data asks for: which forms are due, which parts the next submission
// must bring, which of them did not pass before, and what is asked in which country. Answers for
// saying the same as the submission itself; knows no personal data. [G-51, G-52]
import { z } from 'zod';
import { wireId } from '../../kernel/ids.ts';
import { strictObject } from '../../kernel/schema.ts';
import { reasonsOf } from './application-record.ts';
import { CALLING_CODES, US_STATES } from './countries-data.ts';
import { KYC_STATES, type KycState } from './machine.ts';
import { concerns, REASONS, type ReasonCode } from './reasons.ts';
import { keptDocuments, type Standing } from './submission.ts';
import { DOCUMENT_TYPES } from './submission-schema.ts';
import { isAsked, refusalOf } from './submit.ts';

const FORMS = ['full', 'tax'] as const;
const PERSONAL = ['name', 'birth', 'address', 'tax'] as const;
const FILES = ['document_front', 'document_back', 'extra_files'] as const;
const parts = z.array(z.enum([...PERSONAL, ...FILES]));
type Part = (typeof PERSONAL | typeof FILES)[number];

/** What the form is built from. */
export const formRecord = strictObject({
  state: z.enum(KYC_STATES),
  /** The latest application; '' without one. */
  kyc_id: z.string(),
  /** The country that the account was registered with; '' where none is known. */
  country_default: z.string(),
  /** Forms that are taken now; none while an application is checked, or once accepted. */
  forms: z.array(z.enum(FORMS)),
  /** Parts that the next submission must bring; documents that were fine are used again. */
  needs: parts,
  /** Those of them that did not pass before. */
  failed: parts,
  reasons: z.array(z.string()),
});
export type FormRecord = z.output<typeof formRecord>;

/** Personal parts that a reason is about; documents are in its own row. */
const ABOUT: Readonly<Partial<Record<ReasonCode, readonly Part[]>>> = {
  NAME_DIFFERS: ['name'],
  BIRTH_DATE_DIFFERS: ['birth'],
  UNDERAGE: ['birth'],
  ADDRESS_NOT_CONFIRMED: ['address'],
  PHONE_NOT_CONFIRMED: ['address'],
  TAX_NUMBER_NOT_CONFIRMED: ['tax'],
  INFORMATION_INCOMPLETE: PERSONAL,
};

/** What to ask of a person who stands so. */
export function formOf(standing: Standing, country_default: string): FormRecord {
  const { state, application_id, reasons, sealed } = standing;
  const codes = reasons === null ? [] : reasonsOf({ reasons });
  const asked = isAsked(reasons === null ? null : { reasons, sealed });
  const forms = FORMS.filter((form) => refusalOf(form, standing, asked) === null);
  const kept = forms.includes('full') ? keptDocuments(standing) : null;
  const files = forms.includes('full') ? filesNeeded(kept, codes) : [];
  const personal = PERSONAL.filter((part) => part !== 'birth' || forms.includes('full'));
  const needs = forms.length === 0 ? [] : [...personal, ...files];
  const about = new Set(codes.flatMap((code) => ABOUT[code] ?? []));
  return {
    state: state as KycState,
    kyc_id: application_id === null ? '' : wireId('kyc', application_id),
    country_default,
    forms,
    needs,
    failed: kept === null ? [] : needs.filter((part) => about.has(part) || fails(part, codes)),
    reasons: codes.map((code) => REASONS[code].sentence),
  };
}

const ROLES = { document_front: 'front', document_back: 'back', extra_files: 'extra' } as const;

function fails(part: Part, codes: readonly ReasonCode[]): boolean {
  return part in ROLES && concerns(codes, ROLES[part as keyof typeof ROLES]);
}

/** Without a front that is kept everything is asked for: the document may be another one. */
function filesNeeded(
  kept: ReturnType<typeof keptDocuments>,
  codes: readonly ReasonCode[],
): readonly Part[] {
  return kept?.front === undefined ? FILES : FILES.filter((part) => fails(part, codes));
}

/** What the form asks in one country. */
export const countryRecord = strictObject({
  code: z.string(),
  /** In English. */
  name: z.string(),
  calling_code: z.string(),
  documents: z.array(z.enum(DOCUMENT_TYPES)),
  /** Codes of regions that an address must choose from; none: it is free. */
  regions: z.array(z.string()),
  /** True where the tax number of the US is asked for. */
  needs_ssn: z.boolean(),
  needs_document: z.boolean(),
});
type CountryRecord = z.output<typeof countryRecord>;

const names = new Intl.DisplayNames('en', { type: 'region' });

/** Every country, in the order of the names. */
export const COUNTRIES: readonly CountryRecord[] = Object.entries(CALLING_CODES)
  .map(([code, calling]) => ({
    code,
    name: names.of(code) ?? code,
    calling_code: String(calling),
    documents: [...DOCUMENT_TYPES],
    regions: code === 'US' ? [...US_STATES] : [],
    needs_ssn: code === 'US',
    needs_document: true,
  }))
  .toSorted((a, b) => a.name.localeCompare(b.name, 'en'));

/** The code where it is one of a country, else ''. */
export function countryCode(text: string): string {
  return Object.hasOwn(CALLING_CODES, text) ? text : '';
}
