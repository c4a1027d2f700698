// What the next submission keeps of the latest application, and what it must bring anew: only where
// the reasons of a denial say what was wrong. What is opened here goes into the next application
// and into no answer. [G-51, G-52]
import type { PersonSealer } from '../account/index.ts';
import type { Applicant } from './applicant.ts';
import type { DocumentIds } from './documents.ts';
import type { Part } from './parts.ts';
import { partsAbout, type ReasonCode } from './reasons.ts';
import type { SubmissionBody } from './submission-schema.ts';
import type { KycRow } from './tables.ts';

/** States that a person can mend by parts; after a lapsed review they start again. */
const MENDED = ['DENY', 'SYSTEM-CANCELLED', 'MANUAL_REVIEW', 'REVERIFY'];

/** What is known of the person before the submission. */
export interface Standing {
  readonly blocked: boolean;
  readonly state: KycRow['state'];
  readonly requirements: KycRow['requirements'];
  readonly follows_entity: boolean;
  readonly application_id: string | null;
  readonly form: string | null;
  readonly documents: string | null;
  readonly reasons: string | null;
  readonly sealed: string | null;
  readonly ssn_key: string | null;
  readonly wrapped_key: string;
  /** The workspace's UTC day. */
  readonly today: string;
}

/** What is kept, opened. */
export interface Kept {
  /** Parts that must be sent anew. */
  readonly asked: readonly Part[];
  readonly person: Applicant;
  readonly documents: DocumentIds;
}

/** Parts that a full form must bring anew; null: the whole form, nothing is kept. */
export function askedAgain(standing: Omit<Standing, 'wrapped_key'>): readonly Part[] | null {
  const { state, form, sealed, documents, reasons, ssn_key } = standing;
  if (!MENDED.includes(state) || form !== 'full' || sealed === null) return null;
  if ((JSON.parse(documents ?? '{}') as DocumentIds).front === undefined) return null;
  const parts = partsAbout(JSON.parse(reasons ?? '[]') as ReasonCode[]);
  // A wrong tax number where none was stated does not tell what to send.
  return parts?.includes('tax') === true && ssn_key === null ? null : parts;
}

/** What is kept for a full form; null: nothing. */
export function keptOf(standing: Standing, sealer: PersonSealer): Kept | null {
  const asked = askedAgain(standing);
  const { application_id: id, sealed, documents } = standing;
  if (asked === null || id === null || sealed === null) return null;
  return {
    asked,
    person: sealer.openJson<Applicant>('application', id, sealed),
    documents: JSON.parse(documents ?? '{}') as DocumentIds,
  };
}

/** Documents of the last application that are used again. */
export function documentsAgain(
  { asked, person: before, documents: { front, back, extra } }: Kept,
  { kyc_pii: pii, extra_files }: SubmissionBody,
  person: Applicant,
): DocumentIds {
  const frontAgain = pii.document_front === undefined;
  // A back belongs to its front, unless only a sharper picture of the same front was asked for.
  const same =
    asked.includes('document_front') &&
    person.document_type === before.document_type &&
    person.document_country === before.document_country;
  const backAgain =
    pii.document_back === undefined && !asked.includes('document_back') && (frontAgain || same);
  return {
    ...(frontAgain && front !== undefined ? { front } : {}),
    ...(backAgain && back !== undefined ? { back } : {}),
    ...(extra_files === undefined && extra !== undefined ? { extra } : {}),
  };
}

/** The country of the latest full form; '' where there is none. */
export function statedCountry(standing: Standing, sealer: PersonSealer): string {
  const { form, sealed, application_id: id } = standing;
  if (form !== 'full' || sealed === null || id === null) return '';
  return sealer.openJson<Applicant>('application', id, sealed).country;
}
