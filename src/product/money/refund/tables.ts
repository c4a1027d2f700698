// Rows of refunds, of the refunded amounts that cap them, and of reversals.
import {
  defineTable,
  tableOf,
  type HeadRow,
  type Index,
  type RowOf,
} from '../../../engine/index.ts';
import type { Instant } from '../../../core/time.ts';
import { refundMachine, type ReversalState } from './machine.ts';

/** The refunded amounts of an invoice, in minor units; the id is the invoice's. [M12] */
export const refundedAmountsTable = tableOf({
  name: 'refunded_amounts',
  rank: 62,
  versioned: true,
  columns: {
    workspace: 'int4',
    id: 'uuid',
    currency: 'text',
    charged: 'int8',
    refunded: 'int8',
    charged_back: 'int8',
    /** See refunded amounts.ts, as `methods`. */
    lines: 'json',
    methods: 'json',
    version: 'int4',
  },
});
export type RefundedAmountsRow = RowOf<typeof refundedAmountsTable>;

/** A refund; only state, version, updated and counted ever change. */
export const refundTable = tableOf({
  name: 'refund',
  rank: 63,
  versioned: true,
  columns: {
    workspace: 'int4',
    id: 'uuid',
    invoice_id: 'uuid',
    /** The invoice that returns the money; created when the money moves. */
    refund_invoice_id: 'uuid',
    /** Null for a refund of all that is left. */
    line_item_id: 'uuid?',
    currency: 'text',
    amount: 'int8',
    /** How much of it is counted in the refunded amounts. */
    counted: 'int8',
    reason: 'text',
    sub_reason: 'text',
    /** Sealed with the buyer's key; null where none was given, or the buyer was erased. */
    sealed_note: 'text?',
    /** The parts of the charge to return. */
    parts: 'json',
    /** Minor units by line item id. */
    lines: 'json',
    created: 'timestamptz',
    state: refundMachine.states,
    version: 'int4',
    updated: 'timestamptz',
  },
});
export type RefundRow = RowOf<typeof refundTable>;

/** Finds the refund of a refund invoice. */
export const refundByReturn: Index<RefundRow> = {
  table: refundTable,
  column: 'refund_invoice_id',
};

/** Money of a charge that the processor took back. Minor units. [M15] */
export interface ReversalRow extends HeadRow {
  readonly state: ReversalState;
  readonly attempt_id: string;
  /** The invoice or deposit that was charged. */
  readonly resource_id: string;
  readonly kind: 'chargeback' | 'return';
  /** The processor's own reference, each once. */
  readonly reference: string;
  readonly amount: bigint;
  /** How much of it an escrow held; the integrator bears the rest. [G-93] */
  readonly secured: bigint;
  readonly currency: string;
  readonly created: Instant;
}

export const reversalTable = defineTable<ReversalRow>({
  name: 'reversal',
  rank: 64,
  versioned: true,
  columns: {
    workspace: 'int4',
    id: 'uuid',
    attempt_id: 'uuid',
    resource_id: 'uuid',
    kind: 'text',
    reference: 'text',
    amount: 'int8',
    secured: 'int8',
    currency: 'text',
    created: 'timestamptz',
    state: 'text',
    version: 'int4',
    updated: 'timestamptz',
  },
});
