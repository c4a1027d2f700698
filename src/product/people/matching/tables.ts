// Rows of matches as decisions read them. The tables of enrolled persons are outside of the engine.
import { indexBy, tableOf, type RowOf } from '../../../engine/index.ts';

/** A match of an application with another account's person. */
const matchCheckTable = tableOf('match_check', 0, {
  id: 'uuid',
  application_id: 'uuid',
  account_id: 'uuid',
  matched_account_id: 'uuid',
  matched_application_id: 'uuid',
  /** In ten-thousandths. */
  score: 'int4',
});
export type MatchCheckRow = RowOf<typeof matchCheckTable>;

/** The matches of an application. */
export const matchesOfApplication = indexBy(matchCheckTable, 'application_id');
