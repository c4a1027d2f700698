// The row of a dispute; only state, version and updated ever change.
import { tableOf, type Index, type RowOf } from '../../../engine/index.ts';
import { disputeMachine } from './machine.ts';

export const disputeTable = tableOf({
  name: 'dispute',
  rank: 65,
  versioned: true,
  columns: {
    workspace: 'int4',
    id: 'uuid',
    account_id: 'uuid',
    reversal_id: 'uuid',
    /** The invoice or deposit that was charged. */
    resource_id: 'uuid',
    purpose: ['invoice', 'escrow', 'deposit'],
    escrow_id: 'uuid?',
    /** The processor's own reference, each once. */
    reference: 'text',
    /** Minor units. */
    amount: 'int8',
    currency: 'text',
    /** A code. */
    reason: 'text',
    due_by: 'timestamptz?',
    created: 'timestamptz',
    state: disputeMachine.states,
    version: 'int4',
    updated: 'timestamptz',
  },
});
export type DisputeRow = RowOf<typeof disputeTable>;

/** What the processor reported at the opening. */
export type DisputeFacts = Omit<
  DisputeRow,
  'workspace' | 'reversal_id' | 'state' | 'version' | 'updated'
>;

export const disputeByReference: Index<DisputeRow> = {
  table: disputeTable,
  column: 'reference',
};

export const disputesOfResource: Index<DisputeRow> = { table: disputeTable, column: 'resource_id' };
