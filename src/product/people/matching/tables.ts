// Rows of matches as decisions read them. The tables of enrolled persons are outside of the engine.
import { defineTable, type IdRow, type Index } from '../../../engine/index.ts';

/** A match of an application with another account's person. */
export interface MatchCheckRow extends IdRow {
  readonly application_id: string;
  readonly account_id: string;
  readonly matched_account_id: string;
  readonly matched_application_id: string;
  /** In ten-thousandths. */
  readonly score: number;
}

const matchCheckTable = defineTable<MatchCheckRow>({
  name: 'match_check',
  rank: 0,
  columns: {
    workspace: 'int4',
    id: 'uuid',
    application_id: 'uuid',
    account_id: 'uuid',
    matched_account_id: 'uuid',
    matched_application_id: 'uuid',
    score: 'int4',
  },
});

/** The matches of an application. */
export const matchesOfApplication: Index<MatchCheckRow> = {
  table: matchCheckTable,
  column: 'application_id',
};
