// Rows of reconciliation: rows of the processor's statement, and discrepancies.
import { stateTable, tableOf, type RowOf } from '../../../core/table.ts';
import { LINE_KINDS } from '../../../providers/processor/port.ts';
import { discrepancyMachine } from './machine.ts';

/** A statement row as it was read, with our verdict. */
export const statementLineTable = tableOf('statement_line', 45, {
  id: 'uuid',
  line: 'int8',
  key: 'text',
  /** The key as a UUID of ours; null where it is none. */
  subject: 'uuid?',
  reference: 'text',
  kind: LINE_KINDS,
  part: 'int4',
  amount: 'int8',
  currency: 'text',
  reason: 'text?',
  due_by: 'timestamptz?',
  verdict: ['waiting', 'matched', 'difference'],
  why: 'text?',
});
export type StatementLineRow = RowOf<typeof statementLineTable>;

/** A statement row that our books do not explain. Its id is the row's. */
export const discrepancyTable = stateTable('difference', 46, discrepancyMachine.states, {
  why: 'text',
  currency: 'text',
  /** Minor units, as in the statement. */
  amount: 'int8',
});
