// Rows of reconciliation: rows of the processor's statement, and discrepancies.
import { defineTable, type IdRow } from '../../../engine/index.ts';
import type { StatementLine } from '../../../providers/processor/port.ts';
import type { Instant } from '../../../core/time.ts';
import type { DifferenceState } from './machine.ts';

/** A statement row as it was read, with our verdict. */
export interface StatementLineRow extends IdRow {
  readonly line: bigint;
  readonly key: string;
  /** The key as a UUID of ours; null where it is none. */
  readonly subject: string | null;
  readonly reference: string;
  readonly kind: StatementLine['kind'];
  readonly part: number;
  readonly amount: bigint;
  readonly currency: string;
  readonly reason: string | null;
  readonly due_by: Instant | null;
  readonly verdict: 'waiting' | 'matched' | 'difference';
  readonly why: string | null;
}

export const statementLineTable = defineTable<StatementLineRow>({
  name: 'statement_line',
  rank: 45,
  columns: {
    workspace: 'int4',
    id: 'uuid',
    line: 'int8',
    key: 'text',
    subject: 'uuid',
    reference: 'text',
    kind: 'text',
    part: 'int4',
    amount: 'int8',
    currency: 'text',
    reason: 'text',
    due_by: 'timestamptz',
    verdict: 'text',
    why: 'text',
  },
});

/** A statement row that our books do not explain. Its id is the row's. */
export interface DiscrepancyRow extends IdRow {
  readonly why: string;
  readonly currency: string;
  /** Minor units, as in the statement. */
  readonly amount: bigint;
  readonly state: DifferenceState;
  readonly version: number;
  readonly updated: Instant;
}

export const discrepancyTable = defineTable<DiscrepancyRow>({
  name: 'difference',
  rank: 46,
  versioned: true,
  columns: {
    workspace: 'int4',
    id: 'uuid',
    why: 'text',
    currency: 'text',
    amount: 'int8',
    state: 'text',
    version: 'int4',
    updated: 'timestamptz',
  },
});
