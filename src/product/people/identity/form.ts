// What the identity form asks for: which forms are due, which parts the next submission must bring,
// which of them failed before, and what each country requires. It uses the same rules as the
// submission itself, and no personal data. [G-51, G-52]
import { z } from 'zod';
import { wireId } from '../../../core/ids.ts';
import { strictObject } from '../../../core/schema.ts';
import { ADDRESS_PARTS, addressParts } from './address.ts';
import { isAsked, reasonsOf } from './application-record.ts';
import { CALLING_CODES, US_STATES } from './countries-data.ts';
import { askedAgain, type Standing } from './kept.ts';
import { KYC_STATES } from './machine.ts';
import { PARTS, WHOLE_FORM, type Part } from './parts.ts';
import { REASONS } from './reasons.ts';
import { DOCUMENT_TYPES } from './submission-schema.ts';
import { refusalOf } from './submit.ts';

const FORMS = ['full', 'tax'] as const;
const TAX_PARTS: readonly Part[] = ['name', 'address', 'tax'];
const parts = z.array(z.enum(PARTS));

/** What the form is built from. */
export const formRecord = strictObject({
  state: z.enum(KYC_STATES),
  /** The latest application; '' without one. */
  kyc_id: z.string(),
  /** The country that the account was registered with; '' where unknown. */
  country_default: z.string(),
  /** Forms accepted now; none while an application is checked, or once accepted. */
  forms: z.array(z.enum(FORMS)),
  /**
   * Parts that the next full submission must bring, or the tax form's where only that is accepted.
   * After a denial with reasons only the parts they are about; the rest is kept.
   */
  needs: parts,
  /** Those of `needs` that failed before; none where the whole form is due. */
  failed: parts,
  reasons: z.array(z.string()),
  /** One for each sentence. */
  reason_codes: z.array(z.string()),
  /** Only while the person must go on at the identity vendor: see `GET /v2/kyc/vendor_page`. */
  at_vendor: z.literal(true).optional(),
});
export type FormRecord = z.output<typeof formRecord>;

/** What to ask of a person in this standing. */
export function formOf(standing: Standing, country_default: string): FormRecord {
  const { state, application_id, reasons, sealed } = standing;
  const codes = reasons === null ? [] : reasonsOf({ reasons });
  const asked = isAsked(reasons === null ? null : { reasons, sealed });
  const forms = FORMS.filter((form) => refusalOf(form, standing, asked) === null);
  const full = forms.includes('full');
  const again = full ? askedAgain(standing) : null;
  const needs = forms.length === 0 ? [] : (again ?? (full ? WHOLE_FORM : TAX_PARTS));
  return {
    state,
    kyc_id: application_id === null ? '' : wireId('kyc', application_id),
    country_default,
    forms,
    needs: [...needs],
    failed: [...(again ?? [])],
    reasons: codes.map((code) => REASONS[code].sentence),
    reason_codes: codes,
  };
}

/** What the form asks for in one country. */
export const countryRecord = strictObject({
  code: z.string(),
  /** In English. */
  name: z.string(),
  calling_code: z.string(),
  documents: z.array(z.enum(DOCUMENT_TYPES)),
  /** Codes of regions that an address must choose from; empty: any region. */
  regions: z.array(z.string()),
  /** Parts of an address there, besides the street. */
  address: z.array(z.enum(ADDRESS_PARTS)),
  /** True where the US tax number is asked for. */
  needs_ssn: z.boolean(),
  needs_document: z.boolean(),
});
type CountryRecord = z.output<typeof countryRecord>;

const names = new Intl.DisplayNames('en', { type: 'region' });

/** Every country, in order of name. */
export async function countriesOf(): Promise<CountryRecord[]> {
  const records = Object.entries(CALLING_CODES).map(async ([code, calling]) => ({
    code,
    name: names.of(code) ?? code,
    calling_code: String(calling),
    documents: [...DOCUMENT_TYPES],
    regions: code === 'US' ? [...US_STATES] : [],
    address: await addressParts(code),
    needs_ssn: code === 'US',
    needs_document: true,
  }));
  return (await Promise.all(records)).toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
}

/** The code if it is a country's, else ''. */
export function countryCode(text: string): string {
  return Object.hasOwn(CALLING_CODES, text) ? text : '';
}
