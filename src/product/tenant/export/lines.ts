// What an export of a tenant's books is made of: one JSON array for each line, whose first word
// tells which. Amounts and numbers are texts, so that no reader rounds them. Ids, states and
// amounts only: no personal data, no secret. [G-99]
import { createHash } from 'node:crypto';

/** The format; a change that an old reader would misread is another number. */
export const FORMAT = 'holdfast export 1';

/** A system account or a tracked one: id, kind, currency. */
export type AccountLine = readonly ['account', string, string, string];
/** Account, currency, amount, number in the account's chain and balance after it, or ''. */
export type Entry = readonly [string, string, string, string, string];
/** Resource, version, machine, from, event, to, time; its ledger entries. */
export type StepLine = readonly [
  'step', string, string, string, string, string, string, string, readonly Entry[],
];
/** An account with a running balance: id, kind, currency, balance, number of entries. */
export type BalanceLine = readonly ['balance', string, string, string, string, string];
/** An entry of the account before it: resource, version, amount, number and balance after it. */
export type ChainLine = readonly ['chain', string, string, string, string, string];
/** A block of the audit: its fields, then the texts of its rows. */
export type BlockLine = readonly ['block', readonly string[], readonly (string | null)[]];

/** What two lists of entries must agree in: a hash that does not depend on their order. */
export class EntrySum {
  #sum = 0n;
  #count = 0n;

  /** Adds an entry of an account with a running balance. */
  add(account: string, resource: string, version: string, rest: readonly string[]): void {
    const text = JSON.stringify([account, resource, version, ...rest]);
    const hash = createHash('sha256').update(text).digest('hex');
    this.#sum = (this.#sum + BigInt(`0x${hash}`)) % 2n ** 256n;
    this.#count += 1n;
  }

  equals(other: EntrySum): boolean {
    return this.#sum === other.#sum && this.#count === other.#count;
  }
}

/** The bytes that are signed at the end. */
export function exportBytes(integrator: string, digest: string): Buffer {
  return Buffer.from([FORMAT, integrator, digest].join('\n'));
}
