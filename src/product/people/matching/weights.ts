// What is known of people before any is compared: how often two statements of one person agree in a
// field, how often strangers come close by chance, and what relatives have in common. How often is
// estimated, in weights-data.ts; what chance gives is set by hand.
/**
 * Of a name's words; `part`: another part agrees, this one does not; `left`: one of two leaves out
 * a part.
 */
export interface NameErrors {
  readonly same: number;
  readonly form: number;
  readonly close: number;
  readonly near: number;
  readonly initial: number;
  readonly part: number;
  readonly left: number;
  readonly differs: number;
}

interface NumberErrors {
  readonly same: number;
  readonly close: number;
  readonly differs: number;
}

/** What is estimated, all of it as shares of one, but how many relatives are stored. */
export interface Weights {
  /** How often a person's two statements are of each degree, where both state the field. */
  readonly surname: NameErrors;
  readonly forename: NameErrors;
  readonly birth: NumberErrors & { readonly turned: number; readonly near: number };
  readonly tax: NumberErrors;
  readonly phone: NumberErrors;
  /** All of the address that both state; a part differs where they moved or wrote it otherwise. */
  readonly place: { readonly same: number; readonly differs: number };
  /** The same of two who live together, and of twins. */
  readonly householdSurname: KinName;
  readonly householdGiven: KinName;
  readonly householdPhone: { readonly same: number; readonly differs: number };
  readonly twinGiven: KinName;
  /** How many of these are expected among those stored, for one who applies. */
  readonly stored: { readonly household: number; readonly twin: number; readonly namesake: number };
}

/** How often names of relatives are the same, a slip apart, alike in a part, or other names. */
export interface KinName {
  readonly same: number;
  readonly close: number;
  readonly part: number;
  readonly left: number;
  readonly differs: number;
}

/**
 * How often one who can spell a name otherwise, such as in another script, does: all of its parts
 * then differ together.
 */
export const SPELT = 0.25;

/** How often two strangers are of a degree, where names of the population do not say more. */
export const BY_CHANCE = {
  /** A slip: one edit of a short word, which often makes another name. */
  name: { close: 0.003, near: 0.01, initial: 0.005, slip: 0.03, left: 0.25 },
  birth: { close: 0.002, near: 0.006 },
  tax: { close: 0.004 },
  phone: { close: 0.002 },
  /** A postcode that is one slip apart, where its neighbourhood is not counted. */
  postcode: 0.005,
  /** A street of an area, a house of a street, a flat of a house, where their counts are absent. */
  street: 0.003,
  house: 0.03,
  building: 0.05,
  /** No telephone tells more: numbers are passed on, or stated by whoever helps many. */
  phoneLeast: 0.00001,
} as const;

/**
 * How many other spellings a name has that one slip leads to: where a name like
 * it is itself seen often, it is rather another name than a slip.
 */
export const SPELLINGS = { close: 50, near: 100, slip: 50 } as const;

/** Bits of odds: the binary logarithm, rounded so that sums do not depend on their order. */
export function bitsOf(odds: number): number {
  return Math.round(Math.log2(odds) * 1_024) / 1_024;
}
