// Break-glass reveal of masked data: the reason is logged, with a sealed note, before anything is
// shown. Each document is shown once, to the operator who gave the reason, within minutes.
import { hash } from 'node:crypto';
import { sql, type Database, type Queryable, type Transaction } from '../../../db/index.ts';
import { HASHED } from '../../../core/labels.ts';
import { refuse } from '../../../core/refusal.ts';
import type { FileMime } from '../../../providers/files/port.ts';
import { sealerOf } from '../account/index.ts';
import { audit } from '../../tell/audit/index.ts';
import type { Services } from '../../context.ts';
import { openDocuments } from '../identity/case.ts';
import { openEntityDocument } from '../business/case.ts';
import { sealNote } from './notes.ts';
import { refusals as no } from './refusals.ts';
import { actorName, requireWorkspace, type Reviewer } from './reviewer.ts';

export const REVEAL_REASONS = {
  review: 'To decide this case',
  second_look: "To confirm or reject a colleague's decision",
  duplicate: 'To see whether two accounts are one person',
  support: 'Requested by the person',
  fraud: 'Suspected fraud',
  legal: 'Requested by an authority',
} as const;
export type RevealReason = keyof typeof REVEAL_REASONS;

/** What to reveal, and why. */
export interface RevealRequest {
  readonly workspace: number;
  /** Whose data it is, and whose key seals the note. */
  readonly account: string;
  /** The account or entity that the case is about. */
  readonly subjectId: string;
  readonly version: number;
  /** Other accounts that are shown beside it. */
  readonly others: readonly string[];
  readonly documents: readonly string[];
  readonly reason: RevealReason;
  readonly note: string;
}

/** Tokens by document id; each shows its document once. */
export type ViewTokens = ReadonlyMap<string, string>;

type OpenServices = Pick<Services, 'db' | 'keys' | 'random'>;

function tokenHash(token: string): string {
  return hash('sha256', `${HASHED.documentView}${token}`, 'hex');
}

/** True where one of the accounts, by UUID, is registered as the operator's own. */
export async function isOwnAccount(
  db: Queryable,
  workspace: number,
  operatorId: string,
  accounts: readonly string[],
): Promise<boolean> {
  const rows = await db.query(sql`select from operator_account
    where workspace = ${workspace} and operator_id = ${operatorId}
      and account_id = any(${accounts}::uuid[])`);
  return rows.length > 0;
}

/**
 * Logs that the data of a case is revealed, and why; show it only after this returns. Gives a token
 * for each document.
 */
export async function openCase(
  services: OpenServices,
  reviewer: Reviewer,
  request: RevealRequest,
): Promise<ViewTokens> {
  const { db, random } = services;
  const { workspace, account, subjectId, others, documents, reason } = request;
  requireWorkspace(reviewer, workspace);
  const { operatorId } = reviewer;
  if (await isOwnAccount(db, workspace, operatorId, [account, ...others])) {
    throw refuse(no.REVIEW_OWN_CASE);
  }
  const note = await sealNote(services, workspace, account, request.note);
  const tokens = new Map(
    documents.map((id) => [id, random.bytes(32).toString('base64url')] as const),
  );
  await db.transaction(async (tx) => {
    const entry = { workspace, actor: actorName(reviewer), act: 'person_opened' } as const;
    const detail = { reason, note_id: note.id, case: subjectId };
    for (const subject of [account, ...others]) await audit(tx, { ...entry, subject, detail });
    await tx.execute(sql`
      insert into review_note (workspace, id, account_id, subject_id, subject_version, act,
        operator_id, sealed, created)
      select ${workspace}, ${note.id}, ${account}, ${subjectId}, ${request.version}, 'open',
        ${reviewer.operatorId}, ${note.sealed}, clock_timestamp() + clock_offset
      from workspace where workspace = $1`);
    for (const [document, token] of tokens) {
      await allow(tx, reviewer, request, document, token);
    }
  });
  return tokens;
}

async function allow(
  tx: Transaction,
  { operatorId }: Reviewer,
  { workspace, subjectId, account }: RevealRequest,
  document: string,
  token: string,
): Promise<void> {
  await tx.execute(sql`insert into review_view
      (workspace, token_hash, subject_id, account_id, document_id, operator_id, until)
    values (${workspace}, ${tokenHash(token)}, ${subjectId}, ${account}, ${document}, ${operatorId},
      clock_timestamp() + interval '5 minutes')`);
}

/** Shows a document once. Refuses a token that is used, expired, or another operator's. */
export async function viewDocument(
  services: OpenServices,
  reviewer: Reviewer,
  document: string,
  token: string,
): Promise<{ readonly mime: FileMime; readonly bytes: Buffer }> {
  const { db } = services;
  const view = await db.transaction(async (tx) => {
    const [row] = await tx.query<{ workspace: number; account_id: string }>(sql`
      delete from review_view where (workspace, token_hash) in (
        select workspace, token_hash from review_view where token_hash = ${tokenHash(token)})
      and document_id = ${document} and operator_id = ${reviewer.operatorId} and until > $now
      returning workspace, account_id`);
    if (row === undefined) throw refuse(no.REVIEW_VIEW_ENDED);
    const { workspace, account_id: subject } = row;
    const entry = { workspace, actor: actorName(reviewer), act: 'person_opened', subject } as const;
    await audit(tx, { ...entry, detail: { document } });
    return row;
  });
  requireWorkspace(reviewer, view.workspace);
  const { workspace, account_id } = view;
  const sealer = await sealerOf(services, workspace, account_id);
  if (sealer === null) throw refuse(no.REVIEW_CASE_NOT_FOUND);
  const [identity] = await openDocuments(db, sealer, workspace, { front: document });
  const opened = identity ?? (await openEntityDocument(services, workspace, account_id, document));
  if (opened === null) throw refuse(no.REVIEW_CASE_NOT_FOUND);
  return { mime: opened.mime, bytes: opened.bytes };
}

/** Deletes expired views; gives how many. */
export function forgetViews(db: Pick<Database, 'execute'>): Promise<number> {
  return db.execute('delete from review_view where until < $now');
}
