// What reviewers can change on an identity, and what personal data they can open for a logged
// reason. Who may review is decided by the review module.
export type { Applicant } from './applicant.ts';
export { changeKyc, REVIEW_SECONDS } from './change.ts';
export { requireAgain } from './decide.ts';
export { openDocuments, type DocumentIds } from './documents.ts';
export { WATCH_HIT } from './rules.ts';
export { expiryOf } from './expiry.ts';
export type { KycApplicationRow, KycRow } from './tables.ts';
