// What a side states: sealed with its key before it is added, opened for the tenant and both sides.
import type { z } from 'zod';
import type { CommandAnswer, Submission } from '../../../engine/index.ts';
import { refuse } from '../../../core/refusal.ts';
import { accountUuid, sealerOf } from '../../people/account/index.ts';
import { audit } from '../../tell/audit/index.ts';
import type { Services } from '../../context.ts';
import { refusals as ofEscrow } from '../escrow/index.ts';
import { collectPiece, openContent, type GivenPiece } from '../evidence/index.ts';
import { addStatement, type Word } from './decide.ts';
import { disagreementRecords, sidesOf, statementMime } from './read.ts';
import { refusals as no } from './refusals.ts';
import type { DisagreementRecord, statementRecord } from './schema.ts';
import type { Side } from './tables.ts';

/** Adds a statement of whoever speaks; the answer shows the disagreement. */
export function collectStatement(
  services: Services,
  word: Word,
  given: GivenPiece,
  submission: Submission,
): Promise<CommandAnswer> {
  const { db, engine } = services;
  const { workspace } = submission;
  const { account, escrowId, session } = word;
  const person = accountUuid(account ?? '') ?? '';
  return collectPiece(
    services,
    {
      async whose() {
        const sides = await sidesOf(db, workspace, escrowId);
        if (account !== null && sides?.has(account)) return person;
        const unknown = session || sides === null;
        throw refuse(unknown ? ofEscrow.ESCROW_NOT_FOUND : no.DISAGREEMENT_STRANGER);
      },
      erased: no.DISAGREEMENT_PERSON_ERASED,
      record: disagreementRecords,
      add: (piece) => engine.run(addStatement, { ...word, ...piece, person }, submission),
      has: (record, id) =>
        (record as DisagreementRecord).statements.some((one) => one.statement_id === id),
    },
    given,
    submission,
  );
}

type Opening = Pick<Services, 'db' | 'keys' | 'random'>;

/** A statement with what it says; a text has no `mime`. */
async function contentOf(
  services: Opening,
  workspace: number,
  { statements }: DisagreementRecord,
  id: string,
) {
  const shown = statements.find(({ statement_id }) => statement_id === id);
  const account = accountUuid(shown?.account_id ?? '');
  if (shown === undefined || account === null) return null;
  const { db } = services;
  const sealer = await sealerOf(services, workspace, account);
  const bytes = sealer && (await openContent(db, sealer, workspace, id));
  return bytes && { shown, account, bytes, mime: await statementMime(db, workspace, id) };
}

/** What an operator sees of a statement, which is logged; null as for `openStatement`. */
export async function lookAtStatement(
  services: Opening,
  { workspace, actor }: Pick<Submission, 'workspace' | 'actor'>,
  record: DisagreementRecord,
  id: string,
): Promise<{ readonly side: Side; readonly mime: string | null; readonly bytes: Buffer } | null> {
  const found = await contentOf(services, workspace, record, id);
  if (found === null) return null;
  const { shown: { side }, account: subject, mime, bytes } = found;
  const detail = { disagreement: record.disagreement_id, evidence: id };
  await services.db.transaction((tx) =>
    audit(tx, { workspace, actor, act: 'evidence_opened', subject, detail }),
  );
  return { side, mime, bytes };
}

/** What one statement of a disagreement says; null for an unknown one, or where it was erased. */
export async function openStatement(
  services: Opening,
  workspace: number,
  record: DisagreementRecord,
  id: string,
): Promise<z.output<typeof statementRecord> | null> {
  const found = await contentOf(services, workspace, record, id);
  if (found === null) return null;
  const { shown, mime, bytes } = found;
  if (mime === null) return { ...shown, text: bytes.toString('utf8'), file: '' };
  return { ...shown, text: '', file: `data:${mime};base64,${bytes.toString('base64')}` };
}
