// The list of acts on money.
import { BY_MONEY, byState, column, defineLists, TIMES } from '../../../core/list.ts';
import { moneyActMachine } from './machine.ts';

const { states } = moneyActMachine;

export const lists = defineLists([
  {
    name: 'money_acts',
    title: 'Acts on money',
    hint: 'No operator has acted on money here. The page of an object says what may be done.',
    from: 'money_act',
    key: { id: 'uuid' },
    dated: 'id',
    columns: {
      id: column.id(),
      act: column.text(),
      subject_id: column.id(),
      amount: column.amount(),
      currency: column.currency(),
      state: column.state(states),
      code: column.text(),
      ...TIMES,
    },
    filters: {
      subject_id: { kind: 'id', by: 'index' },
      state: byState(states, ['proposed', 'agreed', 'running']),
      ...BY_MONEY,
    },
  },
]);
