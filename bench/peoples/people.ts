// What a population of the bench is made of: names with their shares, customs, ages and places.
// A share is a number per thousand that holds for each name after it, up to the next number.

/** Names with shares, and how the rarer ones that are not listed are made. */
export interface NameList {
  /** `41 hernandez 29 garcia martinez`: of 1,000 people 41 have the first, 29 each other. */
  readonly listed: string;
  /** Syllables; a rarer name has one of each list. `-` is none. */
  readonly parts: readonly string[];
  /** How many rarer names there are; their shares fall by rank, and all sum to 1. */
  readonly rarer: number;
}

/** Given names of those born before `until`; the last of a list has none. */
export interface Era {
  readonly until?: number;
  readonly men: NameList;
  readonly women: NameList;
}

/** A second given name, where one is stated. */
export interface Second {
  /** How many people state one, and how many of those in one field with the first. */
  readonly share: number;
  readonly together: number;
  /** Who has a list of their own; without it the second comes from the given names. */
  readonly men?: NameList;
  readonly women?: NameList;
  /** Whether it comes before the given name. */
  readonly leads: boolean;
}

export interface Custom {
  /** Share of wives with the husband's surname. */
  readonly wifeTakes: number;
  /** Surnames of father and mother, as Spanish ones; otherwise the father's. */
  readonly bothParents: boolean;
  /** Share of sons with the father's given name. */
  readonly juniors: number;
  /** Share of siblings whose names share a word or syllable. */
  readonly siblingsAlike: number;
  /** Share of women with a surname that tells only that they are women, and those surnames. */
  readonly womens?: { readonly share: number; readonly list: NameList };
}

export interface Places {
  readonly city: string;
  readonly region: string;
  /** Postcodes of the city, from the first, that many apart. */
  readonly zips: { readonly first: number; readonly step: number; readonly count: number };
  readonly zipDigits: number;
  readonly streets: number;
  /** Names of streets that many towns have, the most frequent first. */
  readonly usual: string;
  readonly streetParts: readonly string[];
  /** `{n}` the number, `{s}` the name. */
  readonly line: string;
  readonly highest: number;
  readonly townParts: readonly string[];
  readonly towns: number;
  /** Second line: `{a}` up to 30, `{b}` up to 400, `{z}` a neighbourhood of the postcode. */
  readonly second: { readonly share: number; readonly text: string };
  /** Share of households in estates of which hundreds have one street and number. */
  readonly estates: number;
}

export interface People {
  readonly key: string;
  readonly country: string;
  readonly surnames: NameList;
  readonly eras: readonly Era[];
  readonly secondName: Second;
  readonly custom: Custom;
  /** Per thousand of those from 15 to 84 years of age, in steps of five years. */
  readonly ages: string;
  /** Share of those who state the first of January for want of a known day. */
  readonly newYear: number;
  /** `#` is a digit. */
  readonly phones: readonly string[];
  readonly places: Places;
}
