// What a verification found: counted, and the first of it named. Bounded, whatever was done.
import type { ProofResult } from '../../ledger/index.ts';

const NAMED = 20;

/** Collects breaches of one law. */
export class Findings {
  readonly #named: string[] = [];
  #count = 0;

  /** Notes a breach: world, block and row, ids only. */
  add(what: string): void {
    this.#count += 1;
    if (this.#named.length < NAMED) this.#named.push(what);
  }

  get count(): number {
    return this.#count;
  }

  /** As the other laws are reported. */
  result(name: string, law: string): ProofResult {
    return { name, law, breaches: this.#count, examples: this.#named };
  }
}
