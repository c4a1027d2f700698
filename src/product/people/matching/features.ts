// What of a person is compared, normalized so that spelling, accents, word order and usual
// abbreviations do not matter. Weights are in score.ts. [G-53]
import type { CheckedPerson } from '../../../providers/identity/port.ts';
import { latinDigits, latinWords } from './transliterate.ts';

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

/** Features from a stored list; what an older list lacks is missing, its scripts are read anew. */
export function featuresFrom(texts: readonly string[]): Features {
  const read = (text = ''): string =>
    /^[a-z0-9 ]*$/.test(text) ? text : latinWords(text).join(' ');
  const fields: Record<string, string> = {};
  for (const [at, name] of KEPT.entries()) fields[name] = read(texts[at]);
  return fields as unknown as Features;
}

/** True where all fields are equal. */
export function isSame(one: Features, other: Features): boolean {
  return KEPT.every((name) => one[name] === other[name]);
}

const BIRTH_DIGITS = 8;
const PHONE_DIGITS = 8;

/** Words for the kind of street, which people write in many ways or leave out. */
const KINDS = new Set(
  `street st road rd avenue ave av drive dr court ct place pl close cl crescent cres circuit cct
  lane ln way parade pde terrace tce highway hwy boulevard blvd square sq grove gr street
  circle cir loop trail strasse str weg platz rue calle via rua avenida gasse`.split(/\s+/),
);

/** Words before and after a name that are no part of it. */
const TITLES = new RegExp(
  '(?<![\\p{L}\\p{N}])(?:[mjs]r|m[rs]s?|dr|prof|sir|junior|senior|i{2,3}|iv|phd|esq|[23][nr]d)' +
    '(?![\\p{L}\\p{N}])',
  'giu',
);
/** Words of a name that are compared. */
const WORDS_MAX = 12;
/** Digits that stand for letters inside a word. */
const AS_LETTERS: Readonly<Record<string, string>> = { 0: 'o', 1: 'l', 3: 'e', 5: 's' };

/**
 * The words of a name without titles and Jr. or III. `beside` is the whole name, whose script
 * tells how a word is read that could be of two.
 */
export function namesIn(text: string, beside = text): string[] {
  const own = latinWords(text.replaceAll(TITLES, ' '), beside);
  const words = own.length > 0 ? own : latinWords(text, beside);
  return words.slice(0, WORDS_MAX).map((word) =>
    /^[a-z]+[0135][a-z]+$/.test(word)
      ? word.replace(/[0135]/, (digit) => AS_LETTERS[digit] ?? digit)
      : word,
  );
}

/** Normalizes what a person stated. */
export function featuresOf(stated: Stated): Features {
  const whole = `${stated.first} ${stated.middle} ${stated.last}`;
  const street = latinWords(stated.street);
  const house = street.find((word) => /^\d/.test(word)) ?? '';
  const named = street.filter((word) => word !== house);
  const bare = named.filter((word) => !KINDS.has(word));
  return {
    given: namesIn(stated.first, whole).join(' '),
    middle: namesIn(stated.middle, whole).join(' '),
    surname: namesIn(stated.last, whole).join(' '),
    birth: latinDigits(stated.date_of_birth).slice(0, BIRTH_DIGITS),
    house,
    street: (bare.length > 0 ? bare : named).join(' '),
    place: latinWords(stated.street2).join(' '),
    city: latinWords(stated.city).join(' '),
    zip: latinWords(stated.zip).join(''),
    region: latinWords(stated.region).join(' '),
    country: stated.country.toLowerCase(),
    phone: latinDigits(stated.phone_number).slice(-PHONE_DIGITS),
    tax: latinDigits(stated.ssn_last4),
  };
}
