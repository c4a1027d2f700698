// Takes a piece: inspects and seals it, stores it, then adds it to its case. A refused request
// leaves nothing behind.
import type { CommandAnswer, Submission } from '../../../engine/index.ts';
import { refuse, type RefusalSpec } from '../../../core/refusal.ts';
import type { Database } from '../../../db/index.ts';
import type { RecordKind } from '../../../outbox/index.ts';
import { sealerOf } from '../../people/account/index.ts';
import { orDropped } from '../../people/identity/index.ts';
import type { Services } from '../../context.ts';
import { dropContent, storeContent } from './content.ts';
import { pieceOf, type GivenPiece } from './piece.ts';

/** A piece whose content is stored. */
export interface StoredPiece {
  readonly id: string;
  readonly mime: string | null;
  readonly size: number;
}

/** How a case takes a piece. */
export interface Case {
  /** The account with whose key it is sealed (a UUID). Throws a Refusal for an unknown case. */
  readonly whose: () => Promise<string>;
  /** Refuses what is about an erased person. */
  readonly erased: RefusalSpec;
  readonly record: RecordKind;
  readonly add: (piece: StoredPiece) => Promise<CommandAnswer>;
  /** True where the record has the piece. */
  readonly has: (record: unknown, id: string) => boolean;
}

/** The answer of a command with its record; a repeated one already has it. */
export async function withRecord(
  db: Pick<Database, 'query'>,
  kind: RecordKind,
  workspace: number,
  answer: CommandAnswer,
): Promise<CommandAnswer> {
  const { record, payload } = answer;
  if (payload !== null || record === undefined) return answer;
  const { id, version } = record;
  const [made] = await kind.compose(db, [{ workspace, id, version }]);
  return { ...answer, payload: made };
}

/** Adds a piece to a case; the answer shows the case. */
export async function collectPiece(
  services: Services,
  { whose, erased, record, add, has }: Case,
  given: GivenPiece,
  submission: Submission,
): Promise<CommandAnswer> {
  const { db, random } = services;
  const { workspace } = submission;
  const id = random.uuid();
  const drop = (): Promise<void> => dropContent(db, workspace, id);
  const answer = await orDropped(services, submission, drop, async () => {
    const account = await whose();
    const sealer = await sealerOf(services, workspace, account);
    if (sealer === null) throw refuse(erased);
    const { mime, bytes } = await pieceOf(services, given);
    await storeContent(db, sealer, { workspace, account, id }, bytes);
    return add({ id, mime, size: bytes.length });
  });
  const whole = await withRecord(db, record, workspace, answer);
  // An earlier request with this idempotency key was answered again.
  if (!has(whole.payload, id)) await drop();
  return whole;
}
