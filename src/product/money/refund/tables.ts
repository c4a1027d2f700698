// Rows of refunds, of the refunded amounts that cap them, and of reversals.
import { indexBy, stateTable, tableOf, type RowOf } from '../../../core/table.ts';
import { refundMachine, reversalMachine } from './machine.ts';

/** The refunded amounts of an invoice, in minor units; the id is the invoice's. [M12] */
export const refundedAmountsTable = tableOf('refunded_amounts', 62, {
  id: 'uuid',
  currency: 'text',
  charged: 'int8',
  refunded: 'int8',
  charged_back: 'int8',
  /** See refunded.ts, as `methods`. */
  lines: 'json',
  methods: 'json',
  taxes: 'json',
  version: 'int4',
}, { versioned: true });
export type RefundedAmountsRow = RowOf<typeof refundedAmountsTable>;

export const REASONS = ['billing', 'fraud', 'product_related', 'other'] as const;

/** A refund; only state, version, updated and counted ever change. */
export const refundTable = stateTable('refund', 63, refundMachine.states, {
  invoice_id: 'uuid',
  /** The invoice that returns the money; created when the money moves. */
  refund_invoice_id: 'uuid',
  /** Null for a refund of all that is left. */
  line_item_id: 'uuid?',
  currency: 'text',
  amount: 'int8',
  /** How much of it is counted in the refunded amounts. */
  counted: 'int8',
  reason: REASONS,
  sub_reason: 'text',
  /** Sealed with the buyer's key; null where none was given, or the buyer was erased. */
  sealed_note: 'text?',
  /** The parts of the charge to return. */
  parts: 'json',
  /** Minor units by line item id. */
  lines: 'json',
  /** What of that is tax, likewise. [G-89] */
  taxes: 'json',
  created: 'timestamptz',
});
export type RefundRow = RowOf<typeof refundTable>;

/** Finds the refund of a refund invoice. */
export const refundByReturn = indexBy(refundTable, 'refund_invoice_id');

export const REVERSAL_KINDS = ['chargeback', 'return'] as const;

/** Money of a charge that the processor took back. Minor units. [M15] */
export const reversalTable = stateTable('reversal', 64, reversalMachine.states, {
  attempt_id: 'uuid',
  /** The invoice or deposit that was charged. */
  resource_id: 'uuid',
  kind: REVERSAL_KINDS,
  /** The processor's own reference, each once. */
  reference: 'text',
  amount: 'int8',
  /** How much of it an escrow held; the integrator bears the rest. [G-93] */
  secured: 'int8',
  currency: 'text',
  created: 'timestamptz',
});
export type ReversalRow = RowOf<typeof reversalTable>;
