// The list of disagreements.
import { BY_CURRENCY, byParty, byState, column, defineLists, TIMES } from '../../../core/list.ts';
import { disagreementMachine } from './machine.ts';

const { states } = disagreementMachine;

export const lists = defineLists([
  {
    name: 'disagreements',
    title: 'Disagreements',
    hint: 'Open one with POST /v2/escrow/{escrow_id}/dispute.',
    from: 'disagreement',
    key: { created: 'timestamptz', id: 'uuid' },
    dated: 'created',
    columns: {
      id: column.id(),
      escrow_id: column.id({ prefix: 'esc' }),
      account_id: column.party(),
      amount: column.amount({ sql: 't.held' }),
      currency: column.currency(),
      opened_by: column.text(),
      reason: column.text(),
      state: column.state(states),
      due_by: column.time(),
      ...TIMES,
    },
    filters: {
      account_id: byParty('index'),
      state: byState(states, ['open']),
      ...BY_CURRENCY,
    },
  },
]);
