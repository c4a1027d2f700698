// Operators' notes: why they did what they did, sealed with the key of the account's person. Only
// an operator who gave a reason can read them. [PD3]
import type { Transaction } from '../../../db/index.ts';
import { maskCardNumbers } from '../../../core/card-number.ts';
import { refuse } from '../../../core/refusal.ts';
import type { Instant } from '../../../core/time.ts';
import { keyOf, openAbout, sealAbout } from '../account/index.ts';
import type { Services } from '../../context.ts';
import { refusals as no } from './refusals.ts';
import type { NotedAct } from './tables.ts';

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
  { db, keys, random }: Pick<Services, 'db' | 'keys' | 'random'>,
  workspace: number,
  account: string,
  text: string,
): Promise<SealedNote> {
  const plain = maskCardNumbers(text.trim());
  if (plain === '' || plain.length > NOTE_MAX) throw refuse(no.REVIEW_NOTE_NEEDED);
  const key = await keyOf(db, keys, workspace, account);
  if (key === null) throw refuse(no.REVIEW_CASE_NOT_FOUND);
  const id = random.uuid();
  return { id, sealed: sealAbout(key, random, keys.lineOf(workspace), 'reviewNote', id, plain) };
}

export interface OpenedNote {
  readonly act: NotedAct;
  readonly operator: string;
  readonly created: Instant;
  readonly text: string;
}

/** Opens the notes about a case, newest first, at most 100. */
export async function openNotes(
  { db, keys }: Pick<Services, 'db' | 'keys'>,
  key: Buffer,
  workspace: number,
  subjectId: string,
): Promise<OpenedNote[]> {
  const rows = await db.query<Omit<OpenedNote, 'text'> & SealedNote>({
    name: 'review_notes',
    text: `select id, act, operator_id as operator, sealed, created from review_note
      where workspace = $1 and subject_id = $2 and sealed is not null
      order by created desc, id desc limit 100`,
    values: [workspace, subjectId],
  });
  return rows.map(({ id, sealed, ...rest }) => ({
    ...rest,
    text: openAbout(key, keys.lineOf(workspace), 'reviewNote', id, sealed),
  }));
}

/** Deletes the notes about an erased person. */
export async function forgetNotes(
  db: Pick<Transaction, 'execute'>,
  workspace: number,
  account: string,
): Promise<void> {
  await db.execute({
    text: `update review_note set sealed = null
      where workspace = $1 and account_id = $2 and sealed is not null`,
    values: [workspace, account],
  });
}
