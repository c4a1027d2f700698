// Test persons, and what the outside world does to their checks, where a sandbox vendor is behind
// the installation; a production installation has no such port. Knows no real person.

/** One test person, for people. */
export interface TestPersonFact {
  readonly name: string;
  /** What to submit as the last name; everything else may be anything that is valid. */
  readonly last: string;
  /** One sentence: what the vendor does. */
  readonly story: string;
  /** One sentence: how the application must end. */
  readonly ends: string;
}

/** What the vendor decides later, or anew, under a key that its book knows. */
export const IDENTITY_EVENTS = ['accept', 'deny', 'review', 'ask'] as const;
export type IdentityEvent = (typeof IDENTITY_EVENTS)[number];

/** The sandbox's persons. */
export interface SandboxPersons {
  /** In the order of the docs. */
  readonly persons: readonly TestPersonFact[];
  /**
   * Makes the vendor decide. `refused`: the book does not know the key, or it is decided so
   * already. Null: no answer.
   */
  happen(world: number, key: string, event: IdentityEvent): Promise<'done' | 'refused' | null>;
}
