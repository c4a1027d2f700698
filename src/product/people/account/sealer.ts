// Seals with one person's key, so that erasing the person erases all that was sealed about them.
import { sealedPlace, type SEALED } from '../../../core/labels.ts';
import type { Random } from '../../../core/random.ts';
import { openBytes, sealBytes } from '../../../core/sealing.ts';

type Label = keyof typeof SEALED;
const NONCE_BYTES = 12;

/** Seals and opens with one person's key, for one request. Each blob is bound to its row. */
export class PersonSealer {
  readonly #key: Buffer;
  readonly #random: Random;
  readonly #lineage: number;

  /** `lineage`: of the workspace, so that a clone can open what was sealed in its original. */
  constructor(key: Buffer, random: Random, lineage: number) {
    this.#key = key;
    this.#random = random;
    this.#lineage = lineage;
  }

  sealBytes(label: Label, id: string, plain: Buffer): Buffer {
    const nonce = this.#random.bytes(NONCE_BYTES);
    return sealBytes(this.#key, nonce, plain, sealedPlace(label, this.#lineage, id));
  }

  /** Throws a fault for a changed blob, or one of another row. */
  openBytes(label: Label, id: string, sealed: Buffer): Buffer {
    return openBytes(this.#key, sealed, sealedPlace(label, this.#lineage, id));
  }

  /** Seals a text. */
  seal(label: Label, id: string, plain: string): string {
    return this.sealBytes(label, id, Buffer.from(plain, 'utf8')).toString('base64url');
  }

  /** Opens a text, as `openBytes` does. */
  open(label: Label, id: string, sealed: string): string {
    return this.openBytes(label, id, Buffer.from(sealed, 'base64url')).toString('utf8');
  }

  /** Seals a value as JSON. */
  sealJson(label: Label, id: string, plain: object): string {
    return this.seal(label, id, JSON.stringify(plain));
  }

  openJson<T>(label: Label, id: string, sealed: string): T {
    return JSON.parse(this.open(label, id, sealed)) as T;
  }
}
