// The lists of disagreements: all, and those to decide, by their limit.
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
  {
    name: 'open_disagreements',
    title: 'Disagreements to decide',
    hint: 'Nobody disagrees about an escrow.',
    from: `(select * from disagreement where state = 'open')`,
    key: { due_by: 'timestamptz', id: 'uuid' },
    up: true,
    dated: 'due_by',
    columns: {
      due_by: column.time(),
      escrow_id: column.id({ prefix: 'esc' }),
      amount: column.amount({ sql: 't.held' }),
      currency: column.currency(),
      opened_by: column.text(),
      reason: column.text(),
      default_outcome: column.text({ sql: 't.outcome' }),
      account_id: column.party(),
      id: column.id(),
      created: column.time(),
    },
    filters: { account_id: byParty('scan'), ...BY_CURRENCY },
  },
]);
