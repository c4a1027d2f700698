// Identity: who a person is, and what is required of them. It owns the KYC state with its history,
// event and effect on money (through accrual), what persons submit, and its check at the vendor.
import { operations as ofStates } from './api.ts';
import { formOperations } from './form-api.ts';
import { applicationOperations } from './submission-api.ts';
import { refusals as ofIdentity } from './refusals.ts';
import { fileRefusals } from '../../../providers/files/port.ts';
export { accruesIn, needKyc } from './change.ts';
export { checkQueue } from './check-queue.ts';
export { matchApplications } from './match.ts';
export { lapseReview, registerKyc, setKycState } from './decide.ts';
export type { SetInput } from './decide.ts';
export { forgetDocuments, forgetStrays, storedNothing } from './documents.ts';
export { eraseApplications, needApplicationErasure } from './erase.ts';
export { messages } from './events.ts';
export { beFollowed, followEntity, forgetMoved, movedIdentities } from './follow.ts';
export type { EntityGives, MovedIdentity } from './follow.ts';
export { fileOr, sizeOfFurther } from './file-schema.ts';
export { laws } from './laws.ts';
export { checkMachine, kycMachine, KYC_STATES, machines } from './machine.ts';
export type { KycState } from './machine.ts';
export { forgetIdentityNotices, sweepChecks } from './notices.ts';
export { kycOf } from './read.ts';
export { REASONS } from './reasons.ts';
export type { ReasonCode } from './reasons.ts';
export { kycStatus, kycStatusRecord } from './schema.ts';
export type { KycStatusRecord } from './schema.ts';
export { settleCheck } from './settle.ts';
export type { CheckAnswer } from './settle.ts';
export { refuseSubmission } from './submit.ts';
export { identityCheckTable, kycApplicationTable, kycTable } from './tables.ts';
export type { KycRow } from './tables.ts';
export { loadWatchList, readWatchList } from './watch-list.ts';

export const operations = [...ofStates, ...applicationOperations, ...formOperations];
/** With those of files: only identity takes files. */
export const refusals = { ...ofIdentity, ...fileRefusals };
