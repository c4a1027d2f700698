// Rows of retention and erasure that decisions use: legal holds, and erasure jobs.
import { defineTable, type IdRow } from '../../../engine/index.ts';

/** A legal hold; its id is the account's. */
export interface LegalHoldRow extends IdRow {
  readonly reason: string;
}

export const legalHoldTable = defineTable<LegalHoldRow>({
  name: 'legal_hold',
  rank: 13,
  columns: { workspace: 'int4', id: 'uuid', reason: 'text' },
});

/** The columns of a job that a decision writes; its id is the account's. */
export const erasureJobTable = defineTable<IdRow>({
  name: 'erasure_job',
  rank: 0,
  columns: { workspace: 'int4', id: 'uuid' },
});
