// The list of disputes.
import { BY_MONEY, byParty, byState, column, defineLists, TIMES } from '../../../core/list.ts';
import { disputeMachine } from './machine.ts';

const { states } = disputeMachine;

export const lists = defineLists([
  {
    name: 'disputes',
    title: 'Disputes',
    hint: 'The processor reports them: there is nothing to do.',
    from: 'dispute',
    key: { created: 'timestamptz', id: 'uuid' },
    dated: 'created',
    columns: {
      id: column.id(),
      account_id: column.party(),
      resource_id: column.id(),
      escrow_id: column.id({ prefix: 'esc', nullable: true }),
      amount: column.amount(),
      currency: column.currency(),
      reason: column.text(),
      reference: column.text(),
      state: column.state(states),
      due_by: column.time({ nullable: true }),
      ...TIMES,
    },
    filters: {
      account_id: byParty('index'),
      resource_id: { kind: 'id', by: 'index' },
      reference: { kind: 'text', by: 'index' },
      state: byState(states, ['needs_response', 'under_review']),
      ...BY_MONEY,
    },
  },
]);
