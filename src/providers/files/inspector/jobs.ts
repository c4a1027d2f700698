// Messages between the main thread and the worker. Everything in them must survive a structured
// clone; the bytes are transferred.
import type { JsonResult } from '../../../core/json.ts';
import type { FileCode, FileMime, FileRequest } from '../port.ts';

/** Bytes that own their memory. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** One file to inspect; a text may be given as UTF-8 bytes. */
export interface InspectJob {
  readonly task: 'inspect';
  readonly kind: FileRequest['kind'];
  readonly form: FileRequest['source']['form'];
  readonly content: string | Bytes;
  readonly claims: readonly string[];
  readonly maxBytes: number;
}

/** One large body to parse. */
export interface LiftJob {
  readonly task: 'lift';
  readonly segments: readonly Bytes[];
}

export type Job = InspectJob | LiftJob;

/** The verdict on a file. */
export type Inspected =
  | { readonly ok: true; readonly mime: FileMime; readonly bytes: Bytes }
  | { readonly ok: false; readonly code: FileCode };

/** What remains of a body, and its long texts. */
export type Offloaded =
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
