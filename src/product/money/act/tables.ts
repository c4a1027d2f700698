// The row of an act on money: what was asked, and its current state.
import { indexBy, stateTable, type RowOf } from '../../../core/table.ts';
import { moneyActMachine } from './machine.ts';

export const moneyActTable = stateTable('money_act', 79, moneyActMachine.states, {
  /** The name of its row in acts.ts. */
  act: 'text',
  /** The object; of a balancing entry its own id. */
  subject_id: 'uuid',
  /** What the form said, as JSON. */
  fields: 'text',
  /** Hash of what the page showed. */
  seen: 'text',
  currency: 'text',
  /** Minor units; 0 where no money moves. */
  amount: 'int8',
  reason: 'text',
  /** UUIDs of operators. */
  operator_id: 'uuid',
  second_id: 'uuid?',
  /** The refusal that it met; '' for none. */
  code: 'text',
  created: 'timestamptz',
});
export type MoneyActRow = RowOf<typeof moneyActTable>;

export const actsOfSubject = indexBy(moneyActTable, 'subject_id');
