// A text or a file that is handed in as evidence: what is stored of it. [G-93]
import { inputRefusals } from '../../../core/input-refusals.ts';
import type { OffloadedText } from '../../../core/offloaded-text.ts';
import { refuse } from '../../../core/refusal.ts';
import { fileText, optional, text } from '../../../core/schema.ts';
import { inspectFiles } from '../../people/identity/index.ts';
import type { Services } from '../../context.ts';

/** In bytes, before anything is stripped. */
const FILE_MAX = 3 * 1_048_576;

/** Of a body with its file as base64. */
export const EVIDENCE_BYTES = 5 * 1_048_576;

/** Pieces of one case, and bytes of all its files: what card networks take of a dispute. */
export const PIECES_MAX = 20;
export const FILES_MAX_BYTES = 4_500_000;

/** The fields of a body that has a text or a file. */
export const pieceFields = {
  text: optional(text()).meta({ examples: ['The parcel was delivered on 3 May.'] }),
  file: optional(fileText(FILE_MAX)).meta({
    description: 'A data URI of a JPEG, PNG or PDF. Its metadata is removed.',
  }),
};

/** A text, or a file as a data URI. */
export interface GivenPiece {
  readonly text?: string | undefined;
  readonly file?: string | OffloadedText | undefined;
}

/** What is stored; `mime` is null for a text. */
export interface Piece {
  readonly mime: string | null;
  readonly bytes: Buffer;
}

/** Inspects what was handed in. Throws a Refusal. */
export async function pieceOf(services: Services, given: GivenPiece): Promise<Piece> {
  const { text: said = '', file } = given;
  if (file === undefined) {
    if (said.trim() === '') {
      throw refuse(inputRefusals.MISSING_FIELD, { text: 'is required, or a file' });
    }
    return { mime: null, bytes: Buffer.from(said, 'utf8') };
  }
  if (said !== '') throw refuse(inputRefusals.INVALID_FIELD, { text: 'must not be beside a file' });
  const source = { form: 'data-uri', text: file } as const;
  const request = { kind: 'document', source, claims: [], maxBytes: FILE_MAX } as const;
  const [clean] = await inspectFiles(services, [{ path: 'file', request }]);
  if (clean === undefined) throw new Error('a file was inspected without a verdict');
  return clean;
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'application/pdf': 'pdf',
};

/** The name under which a file is shown and saved, never the sender's; '' for a text. */
export function fileNameOf(kind: string, mime: string | null): string {
  return mime === null ? '' : `${kind}.${EXTENSIONS[mime] ?? 'bin'}`;
}

/** True where a piece more is too much beside those that are there. */
export function isTooMuch(
  before: readonly { readonly mime: string | null; readonly size: number }[],
  piece: { readonly mime: string | null; readonly size: number },
): boolean {
  const files = [...before, piece].filter(({ mime }) => mime !== null);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return before.length >= PIECES_MAX || bytes > FILES_MAX_BYTES;
}
