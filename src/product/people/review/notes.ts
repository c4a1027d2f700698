// Operators' notes: why they did what they did, sealed with the key of the account's person. Only
// an operator who gave a reason can read them. [PD3]
import { prepared, sql, type Transaction } from '../../../db/index.ts';
import { maskCardNumbers } from '../../../core/card-number.ts';
import { refuse } from '../../../core/refusal.ts';
import type { Instant } from '../../../core/time.ts';
import { sealerOf } from '../account/index.ts';
import type { Services } from '../../context.ts';
import { refusals as no } from './refusals.ts';
import type { NotedAct } from './tables.ts';

type Parts = Pick<Services, 'db' | 'keys' | 'random'>;

/** The longest note, in characters. */
export const NOTE_MAX = 4_000;

/** A stored note. */
export interface SealedNote {
  readonly id: string;
  readonly sealed: string;
}

/**
 * Seals a note about an account's person, with card numbers masked. [G-75] Throws a Refusal for a
 * blank or too long note, or an erased account.
 */
export async function sealNote(
  services: Parts,
  workspace: number,
  account: string,
  text: string,
): Promise<SealedNote> {
  const plain = maskCardNumbers(text.trim());
  if (plain === '' || plain.length > NOTE_MAX) throw refuse(no.REVIEW_NOTE_NEEDED);
  const sealer = await sealerOf(services, workspace, account);
  if (sealer === null) throw refuse(no.REVIEW_CASE_NOT_FOUND);
  const id = services.random.uuid();
  return { id, sealed: sealer.seal('reviewNote', id, plain) };
}

export interface OpenedNote {
  readonly act: NotedAct;
  readonly operator: string;
  readonly created: Instant;
  readonly text: string;
}

/**
 * Opens the notes about an account, newest first, at most 100; none once erased. `entity`: those
 * about this business alone.
 */
export async function openNotes(
  services: Parts,
  workspace: number,
  account: string,
  entity: string | null = null,
): Promise<OpenedNote[]> {
  const sealer = await sealerOf(services, workspace, account);
  if (sealer === null) return [];
  const rows = await services.db.query<Omit<OpenedNote, 'text'> & SealedNote>(
    prepared('review_notes')`
    select id, act, operator_id as operator, sealed, created from review_note
    where workspace = ${workspace} and account_id = ${account} and sealed is not null
      and (${entity}::uuid is null or subject_id = $3)
    order by created desc, id desc limit 100`);
  return rows.map(({ id, sealed, ...rest }) => ({
    ...rest,
    text: sealer.open('reviewNote', id, sealed),
  }));
}

/** Deletes the notes about an erased person. */
export async function forgetNotes(
  db: Pick<Transaction, 'execute'>,
  workspace: number,
  account: string,
): Promise<void> {
  await db.execute(sql`update review_note set sealed = null
    where workspace = ${workspace} and account_id = ${account} and sealed is not null`);
}
