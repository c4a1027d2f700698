// What a business stated and the names of its persons, sealed with persons' keys, so that erasing a
// person erases these too. [G-54]
import { sealedPlace, type Place } from '../../../core/labels.ts';
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
type Label = 'business' | 'agent' | 'businessDocument' | 'businessDocumentName';

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

  #place(label: Label, id: string): Place {
    return sealedPlace(label, this.#line, id);
  }

  seal(label: Label, id: string, plain: string): string {
    return seal(this.#key, this.#random.bytes(NONCE_BYTES), plain, this.#place(label, id));
  }

  /** Throws a fault for a changed blob, or one of another row. */
  open(label: Label, id: string, sealed: string): string {
    return open(this.#key, sealed, this.#place(label, id));
  }

  sealBytes(label: Label, id: string, plain: Buffer): Buffer {
    return sealBytes(this.#key, this.#random.bytes(NONCE_BYTES), plain, this.#place(label, id));
  }

  openBytes(label: Label, id: string, sealed: Buffer): Buffer {
    return openBytes(this.#key, sealed, this.#place(label, id));
  }
}
