// What the identity flow reads from the platform, and how a form's state reads to a person. Holds
// no personal data. [G-51, G-52]
import { numbersLocale, t, textOf } from '../texts.ts';

/** Parts that a submission may need. */
export type Part =
  | 'name'
  | 'birth'
  | 'address'
  | 'phone'
  | 'tax'
  | 'document_front'
  | 'document_back'
  | 'extra_files';

/** What the form is built from: GET /v2/kyc/form. */
export interface KycForm {
  readonly state: string;
  readonly country_default: string;
  /** Forms accepted now. */
  readonly forms: readonly ('full' | 'tax')[];
  readonly needs: readonly Part[];
  /** Those of `needs` that did not pass before; empty if the whole form is due. */
  readonly failed: readonly Part[];
  /** Sentences in English, and their codes. */
  readonly reasons: readonly string[];
  readonly reason_codes: readonly string[];
  /** While the person must go on at the identity vendor's page. */
  readonly at_vendor?: true;
}

/** What a country requires: one of GET /v2/kyc/countries. */
export interface Country {
  readonly code: string;
  readonly name: string;
  readonly documents: readonly string[];
  readonly regions: readonly string[];
  readonly needs_ssn: boolean;
}

/** How much a flow wants: everything, or what taxes need. [public-facts 4.7] */
export type Level = 'full' | 'basic_pii';

/** Where a person stands. */
export type Standing =
  /** Something is to be filled in now. */
  | 'form'
  /** It was sent and did not pass: the person learns this before the form comes again. */
  | 'failed'
  | 'processing'
  | 'review'
  | 'accepted'
  /** What taxes need is on file, and no more was wanted. */
  | 'filed';

const OVER = ['DENY', 'CANCEL', 'SYSTEM-CANCELLED', 'MANUAL_REVIEW'];

/** An accepted document has expired: parts are due again, the rest is kept. */
function hasExpired({ state, failed }: KycForm): boolean {
  return state === 'REVERIFY' && failed.length > 0;
}

/** The form that is due for this level; null for none. */
export function formDue({ forms }: KycForm, level: Level): 'full' | 'tax' | null {
  if (level === 'basic_pii') return forms.includes('tax') ? 'tax' : null;
  return forms.includes('full') ? 'full' : (forms[0] ?? null);
}

/** Where a person stands for this level. */
export function standingOf(form: KycForm, level: Level): Standing {
  const due = formDue(form, level);
  if (form.state === 'PROCESSING') return 'processing';
  if (due === 'tax') return 'form';
  if (form.state === 'ACCEPT') return 'accepted';
  if (level === 'basic_pii') return 'filed';
  if (due === null) return form.state === 'MANUAL_REVIEW' ? 'review' : 'failed';
  return OVER.includes(form.state) || hasExpired(form) ? 'failed' : 'form';
}

/** Why it did not pass, a sentence each. */
export function reasonTexts({ reasons, reason_codes }: KycForm): readonly string[] {
  return reasons.map((english, at) => textOf('kyc_reason', reason_codes[at] ?? '') ?? english);
}

/** What to send after a denial, in words. */
export function askedWords({ failed }: KycForm): string {
  if (failed.length === 0) return t('kyc.whole_again');
  const list = new Intl.ListFormat(numbersLocale(), { type: 'conjunction' });
  const parts = list.format(failed.map((part) => t(`kyc.part_${part}`)));
  return t('kyc.parts_again', { parts });
}

/** Milliseconds before the next poll of a check: soon at first, then every five seconds. */
export function waitBefore(look: number): number {
  return Math.min(800 * 1.5 ** look, 5000);
}
