// The list of payouts.
import { BY_MONEY, byParty, byState, column, defineLists, TIMES } from '../../../core/list.ts';
import { payoutMachine } from './machine.ts';

const { states } = payoutMachine;

export const lists = defineLists([
  {
    name: 'payouts',
    title: 'Payouts',
    hint: 'Accounts request payouts, or have them by a schedule.',
    from: 'payout',
    key: { created: 'timestamptz', id: 'uuid' },
    dated: 'created',
    columns: {
      id: column.id(),
      account_id: column.party(),
      amount: column.amount(),
      fee_amount: column.amount(),
      currency: column.currency(),
      state: column.state(states),
      failure_code: column.text({ nullable: true }),
      due: column.time({ nullable: true }),
      ...TIMES,
    },
    filters: {
      account_id: byParty('index'),
      state: byState(states),
      on_hold: { kind: 'flag', by: ['true'], sql: 't.due is not null' },
      ...BY_MONEY,
    },
  },
]);
