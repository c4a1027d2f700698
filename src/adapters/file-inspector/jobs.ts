// What goes between the main thread and the worker; all of it survives a structured clone, and the
// bytes are moved. Knows nothing of how either side does its part.
import type { JsonResult } from '../../kernel/json.ts';
import type { FileCode, FileMime, FileWish } from '../../ports/files.ts';

/** Bytes alone in their memory. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** One file to look at; a text may be UTF-8 bytes. */
export interface InspectJob {
  readonly task: 'inspect';
  readonly kind: FileWish['kind'];
  readonly form: FileWish['source']['form'];
  readonly content: string | Bytes;
  readonly claims: readonly string[];
  readonly maxBytes: number;
}

/** One heavy body to read. */
export interface LiftJob {
  readonly task: 'lift';
  readonly segments: readonly Bytes[];
}

export type Job = InspectJob | LiftJob;

/** What was found in a file. */
export type Inspected =
  | { readonly ok: true; readonly mime: FileMime; readonly bytes: Bytes }
  | { readonly ok: false; readonly code: FileCode };

/** What is left of a body, and its long texts. */
export type Lifted =
  | {
      readonly ok: true;
      readonly rest: Bytes;
      readonly marker: string;
      readonly texts: readonly {
        readonly bytes: Bytes;
        readonly length: number;
        readonly digest: string;
      }[];
    }
  | Extract<JsonResult, { ok: false }>;
