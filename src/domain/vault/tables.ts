// Rows of the vault that decisions see: what holds a person's data, and what is left to do.
import { defineTable, type IdRow } from '../../engine/index.ts';

/** A legal hold; its id is the account's. */
export interface LegalHoldRow extends IdRow {
  readonly reason: string;
}

export const legalHoldTable = defineTable<LegalHoldRow>({
  name: 'legal_hold',
  rank: 13,
  columns: { world: 'int4', id: 'uuid', reason: 'text' },
});

/** The part of a job that a decision writes; its id is the account's. */
export const erasureJobTable = defineTable<IdRow>({
  name: 'erasure_job',
  rank: 0,
  columns: { world: 'int4', id: 'uuid' },
});
