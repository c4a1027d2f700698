// How the parsers reject a file, and a helper for memory that moves between threads.
import type { FileCode } from '../port.ts';

/** Thrown by a parser; becomes a verdict. Not an Error: nothing failed on our side. */
export class RejectedFile {
  readonly code: FileCode;

  constructor(code: FileCode) {
    this.code = code;
  }
}

/** The rejection of a file that breaks its format. */
export function damaged(): RejectedFile {
  return new RejectedFile('FILE_DAMAGED');
}

/** The same bytes in memory of their own; copied only if they share it. */
export function owned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = bytes.byteLength === bytes.buffer.byteLength && bytes.buffer instanceof ArrayBuffer;
  return whole ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes);
}
