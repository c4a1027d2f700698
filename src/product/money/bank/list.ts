// The list of incoming transfers. Who paid and what they wrote stay sealed.
import { BY_MONEY, byState, column, defineLists, TIMES } from '../../../core/list.ts';
import { incomingMachine } from './machine.ts';

const { states } = incomingMachine;

export const lists = defineLists([
  {
    name: 'incoming_transfers',
    title: 'Incoming transfers',
    hint: 'They come with the statements of the bank.',
    from: 'incoming_transfer',
    key: { id: 'uuid' },
    dated: 'id',
    columns: {
      id: column.id(),
      wallet_id: column.id({ nullable: true }),
      bank_reference: column.text(),
      amount: column.amount(),
      currency: column.currency(),
      value_date: column.text(),
      why: column.text({ nullable: true }),
      state: column.state(states),
      ...TIMES,
    },
    filters: { state: byState(states), ...BY_MONEY },
  },
]);
