// Rows of reviews as decisions read and write them. Claims and views are outside of the engine: no
// decision depends on them.
import { defineTable, type IdRow, type Index } from '../../../engine/index.ts';
import { derivedUuid } from '../../../core/ids.ts';
import type { Instant } from '../../../core/time.ts';
import type { ProposalState } from './machine.ts';

export type SubjectKind = 'person' | 'business';

/** An account that belongs to an operator personally. */
interface OperatorAccountRow extends IdRow {
  readonly operator_id: string;
  readonly account_id: string;
}

const operatorAccountTable = defineTable<OperatorAccountRow>({
  name: 'operator_account',
  rank: 0,
  columns: { workspace: 'int4', id: 'uuid', operator_id: 'uuid', account_id: 'uuid' },
});

export const operatorsOfAccount: Index<OperatorAccountRow> = {
  table: operatorAccountTable,
  column: 'account_id',
};

/** A decision that waits for a second operator. */
export interface ProposalRow extends IdRow {
  readonly subject: SubjectKind;
  readonly subject_id: string;
  readonly subject_version: number;
  readonly account_id: string;
  readonly decision: 'accept' | 'deny';
  /** JSON: codes for the applicant. */
  readonly reasons: string;
  readonly operator_id: string;
  readonly state: ProposalState;
  readonly version: number;
  readonly created: Instant;
  readonly updated: Instant;
}

export const proposalTable = defineTable<ProposalRow>({
  name: 'review_proposal',
  rank: 27,
  versioned: true,
  columns: {
    workspace: 'int4',
    id: 'uuid',
    subject: 'text',
    subject_id: 'uuid',
    subject_version: 'int4',
    account_id: 'uuid',
    decision: 'text',
    reasons: 'json',
    operator_id: 'uuid',
    state: 'text',
    version: 'int4',
    created: 'timestamptz',
    updated: 'timestamptz',
  },
});

/** The id of the proposal about one version of a case; `line` is the lineage of the workspace. */
export function proposalIdOf(line: number, subjectId: string, version: number): string {
  return derivedUuid(`review_proposal/${line}/${subjectId}/${version}`);
}

/** The kinds of acts that have a note. */
export type NotedAct =
  | 'propose'
  | 'accept'
  | 'deny'
  | 'ask'
  | 'cancel'
  | 'check'
  | 'reject'
  | 'open';

/** A note: why an operator did something. */
export interface NoteRow extends IdRow {
  readonly account_id: string;
  readonly subject_id: string;
  readonly subject_version: number;
  readonly act: NotedAct;
  readonly operator_id: string;
  /** Sealed with the person's key; null once erased. */
  readonly sealed: string | null;
  readonly created: Instant;
}

export const noteTable = defineTable<NoteRow>({
  name: 'review_note',
  rank: 0,
  columns: {
    workspace: 'int4',
    id: 'uuid',
    account_id: 'uuid',
    subject_id: 'uuid',
    subject_version: 'int4',
    act: 'text',
    operator_id: 'uuid',
    sealed: 'text',
    created: 'timestamptz',
  },
});
