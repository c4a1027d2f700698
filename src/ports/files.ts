// Files that people hand in, and heavy bodies that carry them: both are worked on away from the
// main loop. Refuses to know what a file is for and where it is kept.
// Who serves a stored file must send it as `Content-Disposition: attachment` with a name of ours,
// its `mime` from here, `X-Content-Type-Options: nosniff` and `Content-Security-Policy: sandbox`;
// never inline, never from a host whose cookies or scripts matter, never under the sender's name.
import type { JsonResult } from '../kernel/json.ts';
import type { LiftedText } from '../kernel/lifted-text.ts';
import { defineRefusals } from '../kernel/refusal.ts';

/** Types that are kept, known by their content. [G-52] */
export type FileMime = 'image/jpeg' | 'image/png' | 'application/pdf';

/** Largest picture, in bytes. [G-52] */
export const IMAGE_MAX_BYTES = 3 * 1_048_576;
/** Largest sum of the further files of one submission, in bytes. [G-52] */
export const FURTHER_FILES_MAX_BYTES = 20 * 1_048_576;

/** The contents, as the sender wrote them. A lifted text and bytes are used up by the call. */
export type FileSource =
  /** `data:<mime>;base64,<base64>`; its mime is a claim too. */
  | { readonly form: 'data-uri'; readonly text: string | LiftedText }
  | { readonly form: 'base64'; readonly text: string | LiftedText }
  | { readonly form: 'bytes'; readonly bytes: Buffer };

/** A file to be looked at. */
export interface FileWish {
  /** An image is a JPEG or PNG; a document may be a PDF as well. */
  readonly kind: 'image' | 'document';
  readonly source: FileSource;
  /** What the sender says it is: media types and extensions; each must agree with the content. */
  readonly claims: readonly string[];
  /** Of the contents, before anything is stripped. */
  readonly maxBytes: number;
}

const row = { status: 400, act: 'caller', retry: false, cites: 'G-52' } as const;

/** Why a file is not taken; the key is the code of a verdict. [G-52] */
export const fileRefusals = defineRefusals({
  FILE_NOT_BASE64: {
    ...row,
    sentence: 'A file is not strict base64, or not a data URI where one is due.',
  },
  FILE_EMPTY: { ...row, sentence: 'A file is empty.' },
  FILE_TOO_LARGE: { ...row, sentence: 'A file is larger than is taken here.' },
  FILE_TYPE_UNKNOWN: { ...row, sentence: 'A file is not of a type that is taken here.' },
  FILE_TYPE_MISMATCH: { ...row, sentence: 'A file is not what its type or name says.' },
  FILE_ENCRYPTED: { ...row, sentence: 'A PDF is protected by a password.' },
  FILE_ACTIVE_CONTENT: {
    ...row,
    sentence: 'A PDF holds scripts, forms that act, or other files.',
  },
  FILE_TOO_MANY_PIXELS: { ...row, sentence: 'A picture has too many pixels.' },
  FILE_DAMAGED: { ...row, sentence: 'A file is damaged, or has something appended to it.' },
});
export type FileCode = keyof typeof fileRefusals;

/** What was found. The bytes are a rewritten copy: metadata is gone, and nothing hides behind. */
export type FileVerdict =
  | {
      readonly ok: true;
      readonly mime: FileMime;
      readonly bytes: Buffer;
      /** Of `bytes`. */
      readonly size: number;
    }
  | { readonly ok: false; readonly code: FileCode };

/** The inspector of files. */
export interface Files {
  /**
   * Looks at one file and strips it. Takes bounded time: a file on which the inspection does not
   * end is `FILE_DAMAGED`. Rejects only when the process is stopping.
   */
  inspect(wish: FileWish): Promise<FileVerdict>;
}

/** A text that was taken out of a body. */
export interface TakenText {
  /** UTF-8; owns its memory. */
  readonly bytes: Buffer;
  /** UTF-16 units. */
  readonly length: number;
  /** As `LiftedText.digest`. */
  readonly digest: string;
}

/** A heavy body without its long texts, or the refusal that the strict reader gives it. */
export type LiftedBody =
  | {
      readonly ok: true;
      /** JSON of ordinary size, in which each lifted text is the string `marker` + its number. */
      readonly rest: Buffer;
      /** Not to be guessed by who wrote the body. */
      readonly marker: string;
      readonly texts: readonly TakenText[];
    }
  | Extract<JsonResult, { ok: false }>;

/**
 * Reads a heavy body away from the main loop: the same refusals as `readJson`, and
 * `BODY_TOO_LARGE` when what is left without the long texts is more than an ordinary body. The
 * segments are used up. Null when it did not end in its time.
 */
export type LiftBody = (segments: readonly Buffer[]) => Promise<LiftedBody | null>;
