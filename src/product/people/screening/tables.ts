// Rows of hits as decisions read and write them. Lists, their entries and the runs of screening are
// outside of the engine.
import { indexBy, stateTable } from '../../../core/table.ts';
import { hitMachine } from './machine.ts';

/** A person's application, or a business, that resembles an entry of a watch-list. */
export const hitTable = stateTable('screening_hit', 23, hitMachine.states, {
  account_id: 'uuid',
  /** The application, or the business. */
  subject_id: 'uuid',
  list: 'text',
  /** The entry's id in the list. */
  entry: 'text',
  list_version: 'int4',
  /** In ten-thousandths. */
  score: 'int4',
  /** JSON of `Entry`: what the list said; `{}` once the account is erased. */
  listed: 'json',
  created: 'timestamptz',
});

/** The hits of an application or of a business. */
export const hitsOfSubject = indexBy(hitTable, 'subject_id');

/** The hits of all applications of an account, or of its business. */
export const hitsOfAccount = indexBy(hitTable, 'account_id');
