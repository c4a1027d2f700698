// Notes of operators: why they did what they did, sealed with the key of the account's person.
// Nobody but an operator who gave a reason reads them. [PD3]
import { maskCardNumbers } from '../../kernel/card-number.ts';
import { refuse } from '../../kernel/refusal.ts';
import type { Instant } from '../../kernel/time.ts';
import { keyOf, openAbout, sealAbout } from '../account/index.ts';
import type { Services } from '../context.ts';
import { refusals as no } from './refusals.ts';
import type { NotedAct } from './tables.ts';

/** Characters of a note at most. */
export const NOTE_MAX = 4_000;

/** A note as it is stored, and the key that it was sealed with. */
export interface SealedNote {
  readonly id: string;
  readonly sealed: string;
}

/**
 * Seals a note about an account's person, card numbers in it masked. [G-75] Refuses a blank one,
 * and an account that was erased.
 */
export async function sealNote(
  { db, keys, entropy }: Pick<Services, 'db' | 'keys' | 'entropy'>,
  world: number,
  account: string,
  text: string,
): Promise<SealedNote> {
  const plain = maskCardNumbers(text.trim());
  if (plain === '' || plain.length > NOTE_MAX) throw refuse(no.REVIEW_NOTE_NEEDED);
  const key = await keyOf(db, keys, world, account);
  if (key === null) throw refuse(no.REVIEW_CASE_NOT_FOUND);
  const id = entropy.uuid();
  return { id, sealed: sealAbout(key, entropy, keys.lineOf(world), 'review_note', id, plain) };
}

/** A note, opened. */
export interface OpenedNote {
  readonly act: NotedAct;
  readonly operator: string;
  readonly created: Instant;
  readonly text: string;
}

/** Opens the notes about a case, newest first, 100 at most. */
export async function openNotes(
  { db, keys }: Pick<Services, 'db' | 'keys'>,
  key: Buffer,
  world: number,
  subjectId: string,
): Promise<OpenedNote[]> {
  const rows = await db.query<Omit<OpenedNote, 'text'> & SealedNote>({
    name: 'review_notes',
    text: `select id, act, operator_id as operator, sealed, created from review_note
      where world = $1 and subject_id = $2 and sealed is not null
      order by created desc, id desc limit 100`,
    values: [world, subjectId],
  });
  return rows.map(({ id, sealed, ...rest }) => ({
    ...rest,
    text: openAbout(key, keys.lineOf(world), 'review_note', id, sealed),
  }));
}
