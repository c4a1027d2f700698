// What a business stated and how its people are called, sealed with keys of persons, so that the
// erasure of a person takes it along. Refuses to know rows and requests. [G-54]
import type { Entropy } from '../../kernel/entropy.ts';
import { open, openBytes, seal, sealBytes } from '../../kernel/sealing.ts';

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

/** Seals and opens for one person's key. Each blob is bound to the row that it is for. */
export class Sealer {
  readonly #key: Buffer;
  readonly #entropy: Entropy;
  readonly #line: number;

  /** `line`: of the world, so that a copy of it opens what was sealed in it. */
  constructor(key: Buffer, entropy: Entropy, line: number) {
    this.#key = key;
    this.#entropy = entropy;
    this.#line = line;
  }

  #place(kind: Kind, id: string): string {
    return `${this.#line}/${kind}/${id}`;
  }

  seal(kind: Kind, id: string, plain: string): string {
    return seal(this.#key, this.#entropy.bytes(NONCE_BYTES), plain, this.#place(kind, id));
  }

  /** A changed blob, or one of another row, is a fault. */
  open(kind: Kind, id: string, sealed: string): string {
    return open(this.#key, sealed, this.#place(kind, id));
  }

  sealBytes(kind: Kind, id: string, plain: Buffer): Buffer {
    return sealBytes(this.#key, this.#entropy.bytes(NONCE_BYTES), plain, this.#place(kind, id));
  }

  openBytes(kind: Kind, id: string, sealed: Buffer): Buffer {
    return openBytes(this.#key, sealed, this.#place(kind, id));
  }
}
