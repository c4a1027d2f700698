// The row of a dispute; only state, version and updated ever change.
import { defineTable, type HeadRow, type Index } from '../../../engine/index.ts';
import type { Instant } from '../../../core/time.ts';
import type { DisputeState } from './machine.ts';

/** What the processor reported at the opening. */
export interface DisputeFacts {
  readonly id: string;
  readonly account_id: string;
  /** The invoice or deposit that was charged. */
  readonly resource_id: string;
  readonly purpose: 'invoice' | 'escrow' | 'deposit';
  readonly escrow_id: string | null;
  /** The processor's own reference, each once. */
  readonly reference: string;
  /** Minor units. */
  readonly amount: bigint;
  readonly currency: string;
  /** A code. */
  readonly reason: string;
  readonly due_by: Instant | null;
  readonly created: Instant;
}

export interface DisputeRow extends DisputeFacts, HeadRow {
  readonly state: DisputeState;
  readonly id: string;
  readonly reversal_id: string;
}

export const disputeTable = defineTable<DisputeRow>({
  name: 'dispute',
  rank: 65,
  versioned: true,
  columns: {
    workspace: 'int4',
    id: 'uuid',
    account_id: 'uuid',
    reversal_id: 'uuid',
    resource_id: 'uuid',
    purpose: 'text',
    escrow_id: 'uuid',
    reference: 'text',
    amount: 'int8',
    currency: 'text',
    reason: 'text',
    due_by: 'timestamptz',
    created: 'timestamptz',
    state: 'text',
    version: 'int4',
    updated: 'timestamptz',
  },
});

export const disputeByReference: Index<DisputeRow> = {
  table: disputeTable,
  column: 'reference',
};

export const disputesOfResource: Index<DisputeRow> = { table: disputeTable, column: 'resource_id' };
