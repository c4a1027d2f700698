// Rows of retention and erasure that decisions use: legal holds, and erasure jobs.
import { tableOf } from '../../../engine/index.ts';

/** A legal hold; its id is the account's. */
export const legalHoldTable = tableOf({
  name: 'legal_hold',
  rank: 13,
  columns: { workspace: 'int4', id: 'uuid', reason: 'text' },
});

/** The columns of a job that a decision writes; its id is the account's. */
export const erasureJobTable = tableOf({
  name: 'erasure_job',
  rank: 0,
  columns: { workspace: 'int4', id: 'uuid' },
});
