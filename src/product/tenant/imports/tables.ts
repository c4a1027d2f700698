// Rows of imports: what a reference of another service stands for, and files of opening balances.
import { stateTable, tableOf, type RowOf } from '../../../core/table.ts';
import { openingMachine } from './machine.ts';

/** What became of a row of a file. */
export const importedTable = tableOf('imported', 28, {
  /** A keyed hash of the reference. */
  id: 'uuid',
  account_id: 'uuid',
  /** Null for an account. */
  payment_method_id: 'uuid?',
  /** Keyed hash of the row; '' once the person is erased. */
  fingerprint: 'text',
  created: 'timestamptz',
});

/** A file of opening balances in one currency. */
export const openingTable = stateTable('opening', 41, openingMachine.states, {
  currency: 'text',
  /** Minor units, as stated. */
  total: 'int8',
  /** As stated. */
  lines: 'int4',
  /** How many lines are booked, in their order. */
  booked: 'int4',
  /** The newest line that is booked. */
  last_line: 'int4',
  /** SHA-256 of the file; '' until it was read. */
  digest: 'text',
  /** UUIDs of operators. */
  prepared_by: 'uuid',
  confirmed_by: 'uuid?',
  created: 'timestamptz',
});
export type OpeningRow = RowOf<typeof openingTable>;
