// What is known of people before any is compared: how often two statements of one person agree in a
// field, how often strangers come close by chance, and how often somebody's relatives are stored.
// Set by hand, with the figures of invented populations and of public data sets in sight.

/**
 * How often one who can spell a name otherwise, such as in another script, does: all of its parts
 * then differ together.
 */
const SPELT = 0.25;

/** How often a person's two statements are of each degree, where both state the field. */
export const OF_ONE = {
  surname: {
    ...{ same: 0.88, form: 0.02, close: 0.05, near: 0.015, initial: 0.005, differs: 0.04 },
    spelt: SPELT,
  },
  forename: {
    ...{ same: 0.8, form: 0.05, close: 0.06, near: 0.02, initial: 0.03, differs: 0.04 },
    spelt: SPELT,
  },
  birth: { same: 0.93, turned: 0.01, close: 0.03, near: 0.01, differs: 0.02 },
  tax: { same: 0.93, close: 0.03, differs: 0.04 },
  phone: { same: 0.6, close: 0.03, differs: 0.37 },
  /** All of the address that both state; a part differs where they moved or wrote it otherwise. */
  place: { same: 0.7, differs: 0.15 },
} as const;

/** How often two strangers are of a degree, where names of the population do not say more. */
export const BY_CHANCE = {
  name: { close: 0.003, near: 0.01, initial: 0.005 },
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
export const SPELLINGS = { close: 50, near: 100 } as const;

/** How many of these are expected among those stored, for one who applies. */
export const STORED = {
  housemate: 0.05,
  twin: 0.0004,
  /** A parent or child of the same name. */
  namesake: 0.00006,
} as const;

/** Bits of odds: the binary logarithm, rounded so that sums do not depend on their order. */
export function bitsOf(odds: number): number {
  return Math.round(Math.log2(odds) * 1_024) / 1_024;
}
