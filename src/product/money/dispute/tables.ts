// Rows of disputes, their evidence and the answers given with it. Of a dispute and an answer only
// state, version, updated and the reason of a decline ever change; evidence never does.
import { indexBy, stateTable, tableOf, type RowOf } from '../../../core/table.ts';
import { BEARERS } from '../../tenant/settings/index.ts';
import { EVIDENCE_KINDS } from '../../../providers/processor/port.ts';
import { answerMachine, disputeMachine } from './machine.ts';

export const disputeTable = stateTable('dispute', 65, disputeMachine.states, {
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
});
export type DisputeRow = RowOf<typeof disputeTable>;

/** What the processor reported at the opening. */
export type DisputeFacts = Omit<
  DisputeRow,
  | ('workspace' | 'reversal_id' | 'bearer' | 'fee_bearer' | 'fee' | 'due')
  | ('state' | 'version' | 'updated')
>;

export const disputeByReference = indexBy(disputeTable, 'reference');

export const disputesOfResource = indexBy(disputeTable, 'resource_id');

/** A piece of evidence: that it is there, never what it says. */
export const evidenceTable = tableOf('dispute_evidence', 0, {
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
});

export const evidenceOfDispute = indexBy(evidenceTable, 'dispute_id');

/** All evidence of a moment, for the processor; the id is its key there. */
export const answerTable = stateTable('dispute_answer', 66, answerMachine.states, {
  dispute_id: 'uuid',
  purpose: ['dispute'],
  failure_code: 'text?',
  created: 'timestamptz',
});

export const answersOfDispute = indexBy(answerTable, 'dispute_id');

/** A job for the worker that calls the processor, due at once; no decision reads it. */
export const answerJobTable = tableOf('dispute_answer_job', 0, { answer_id: 'uuid' });
