// Identity: who a person is, and what is required of them. It owns the KYC state with its history,
// event and effect on money (through accrual), what persons submit, and its check at the vendor.
export { addressLines, addressParts, isPostcode } from './address.ts';
export type { PostalAddress } from './address.ts';
export { accruesIn, needKyc } from './change.ts';
export { checkQueue } from './check-queue.ts';
export { matchApplications } from './match.ts';
export { advanceIdentity, registerKyc, setKycState } from './decide.ts';
export { forgetDocuments, forgetStrays, inspectFiles, orDropped } from './documents.ts';
export type { HandedFile } from './documents.ts';
export { eraseApplications, needApplicationErasure } from './erase.ts';
export {
  beFollowed,
  followEntity,
  followProcessor,
  forgetMoved,
  movedIdentities,
} from './follow.ts';
export type { EntityGives } from './follow.ts';
export { fileOr, sizeOfFurther } from './file-schema.ts';
export { checkEnds, KYC_STATES } from './machine.ts';
export type { KycState } from './machine.ts';
export { forgetIdentityNotices, sweepChecks, wakeLapsed } from './notices.ts';
export { kycOf } from './read.ts';
export { REASONS } from './reasons.ts';
export { refusals } from './refusals.ts';
export { peopleToScreen, screenAccounts } from './screen.ts';
export { settleCheck } from './settle.ts';
export { countryOfPerson } from './submission.ts';
export { kycApplicationTable, kycTable } from './tables.ts';
export type { KycRow } from './tables.ts';
export { loadWatchList, readWatchList } from './watch-list.ts';
export { endedDocuments } from './retention.ts';
