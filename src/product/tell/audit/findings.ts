// The breaches that a verification found: all counted, the first ones named, so that memory is
// bounded.
import type { ProofResult } from '../../../ledger/index.ts';

const NAMED = 20;

/** Collects breaches of one invariant. */
export class Findings {
  readonly #named: string[] = [];
  #count = 0;

  /** Adds a breach: workspace, block and row, ids only. */
  add(what: string): void {
    this.#count += 1;
    if (this.#named.length < NAMED) this.#named.push(what);
  }

  get count(): number {
    return this.#count;
  }

  /** In the form of the other invariants. */
  result(name: string, law: string): ProofResult {
    return { name, law, breaches: this.#count, examples: this.#named };
  }
}
