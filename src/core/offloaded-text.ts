// An offloaded field: a long text cut out of a large body before parsing, kept as bytes (which move
// between threads without a copy), length and digest.

/** Texts longer than this (UTF-16 units) are cut out of a large body. */
export const OFFLOADED_FROM = 4_096;

/** Stands in the value where the string stood. */
export class OffloadedText {
  /** UTF-16 units, as the string's length would be. */
  readonly length: number;
  /** `sha256:` and hexadecimal digits over the UTF-8 bytes; replaces the text in hashes. */
  readonly digest: string;
  // Private, so that no printer and no copy of the value holds the bytes.
  #bytes: Buffer | null;

  /** `bytes` must own its memory, so that it can be transferred to another thread. */
  constructor(bytes: Buffer, length: number, digest: string) {
    this.#bytes = bytes;
    this.length = length;
    this.digest = digest;
  }

  /** A short part of the text, bounds as in `String.slice`; the text must be ASCII there. */
  slice(from: number, to?: number): string {
    return this.#bytes?.subarray(from, to).toString('latin1') ?? '';
  }

  /** The UTF-8 bytes, once, because the taker may transfer them. A second call is a fault. */
  take(): Buffer {
    const bytes = this.#bytes;
    if (bytes === null) throw new Error('an offloaded text was taken twice');
    this.#bytes = null;
    return bytes;
  }

  /** Throws: `{}` in its place would lose a file silently. */
  toJSON(): never {
    throw new Error('an offloaded text stands where only a file is read');
  }
}
