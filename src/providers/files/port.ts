// Inspects uploaded files and parses large bodies, off the main thread. FileVerdict says how a
// stored file must be served.
import type { JsonResult } from '../../core/json.ts';
import type { OffloadedText } from '../../core/offloaded-text.ts';
import { defineRefusals, no } from '../../core/refusal.ts';

/** Accepted types, recognised by content. [G-52] */
export type FileMime = 'image/jpeg' | 'image/png' | 'application/pdf';

/** Largest picture, in bytes. [G-52] */
export const IMAGE_MAX_BYTES = 3 * 1_048_576;
/** Largest sum of the further files of one submission, in bytes. [G-52] */
export const FURTHER_FILES_MAX_BYTES = 20 * 1_048_576;

/** The contents as sent. An offloaded field or buffer is used up by the call. */
export type FileSource =
  /** `data:<mime>;base64,<base64>`; its mime counts as a claim. */
  | { readonly form: 'data-uri'; readonly text: string | OffloadedText }
  | { readonly form: 'base64'; readonly text: string | OffloadedText }
  | { readonly form: 'bytes'; readonly bytes: Buffer };

/** A file to inspect. */
export interface FileRequest {
  /** An image is a JPEG or PNG; a document may also be a PDF. */
  readonly kind: 'image' | 'document';
  readonly source: FileSource;
  /** Media types and extensions the sender claims; each must agree with the content. */
  readonly claims: readonly string[];
  /** Of the contents before anything is stripped. */
  readonly maxBytes: number;
}

/** Why a file is rejected; the key is the verdict's code. [G-52] */
export const fileRefusals = defineRefusals({
  FILE_NOT_BASE64: no(400, 'caller', 'G-52',
    'A file is not valid base64, or is not a data URI where one is required.'),
  FILE_EMPTY: no(400, 'caller', 'G-52', 'A file is empty.'),
  FILE_TOO_LARGE: no(400, 'caller', 'G-52', 'A file is larger than allowed.'),
  FILE_TYPE_UNKNOWN: no(400, 'caller', 'G-52', 'The type of a file is not accepted.'),
  FILE_TYPE_MISMATCH: no(400, 'caller', 'G-52',
    'The content of a file does not match its type or name.'),
  FILE_ENCRYPTED: no(400, 'caller', 'G-52', 'A PDF is password-protected.'),
  FILE_ACTIVE_CONTENT: no(400, 'caller', 'G-52',
    'A PDF contains scripts, active forms or embedded files.'),
  FILE_TOO_MANY_PIXELS: no(400, 'caller', 'G-52', 'An image has too many pixels.'),
  FILE_DAMAGED: no(400, 'caller', 'G-52', 'A file is damaged or has extra data at its end.'),
});
export type FileCode = keyof typeof fileRefusals;

/**
 * The verdict. The bytes are a rewritten copy without metadata or appended data. Serve a stored
 * file only as `Content-Disposition: attachment` with a name of ours, its `mime` from here,
 * `X-Content-Type-Options: nosniff` and `Content-Security-Policy: sandbox`; never inline, never
 * from a host whose cookies or scripts matter, never under the sender's name.
 */
export type FileVerdict =
  | {
      readonly ok: true;
      readonly mime: FileMime;
      readonly bytes: Buffer;
      /** Size of `bytes`. */
      readonly size: number;
    }
  | { readonly ok: false; readonly code: FileCode };

/** The file inspector and the body parser. */
export interface Files {
  /**
   * Inspects and strips one file in bounded time: past it the file is `FILE_DAMAGED`. Rejects only
   * when the process is stopping.
   */
  inspect(request: FileRequest): Promise<FileVerdict>;
}

/** A field cut out of a body. */
export interface TakenText {
  /** UTF-8; owns its memory. */
  readonly bytes: Buffer;
  /** UTF-16 units. */
  readonly length: number;
  /** As `OffloadedText.digest`. */
  readonly digest: string;
}

/** A large body without its long texts, or the strict reader's refusal. */
export type OffloadedBody =
  | {
      readonly ok: true;
      /** JSON of ordinary size; each offloaded field is the string `marker` + its number. */
      readonly rest: Buffer;
      /** Random, so that the body's author cannot guess it. */
      readonly marker: string;
      readonly texts: readonly TakenText[];
    }
  | Extract<JsonResult, { ok: false }>;

/**
 * Parses a large body off the main thread: the refusals of `readJson`, and `BODY_TOO_LARGE` if what
 * remains without the long texts exceeds an ordinary body. The segments are used up. Null if it ran
 * out of time.
 */
export type LiftBody = (segments: readonly Buffer[]) => Promise<OffloadedBody | null>;
