// What became of each document of a business: received until somebody decides, then accepted,
// unreadable or refused with a reason for the applicant. Pure. [G-54, G-55]
import type { Instant } from '../../../core/time.ts';
import type { EntityReason } from './reasons.ts';

/** Best first. */
export const DOCUMENT_STATES = ['accepted', 'received', 'unreadable', 'refused'] as const;
export type DocumentState = (typeof DOCUMENT_STATES)[number];

/** Why a document is not accepted. */
export const DOCUMENT_REASONS = [
  'DOCUMENT_UNREADABLE',
  'DOCUMENT_EXPIRED',
  'NAME_DIFFERS',
  'DOCUMENT_UNSUITABLE',
] as const satisfies readonly EntityReason[];
export type DocumentReason = (typeof DOCUMENT_REASONS)[number];

/** A document in the form of an entity. */
export interface NamedDocument {
  readonly id: string;
  /** The agent that it is about; null: the whole business. */
  readonly agent: string | null;
  /** When somebody decided about it; absent: not yet. */
  readonly judged?: Instant;
  /** Why it is not accepted. */
  readonly reason?: DocumentReason;
}

export function stateOfDocument({ judged, reason }: NamedDocument): DocumentState {
  if (judged === undefined) return 'received';
  if (reason === undefined) return 'accepted';
  return reason === 'DOCUMENT_UNREADABLE' ? 'unreadable' : 'refused';
}

/** The best status among the documents about the business as a whole; it needs one of them. */
export function registrationDocument(
  documents: readonly NamedDocument[],
): DocumentState | 'missing' {
  const states = documents.filter(({ agent }) => agent === null).map(stateOfDocument);
  return DOCUMENT_STATES.find((state) => states.includes(state)) ?? 'missing';
}

/** True where one of them may count. */
export function hasRegistrationDocument(documents: readonly NamedDocument[]): boolean {
  return ['accepted', 'received'].includes(registrationDocument(documents));
}

/** A document as decided; without a reason it is accepted. */
export function judgedAs(
  { id, agent }: NamedDocument,
  reason: DocumentReason | undefined,
  judged: Instant,
): NamedDocument {
  return { id, agent, judged, ...(reason === undefined ? {} : { reason }) };
}

/** All documents, those that were only received decided alike; as JSON. */
export function judgedAll(
  documents: readonly NamedDocument[],
  reason: DocumentReason | undefined,
  judged: Instant,
): string {
  return JSON.stringify(
    documents.map((one) => (one.judged === undefined ? judgedAs(one, reason, judged) : one)),
  );
}
