// The list of refunds.
import { BY_MONEY, byState, column, defineLists, TIMES } from '../../../core/list.ts';
import { refundMachine } from './machine.ts';
import { REASONS } from './tables.ts';

const { states } = refundMachine;

export const lists = defineLists([
  {
    name: 'refunds',
    title: 'Refunds',
    hint: 'A paid invoice can be refunded, whole or by line item.',
    from: 'refund',
    key: { id: 'uuid' },
    dated: 'id',
    columns: {
      id: column.id(),
      invoice_id: column.id(),
      refund_invoice_id: column.id(),
      amount: column.amount(),
      currency: column.currency(),
      reason: column.state(REASONS),
      state: column.state(states),
      ...TIMES,
    },
    filters: {
      invoice_id: { kind: 'id', by: 'index' },
      state: byState(states, ['REFUND-WAITING-FUNDS']),
      ...BY_MONEY,
    },
  },
]);
