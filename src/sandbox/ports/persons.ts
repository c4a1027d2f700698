// Test persons of the sandbox vendor, and later decisions about their checks. A production
// installation has no such port. All persons are invented.

/** One test person, for people. */
export interface TestPersonFact {
  readonly name: string;
  /** What to submit as the last name; everything else may be any valid value. */
  readonly last: string;
  /** One sentence: what the vendor does. */
  readonly story: string;
  /** One sentence: how the application must end. */
  readonly ends: string;
}

/** A later or repeated decision of the vendor, for a key that it knows. */
export const IDENTITY_EVENTS = ['accept', 'deny', 'review', 'ask'] as const;
export type IdentityEvent = (typeof IDENTITY_EVENTS)[number];

/** The sandbox's test persons. */
export interface SandboxPersons {
  /** In the order of the docs. */
  readonly persons: readonly TestPersonFact[];
  /**
   * Makes the vendor decide. `refused`: it does not know the key, or has already decided so. Null:
   * no answer.
   */
  happen(workspace: number, key: string, event: IdentityEvent): Promise<'done' | 'refused' | null>;
}
