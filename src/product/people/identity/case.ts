// What reviewers can change on an identity, and what personal data they can open for a logged
// reason. Who may review is decided by the review module.
import type { Queryable } from '../../../db/index.ts';
import type { FileMime } from '../../../providers/files/port.ts';
import { openDocuments } from './documents.ts';
export { openApplicant } from './applicant.ts';
export type { Applicant } from './applicant.ts';
export { changeKyc, REVIEW_SECONDS } from './change.ts';
export { requireAgain } from './decide.ts';
export type { DocumentIds } from './documents.ts';
export { WATCH_HIT } from './rules.ts';
export type { KycApplicationRow, KycRow } from './tables.ts';

export interface OpenedDocument {
  readonly mime: FileMime;
  readonly bytes: Buffer;
}

/** Opens one document; null where it was erased or is unknown. */
export async function openDocument(
  db: Queryable,
  key: Buffer,
  at: Parameters<typeof openDocuments>[2],
  id: string,
): Promise<OpenedDocument | null> {
  const [file] = await openDocuments(db, key, at, { front: id });
  return file === undefined ? null : { mime: file.mime, bytes: file.bytes };
}
