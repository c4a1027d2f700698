// The commands of evidence: a piece is added, all of it is submitted once, and the processor's
// answer to that is settled. What a piece says is sealed and stored beside. Pure. [G-93]
import { EngineFault, type Command, type Decision, type ReadSet } from '../../../engine/index.ts';
import { isUuid } from '../../../core/ids.ts';
import { refuse } from '../../../core/refusal.ts';
import type { AnswerOutcome, EvidenceKind } from '../../../providers/processor/port.ts';
import { isTooMuch } from '../evidence/index.ts';
import { answerMachine, disputeMachine } from './machine.ts';
import { refusals as no } from './refusals.ts';
import {
  answerJobTable,
  answersOfDispute,
  answerTable,
  disputeTable,
  evidenceOfDispute,
  evidenceTable,
  type DisputeRow,
} from './tables.ts';

/** A piece whose content is already stored. */
export interface NewEvidence {
  readonly id: string;
  readonly disputeId: string;
  readonly kind: EvidenceKind;
  readonly mime: string | null;
  readonly size: number;
}

function load(rows: ReadSet, disputeId: string): void {
  if (!isUuid(disputeId) || !rows.read(disputeTable, disputeId)) return;
  rows.lock(disputeTable, disputeId);
  rows.find(evidenceOfDispute, disputeId);
  rows.find(answersOfDispute, disputeId);
}

/** The dispute, if it takes evidence now; else throws a Refusal. */
function openDisputeIn(decision: Decision, disputeId: string): DisputeRow {
  const row = isUuid(disputeId) ? decision.get(disputeTable, disputeId) : null;
  if (row === null) throw refuse(no.DISPUTE_NOT_FOUND);
  if (row.state !== 'needs_response') throw refuse(no.DISPUTE_NOT_OPEN);
  if (row.due_by === null || row.due_by < decision.now) throw refuse(no.DISPUTE_OVERDUE);
  const answers = decision.find(answersOfDispute, disputeId);
  if (answers.some(({ state }) => state !== 'declined')) throw refuse(no.DISPUTE_ALREADY_ANSWERED);
  return row;
}

/** The answer that shows the dispute at a version; the record composes it. */
function shown(status: 200 | 201, id: string, version: number) {
  return { status, payload: null, record: { kind: 'dispute', id, version } };
}

/** A step of a dispute that goes on waiting for its answer; gives the version. */
function stay(
  decision: Decision,
  id: string,
  on: 'add_evidence' | 'submit' | 'decline_answer',
  detail: object,
): number {
  return decision.move(disputeMachine, disputeTable, id, on, 'needs_response', {}, detail);
}

/** Adds a piece of evidence; the answer is the dispute. */
export const addEvidence: Command<NewEvidence> = {
  name: 'add_evidence',
  load: (rows, { disputeId }) => load(rows, disputeId),
  decide(decision, { id, disputeId, kind, mime, size }) {
    const row = openDisputeIn(decision, disputeId);
    const before = decision.find(evidenceOfDispute, disputeId);
    if (isTooMuch(before, { mime, size })) throw refuse(no.DISPUTE_TOO_MUCH_EVIDENCE);
    const detail = { evidence_id: id, kind };
    const version = stay(decision, row.id, 'add_evidence', detail);
    const { workspace, now: created } = decision;
    const piece = { id, dispute_id: row.id, kind, mime, size };
    decision.insert(evidenceTable, { workspace, ...piece, version, created });
    return shown(201, row.id, version);
  },
};

/** Hands all evidence to the processor, in a job; the answer is the dispute. */
export const submitEvidence: Command<{ readonly disputeId: string; readonly answerId: string }> = {
  name: 'submit_evidence',
  load: (rows, { disputeId }) => load(rows, disputeId),
  decide(decision, { disputeId, answerId }) {
    const { id } = openDisputeIn(decision, disputeId);
    if (decision.find(evidenceOfDispute, id).length === 0) {
      throw refuse(no.DISPUTE_EVIDENCE_MISSING);
    }
    const { workspace, now } = decision;
    decision.create(answerMachine, answerTable, 'begin', {
      ...{ workspace, id: answerId, dispute_id: id, purpose: 'dispute', state: 'sending' },
      ...{ version: 1, failure_code: null, created: now, updated: now },
    });
    decision.insert(answerJobTable, { workspace, answer_id: answerId });
    const version = stay(decision, id, 'submit', { answer_id: answerId });
    return shown(200, id, version);
  },
};

/** What the processor says of an answer. */
export interface AnswerSaid {
  readonly answerId: string;
  readonly outcome: AnswerOutcome;
}

/** Settles what the processor said; a repeated word changes nothing. */
export const settleAnswer: Command<AnswerSaid> = {
  name: 'settle_dispute_answer',
  highPriority: true,
  load(rows, { answerId }) {
    const answer = rows.read(answerTable, answerId);
    if (!answer) return;
    rows.lock(disputeTable, answer.dispute_id);
    rows.lock(answerTable, answerId);
  },
  decide(decision, { answerId, outcome }) {
    const answer = decision.get(answerTable, answerId);
    if (answer === null) throw new EngineFault('there is no such answer to a dispute');
    const done = { status: 200, payload: null };
    if (answer.state !== 'sending') return done;
    if (outcome.state === 'accepted') {
      decision.move(answerMachine, answerTable, answerId, 'accept', 'accepted');
    } else if (outcome.state === 'declined') {
      const patch = { failure_code: outcome.code };
      decision.move(answerMachine, answerTable, answerId, 'decline', 'declined', patch, patch);
      const dispute = decision.get(disputeTable, answer.dispute_id);
      if (dispute?.state === 'needs_response') stay(decision, dispute.id, 'decline_answer', patch);
    }
    return done;
  },
};
