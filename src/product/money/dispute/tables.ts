// Rows of disputes, their evidence and the answers given with it. Of a dispute and an answer only
// state, version, updated and the reason of a decline ever change; evidence never does.
import { tableOf, type Index, type RowOf } from '../../../engine/index.ts';
import { BEARERS } from '../../tenant/settings/index.ts';
import { EVIDENCE_KINDS } from '../../../providers/processor/port.ts';
import { answerMachine, disputeMachine } from './machine.ts';

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
    /** Who bears a loss beyond reserves, and its fee, as the tenant had set at the opening. */
    bearer: BEARERS,
    fee_bearer: BEARERS,
    /** What the processor kept for it so far, less what it returned. Minor units. */
    fee: 'int8',
    /** When the clock acts on it next; null: not any more. */
    due: 'timestamptz?',
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
  | ('workspace' | 'reversal_id' | 'bearer' | 'fee_bearer' | 'fee' | 'due')
  | ('state' | 'version' | 'updated')
>;

export const disputeByReference: Index<DisputeRow> = {
  table: disputeTable,
  column: 'reference',
};

export const disputesOfResource: Index<DisputeRow> = { table: disputeTable, column: 'resource_id' };

/** A piece of evidence: that it is there, never what it says. */
export const evidenceTable = tableOf({
  name: 'dispute_evidence',
  rank: 0,
  columns: {
    workspace: 'int4',
    id: 'uuid',
    dispute_id: 'uuid',
    kind: EVIDENCE_KINDS,
    /** Null for a text. */
    mime: ['image/jpeg', 'image/png', 'application/pdf', null],
    /** Bytes. */
    size: 'int4',
    /** The step of the dispute that added it. */
    version: 'int4',
    created: 'timestamptz',
  },
});
export type EvidenceRow = RowOf<typeof evidenceTable>;

export const evidenceOfDispute: Index<EvidenceRow> = { table: evidenceTable, column: 'dispute_id' };

/** All evidence of a moment, for the processor; the id is its key there. */
export const answerTable = tableOf({
  name: 'dispute_answer',
  rank: 66,
  versioned: true,
  columns: {
    workspace: 'int4',
    id: 'uuid',
    dispute_id: 'uuid',
    purpose: ['dispute'],
    state: answerMachine.states,
    version: 'int4',
    failure_code: 'text?',
    created: 'timestamptz',
    updated: 'timestamptz',
  },
});
export type AnswerRow = RowOf<typeof answerTable>;

export const answersOfDispute: Index<AnswerRow> = { table: answerTable, column: 'dispute_id' };

/** A job for the worker that calls the processor, due at once; no decision reads it. */
export const answerJobTable = tableOf({
  name: 'dispute_answer_job',
  rank: 0,
  columns: { workspace: 'int4', answer_id: 'uuid' },
});
