// Shows an operator what a piece of evidence says: it is logged first, then opened.
import { isUuid, uuidOfWireId } from '../../../core/ids.ts';
import { sealerOf } from '../../people/account/index.ts';
import { audit } from '../../tell/audit/index.ts';
import type { Services } from '../../context.ts';
import { openEvidence, type OpenedPiece } from '../evidence/index.ts';
import { readDispute } from './read.ts';

/** Which piece, and who looks. */
interface Look {
  readonly workspace: number;
  readonly disputeId: string;
  readonly id: string;
  readonly actor: string;
}

/** The piece, opened; null for an unknown one, or where it was erased. */
export async function openPiece(
  services: Pick<Services, 'db' | 'keys' | 'random'>,
  { workspace, disputeId, id, actor }: Look,
): Promise<OpenedPiece | null> {
  const { db } = services;
  const dispute = await readDispute(db, workspace, disputeId);
  const known = dispute?.evidence.some(({ evidence_id }) => evidence_id === id) === true;
  const account = uuidOfWireId('acct', dispute?.account_id ?? '');
  if (!isUuid(id) || !known || account === null) return null;
  const sealer = await sealerOf(services, workspace, account);
  if (sealer === null) return null;
  const detail = { dispute: disputeId, evidence: id };
  await db.transaction((tx) =>
    audit(tx, { workspace, actor, act: 'evidence_opened', subject: account, detail }),
  );
  const pieces = await openEvidence(db, sealer, workspace, disputeId);
  return pieces.find((piece) => piece.id === id) ?? null;
}
