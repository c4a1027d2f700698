// What a business stated and the names of its persons, sealed with persons' keys, so that erasing a
// person erases these too. [G-54]
import type { Random } from '../../../core/random.ts';
import { open, openBytes, seal, sealBytes } from '../../../core/sealing.ts';

/** What a business states. Absent texts are ''. */
export interface Business {
  readonly entity_name: string;
  readonly user_email: string;
  readonly tax_id: string;
  readonly naics_numbers: string;
  readonly duns_numbers: string;
}

const NONCE_BYTES = 12;
type Kind = 'entity' | 'entity_agent' | 'entity_document' | 'entity_document_name';

/** Seals and opens with one person's key. Each blob is bound to its row. */
export class Sealer {
  readonly #key: Buffer;
  readonly #random: Random;
  readonly #line: number;

  /** `line`: of the workspace, so that a clone can open what was sealed in its original. */
  constructor(key: Buffer, random: Random, line: number) {
    this.#key = key;
    this.#random = random;
    this.#line = line;
  }

  #place(kind: Kind, id: string): string {
    return `${this.#line}/${kind}/${id}`;
  }

  seal(kind: Kind, id: string, plain: string): string {
    return seal(this.#key, this.#random.bytes(NONCE_BYTES), plain, this.#place(kind, id));
  }

  /** Throws a fault for a changed blob, or one of another row. */
  open(kind: Kind, id: string, sealed: string): string {
    return open(this.#key, sealed, this.#place(kind, id));
  }

  sealBytes(kind: Kind, id: string, plain: Buffer): Buffer {
    return sealBytes(this.#key, this.#random.bytes(NONCE_BYTES), plain, this.#place(kind, id));
  }

  openBytes(kind: Kind, id: string, sealed: Buffer): Buffer {
    return openBytes(this.#key, sealed, this.#place(kind, id));
  }
}
