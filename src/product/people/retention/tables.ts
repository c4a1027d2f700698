// Rows of retention and erasure that decisions use: legal holds, and erasure jobs.
import { tableOf } from '../../../engine/index.ts';

/** A legal hold; its id is the account's. */
export const legalHoldTable = tableOf('legal_hold', 13, { id: 'uuid', reason: 'text' });

/** The columns of a job that a decision writes; its id is the account's. */
export const erasureJobTable = tableOf('erasure_job', 0, { id: 'uuid' });
