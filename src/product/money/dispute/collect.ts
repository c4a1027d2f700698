// Takes a piece of evidence, and submits what was collected. Callers of the interface and operators
// of the console come here. [G-93]
import type { CommandAnswer, Submission } from '../../../engine/index.ts';
import { isUuid } from '../../../core/ids.ts';
import { refuse } from '../../../core/refusal.ts';
import type { EvidenceKind } from '../../../providers/processor/port.ts';
import type { Services } from '../../context.ts';
import { collectPiece, withRecord, type GivenPiece, type StoredPiece } from '../evidence/index.ts';
import { addEvidence, submitEvidence } from './evidence.ts';
import { disputeRecords } from './read.ts';
import { refusals as no } from './refusals.ts';
import type { DisputeRecord } from './schema.ts';
import { sql } from '../../../db/index.ts';

export interface GivenEvidence extends GivenPiece {
  readonly kind: EvidenceKind;
}

/** Adds a piece of evidence; the answer shows the dispute. */
export function collectEvidence(
  services: Services,
  disputeId: string,
  given: GivenEvidence,
  submission: Submission,
): Promise<CommandAnswer> {
  const { db, engine } = services;
  const { kind } = given;
  const taking = {
    whose: async () => {
      const [row] = await db.query<{ account_id: string }>(sql`
        select account_id from dispute where workspace = ${submission.workspace}
          and id = ${isUuid(disputeId) ? disputeId : null}`);
      if (row === undefined) throw refuse(no.DISPUTE_NOT_FOUND);
      return row.account_id;
    },
    erased: no.DISPUTE_PERSON_ERASED,
    record: disputeRecords,
    add: (piece: StoredPiece) =>
      engine.run(addEvidence, { ...piece, disputeId, kind }, submission),
    has: (record: unknown, id: string) =>
      (record as DisputeRecord).evidence.some(({ evidence_id }) => evidence_id === id),
  };
  return collectPiece(services, taking, given, submission);
}

/** Submits the evidence of a dispute; the answer shows the dispute. */
export async function submitCollected(
  services: Services,
  disputeId: string,
  submission: Submission,
): Promise<CommandAnswer> {
  const { db, engine, random } = services;
  const input = { disputeId, answerId: random.uuid() };
  const answer = await engine.run(submitEvidence, input, submission);
  return withRecord(db, disputeRecords, submission.workspace, answer);
}
