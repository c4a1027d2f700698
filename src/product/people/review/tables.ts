// Rows of reviews as decisions read and write them. Claims and views are outside of the engine: no
// decision depends on them.
import { indexBy, tableOf, type RowOf } from '../../../engine/index.ts';
import { derivedUuid } from '../../../core/ids.ts';
import { proposalMachine } from './machine.ts';

/** An account that belongs to an operator personally. */
const operatorAccountTable = tableOf('operator_account', 0, {
  id: 'uuid',
  operator_id: 'uuid',
  account_id: 'uuid',
});

export const operatorsOfAccount = indexBy(operatorAccountTable, 'account_id');

/** A decision that waits for a second operator. */
export const proposalTable = tableOf('review_proposal', 27, {
  id: 'uuid',
  subject: ['person', 'business', 'hit'],
  subject_id: 'uuid',
  subject_version: 'int4',
  account_id: 'uuid',
  decision: ['accept', 'deny'],
  /** JSON: codes for the applicant. */
  reasons: 'json',
  operator_id: 'uuid',
  /** With an acceptance: the last valid day of the document, or null. */
  document_expires: 'text?',
  state: proposalMachine.states,
  version: 'int4',
  created: 'timestamptz',
  updated: 'timestamptz',
}, { versioned: true });
export type ProposalRow = RowOf<typeof proposalTable>;
export type SubjectKind = ProposalRow['subject'];

/** The id of the proposal about one version of a case; `line` is the lineage of the workspace. */
export function proposalIdOf(lineage: number, subjectId: string, version: number): string {
  return derivedUuid(`review_proposal/${lineage}/${subjectId}/${version}`);
}

/** A note: why an operator did something. */
export const noteTable = tableOf('review_note', 0, {
  id: 'uuid',
  account_id: 'uuid',
  subject_id: 'uuid',
  subject_version: 'int4',
  act: ['propose', 'accept', 'deny', 'ask', 'cancel', 'check', 'reject', 'open'],
  operator_id: 'uuid',
  /** Sealed with the person's key; null once erased. */
  sealed: 'text?',
  created: 'timestamptz',
});
export type NoteRow = RowOf<typeof noteTable>;
export type NotedAct = NoteRow['act'];
