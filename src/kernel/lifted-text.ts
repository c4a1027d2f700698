// A long text of a heavy body, taken out of it before the body became a value: bytes that can be
// handed on without a copy, their length and their digest. Refuses to know what the text says.

/** Texts of a heavy body that are longer than this, in UTF-16 units, are lifted out of it. */
export const LIFTED_FROM = 4_096;

/** A lifted text. Stands in the value where the string stood. */
export class LiftedText {
  /** UTF-16 units, as the length of the string would be. */
  readonly length: number;
  /** `sha256:` and hexadecimal digits, over the UTF-8 bytes; stands for the text in hashes. */
  readonly digest: string;
  // Private, so that no printer and no copy of the value ever holds the bytes.
  #bytes: Buffer | null;

  /** `bytes` must own its memory, so that it can be moved to another thread. */
  constructor(bytes: Buffer, length: number, digest: string) {
    this.#bytes = bytes;
    this.length = length;
    this.digest = digest;
  }

  /** A short part of the text, from and to as `String.slice` takes them; ASCII is expected. */
  slice(from: number, to?: number): string {
    return this.#bytes?.subarray(from, to).toString('latin1') ?? '';
  }

  /** The text as UTF-8, once: who takes it may move it away. A second taking is a fault. */
  take(): Buffer {
    const bytes = this.#bytes;
    if (bytes === null) throw new Error('a lifted text was taken twice');
    this.#bytes = null;
    return bytes;
  }

  /** Never written as JSON: `{}` in its place would lose a file without a word. */
  toJSON(): never {
    throw new Error('a lifted text stands where only a file is read');
  }
}
