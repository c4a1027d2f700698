// Takes a piece of evidence: inspects and seals it, stores it, then adds it. A refused request
// leaves nothing behind. Callers of the interface and operators of the console come here. [G-93]
import type { CommandAnswer, Submission } from '../../../engine/index.ts';
import { isUuid } from '../../../core/ids.ts';
import { inputRefusals } from '../../../core/input-refusals.ts';
import type { OffloadedText } from '../../../core/offloaded-text.ts';
import { refuse } from '../../../core/refusal.ts';
import type { EvidenceKind } from '../../../providers/processor/port.ts';
import { sealerOf } from '../../people/account/index.ts';
import { inspectFiles, orDropped } from '../../people/identity/index.ts';
import type { Services } from '../../context.ts';
import { dropContent, storeContent } from './content.ts';
import { addEvidence, submitEvidence } from './evidence.ts';
import { disputeRecords } from './read.ts';
import { refusals as no } from './refusals.ts';
import { EVIDENCE_FILE_MAX, type DisputeRecord } from './schema.ts';

/** A text, or a file as a data URI. */
export interface GivenEvidence {
  readonly kind: EvidenceKind;
  readonly text?: string | undefined;
  readonly file?: string | OffloadedText | undefined;
}

interface Piece {
  readonly mime: string | null;
  readonly bytes: Buffer;
}

async function pieceOf(services: Services, { text = '', file }: GivenEvidence): Promise<Piece> {
  if (file === undefined) {
    if (text.trim() === '') {
      throw refuse(inputRefusals.MISSING_FIELD, { text: 'is required, or a file' });
    }
    return { mime: null, bytes: Buffer.from(text, 'utf8') };
  }
  if (text !== '') throw refuse(inputRefusals.INVALID_FIELD, { text: 'must not be beside a file' });
  const source = { form: 'data-uri', text: file } as const;
  const request = { kind: 'document', source, claims: [], maxBytes: EVIDENCE_FILE_MAX } as const;
  const [clean] = await inspectFiles(services, [{ path: 'file', request }]);
  if (clean === undefined) throw new Error('a file was inspected without a verdict');
  return clean;
}

/** The answer of a command with its record; a repeated one already has it. */
async function withRecord(
  { db }: Services,
  workspace: number,
  answer: CommandAnswer,
): Promise<CommandAnswer> {
  const { record, payload } = answer;
  if (payload !== null || record === undefined) return answer;
  const { id, version } = record;
  const [made] = await disputeRecords.compose(db, [{ workspace, id, version }]);
  return { ...answer, payload: made };
}

/** Adds a piece of evidence; the answer shows the dispute. */
export async function collectEvidence(
  services: Services,
  disputeId: string,
  given: GivenEvidence,
  submission: Submission,
): Promise<CommandAnswer> {
  const { db, engine, random } = services;
  const { workspace } = submission;
  const id = random.uuid();
  const drop = (): Promise<void> => dropContent(db, workspace, id);
  const answer = await orDropped(services, submission, drop, async () => {
    const [row] = await db.query<{ account_id: string }>({
      text: 'select account_id from dispute where workspace = $1 and id = $2',
      values: [workspace, isUuid(disputeId) ? disputeId : null],
    });
    if (row === undefined) throw refuse(no.DISPUTE_NOT_FOUND);
    const sealer = await sealerOf(services, workspace, row.account_id);
    if (sealer === null) throw refuse(no.DISPUTE_PERSON_ERASED);
    const { mime, bytes } = await pieceOf(services, given);
    await storeContent(db, sealer, { workspace, account: row.account_id, id }, bytes);
    const piece = { id, disputeId, kind: given.kind, mime, size: bytes.length };
    return engine.run(addEvidence, piece, submission);
  });
  const whole = await withRecord(services, workspace, answer);
  const { evidence } = whole.payload as DisputeRecord;
  // An earlier request with this idempotency key was answered again.
  if (!evidence.some(({ evidence_id }) => evidence_id === id)) await drop();
  return whole;
}

/** Submits the evidence of a dispute; the answer shows the dispute. */
export async function submitCollected(
  services: Services,
  disputeId: string,
  submission: Submission,
): Promise<CommandAnswer> {
  const { engine, random } = services;
  const input = { disputeId, answerId: random.uuid() };
  const answer = await engine.run(submitEvidence, input, submission);
  return withRecord(services, submission.workspace, answer);
}
