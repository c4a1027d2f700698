// What of a person is compared, normalized so that spelling, accents, word order and usual
// abbreviations do not matter. Weights are in score.ts. [G-53]
import type { CheckedPerson } from '../../../providers/identity/port.ts';

/** What a person stated, as in an application. Absent texts are ''. */
export type Stated = Omit<CheckedPerson, 'phone_code' | 'document_type' | 'document_country'>;

/** Normalized fields; '' is missing. Names are words separated by blanks. */
export interface Features {
  readonly given: string;
  readonly middle: string;
  readonly surname: string;
  /** Eight digits, year first. */
  readonly birth: string;
  readonly house: string;
  readonly street: string;
  /** The second line of the address: a building, a village. */
  readonly place: string;
  readonly city: string;
  readonly zip: string;
  readonly region: string;
  readonly country: string;
  /** The last eight digits, so that trunk and country codes do not matter. */
  readonly phone: string;
  /** The last four digits of the tax number. */
  readonly tax: string;
}

/** The order in which features are stored; a new one goes to the end. */
const KEPT: readonly (keyof Features)[] = [
  ...(['given', 'middle', 'surname', 'birth', 'house', 'street', 'place'] as const),
  ...(['city', 'zip', 'region', 'country', 'phone', 'tax'] as const),
];

/** Features as the stored list of texts. */
export function featuresTo(features: Features): string[] {
  return KEPT.map((name) => features[name]);
}

/** Features from a stored list; what an older list lacks is missing. */
export function featuresFrom(texts: readonly string[]): Features {
  return Object.fromEntries(KEPT.map((name, at) => [name, texts[at] ?? ''])) as unknown as Features;
}

/** True where all fields are equal. */
export function isSame(one: Features, other: Features): boolean {
  return KEPT.every((name) => one[name] === other[name]);
}

const BIRTH_DIGITS = 8;
const PHONE_DIGITS = 8;

/** Letters that Unicode normalization does not take apart. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd' },
  ...{ þ: 'th', ł: 'l', ı: 'i', ħ: 'h' },
};
const ODD = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'gu');

/** Words for the kind of street, which people write in many ways or leave out. */
const KINDS = new Set(
  `street st road rd avenue ave av drive dr court ct place pl close cl crescent cres circuit cct
  lane ln way parade pde terrace tce highway hwy boulevard blvd square sq grove gr street
  circle cir loop trail strasse str weg platz rue calle via rua avenida gasse`.split(/\s+/),
);

/** Lower-case words without accents; apostrophes are dropped, other signs separate words. */
export function wordsOf(text: string): string[] {
  const plain = text.toLowerCase().normalize('NFKD').replaceAll(/\p{M}|['’`]/gu, '');
  const folded = plain.replaceAll(ODD, (letter) => LETTERS[letter] ?? letter);
  return folded.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
}

function digitsOf(text: string): string {
  return text.normalize('NFKD').replaceAll(/\D/g, '');
}

/** Normalizes what a person stated. */
export function featuresOf(stated: Stated): Features {
  const street = wordsOf(stated.street);
  const house = street.find((word) => /^\d/.test(word)) ?? '';
  const named = street.filter((word) => word !== house);
  const bare = named.filter((word) => !KINDS.has(word));
  return {
    given: wordsOf(stated.first).join(' '),
    middle: wordsOf(stated.middle).join(' '),
    surname: wordsOf(stated.last).join(' '),
    birth: digitsOf(stated.date_of_birth).slice(0, BIRTH_DIGITS),
    house,
    street: (bare.length > 0 ? bare : named).join(' '),
    place: wordsOf(stated.street2).join(' '),
    city: wordsOf(stated.city).join(' '),
    zip: wordsOf(stated.zip).join(''),
    region: wordsOf(stated.region).join(' '),
    country: stated.country.toLowerCase(),
    phone: digitsOf(stated.phone_number).slice(-PHONE_DIGITS),
    tax: digitsOf(stated.ssn_last4),
  };
}
