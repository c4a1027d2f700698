// The lists of deposits, payment attempts and outbound transfers.
import {
  BY_MONEY,
  byParty,
  byState,
  column,
  defineLists,
  TIMES,
} from '../../../core/list.ts';
import { attemptMachine } from './attempt-machine.ts';
import { depositMachine } from './machine.ts';
import { transferMachine } from './transfer-machine.ts';

const MONEY = { amount: column.amount(), currency: column.currency() };
const SENT = {
  state: column.state(attemptMachine.states),
  failure_code: column.text({ nullable: true }),
  processor_reference: column.text({ nullable: true }),
  updated: column.time(),
};
const OF_RESOURCE = { kind: 'id', by: 'index' } as const;

export const lists = defineLists([
  {
    name: 'deposits',
    title: 'Deposits',
    hint: 'A wallet is filled from a card, or by a bank transfer.',
    from: 'deposit',
    key: { id: 'uuid' },
    dated: 'id',
    columns: {
      id: column.id(),
      account_id: column.party({ nullable: true }),
      wallet_id: column.id(),
      ...MONEY,
      state: column.state(depositMachine.states),
      failure_code: column.text({ nullable: true }),
      ...TIMES,
    },
    filters: {
      account_id: byParty('scan'),
      state: byState(depositMachine.states),
      ...BY_MONEY,
    },
  },
  {
    name: 'payment_attempts',
    title: 'Payment attempts',
    hint: 'Each card payment of an invoice or deposit is one.',
    from: 'attempt',
    key: { id: 'uuid' },
    dated: 'id',
    columns: {
      id: column.id(),
      resource_id: column.id(),
      purpose: column.state(['invoice', 'escrow', 'deposit']),
      payment_method_id: column.id(),
      ...MONEY,
      ...SENT,
    },
    filters: {
      resource_id: OF_RESOURCE,
      state: byState(attemptMachine.states, ['parked']),
      ...BY_MONEY,
    },
  },
  {
    name: 'outbound_transfers',
    title: 'Outbound transfers',
    hint: 'Refunds to cards and payouts leave by them.',
    from: 'transfer',
    key: { id: 'uuid' },
    dated: 'id',
    columns: {
      id: column.id(),
      resource_id: column.id(),
      purpose: column.state(['escrow_cancel', 'refund', 'payout', 'double_capture']),
      payment_method_id: column.id(),
      rail: column.state(['processor', 'file']),
      ...MONEY,
      ...SENT,
      state: column.state(transferMachine.states),
    },
    filters: {
      resource_id: OF_RESOURCE,
      state: byState(transferMachine.states, ['parked']),
      ...BY_MONEY,
    },
  },
]);
