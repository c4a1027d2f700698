// What the people of a tenant have in common: of each value, how many persons have it. Agreement on
// what many share says little. Counts are smoothed with what is usual, so that a tenant with few
// persons has sensible shares. Pure; how counts are stored is in counts.ts. [G-53]
import type { Features } from './features.ts';
import { SHIPPED } from './weights-data.ts';
import type { Weights } from './weights.ts';

/**
 * What is counted. For a value with a count of `n` among `size` persons the share is
 * (n + weight * share) / (size + weight): `share` is usual, `weight` how many persons it is worth.
 */
const COUNTED = {
  forename: { share: 0.003, weight: 300 },
  surname: { share: 0.002, weight: 500 },
  /** First forename with first surname. */
  name: { share: 0.00002, weight: 20_000 },
  /** A year of birth; a date is at first expected as often as others of its year. */
  year: { share: 0.015, weight: 200 },
  birth: { share: 0.00004, weight: 20_000 },
  town: { share: 0.02, weight: 100 },
  postcode: { share: 0.003, weight: 300 },
  /** A postcode without its last two characters: its neighbours. */
  postcodes: { share: 0.03, weight: 100 },
  street: { share: 0.002, weight: 500 },
  /** A street of a postcode or town. */
  lane: { share: 0.0005, weight: 2_000 },
  address: { share: 0.0001, weight: 10_000 },
  building: { share: 0.01, weight: 100 },
  region: { share: 0.1, weight: 50 },
  phone: { share: 0.00001, weight: 20_000 },
  tax: { share: 0.0001, weight: 20_000 },
} as const;

export type Counted = keyof typeof COUNTED;
/** A value of a kind, such as a town and its name. */
export type Value = readonly [kind: Counted, value: string];

const DAYS_OF_YEAR = 366;
/** Persons that count as stored where few are. */
export const FEW = 500;

/** A text without blanks. */
export function joined(text: string): string {
  return text.includes(' ') ? text.replaceAll(' ', '') : text;
}

/** The words of a text. */
export function wordsIn(text: string): string[] {
  return text === '' ? [] : text.split(' ');
}

/** The first of the given names and of the surnames, as one text; '' where one is missing. */
export function wholeName({ given, surname }: Features): string {
  const [first, last] = [wordsIn(given)[0], wordsIn(surname)[0]];
  return first === undefined || last === undefined ? '' : [first, last].sort().join(' ');
}

/** The street in its postcode, and in its town. */
export function lanesOf({ zip, city, street }: Features): string[] {
  if (street === '') return [];
  const areas = [zip, joined(city)].filter(Boolean);
  return areas.map((area) => `${area}|${joined(street)}`);
}

/** The house in its street, in its postcode and in its town. */
export function addressesOf(features: Features): string[] {
  const { house } = features;
  return house === '' ? [] : lanesOf(features).map((lane) => `${lane}|${house}`);
}

/** The postcode without its last two characters. */
export function postcodesOf({ zip }: Features): string {
  return zip.slice(0, -2);
}

/** The values of a person's names, by which two that differ are weighed too. */
export function namesOf({ given, middle, surname }: Features): Value[] {
  return [
    ...[...wordsIn(given), ...wordsIn(middle)].map((word): Value => ['forename', word]),
    ...wordsIn(surname).map((word): Value => ['surname', word]),
  ];
}

/** Everything that a person is counted under, each value once. */
export function valuesOf(features: Features): Value[] {
  const all: Value[] = [
    ...namesOf(features),
    ['forename', joined(features.given)],
    ['name', wholeName(features)],
    ['year', features.birth.slice(0, 4)],
    ['birth', features.birth],
    ['town', joined(features.city)],
    ['postcode', features.zip],
    ['postcodes', postcodesOf(features)],
    ['street', joined(features.street)],
    ...lanesOf(features).map((lane): Value => ['lane', lane]),
    ...addressesOf(features).map((address): Value => ['address', address]),
    ['building', joined(features.place)],
    ['region', joined(features.region)],
    ['phone', features.phone],
    ['tax', features.tax],
  ];
  const whole = all.filter(([, value]) => value !== '').map((one) => [textOf(one), one] as const);
  return [...new Map(whole).values()];
}

/** A value as the text that is hashed. */
export function textOf([kind, value]: Value): string {
  return `${kind}|${value}`;
}

/** Name, birth date and tax digits as one text; '' unless all are stated. */
export function personOf(features: Features): string {
  const parts = [wholeName(features), features.birth, features.tax];
  return parts.includes('') ? '' : parts.join('|');
}

/**
 * Who lives with whom: first surname with address, and that with the birth date, as texts; null
 * unless all are stated. Two persons alike in the first and not in the second are relatives.
 */
export function homeOf(features: Features): readonly [home: string, born: string] | null {
  const { surname, birth, place } = features;
  const [[family = ''], [address = '']] = [wordsIn(surname), addressesOf(features)];
  if (family === '' || birth === '' || address === '') return null;
  const home = [family, address, joined(place)].join('|');
  return [`home|${home}`, `born|${home}|${birth}`];
}

/** How many persons a tenant has, and how many pairs of them are alike. */
export interface Totals {
  readonly size: number;
  /** Pairs alike in all that matters. */
  readonly pairs?: number;
  /** Persons whose home is known, and pairs of relatives among them. */
  readonly homes?: number;
  readonly related?: number;
}

/** How many persons there are, and how many of them have a value. */
export interface Population {
  readonly size: number;
  /** How often one who applies is stored already, as far as is known. */
  readonly again: number;
  /** How many relatives of one who applies are stored. */
  readonly stored: Weights['stored'];
  /** How often people err, and what relatives have in common. */
  readonly weights: Weights;
  /** The share of persons with a value, smoothed; above 0. */
  share(kind: Counted, value: string): number;
  /** The share of persons who were seen with a value, one left out: the person compared. */
  seen(kind: Counted, value: string): number;
}

const AGAIN = { usual: 0.02, least: 0.01, weight: 2_000, seen: 0.5 } as const;

/** Of relatives who live together, those with one surname. */
const SAME_SURNAME = 0.7;

/** The share of persons who are stored twice, by the pairs that are alike in all that matters. */
function againOf({ size, pairs = 0 }: Totals): number {
  const { usual, least, weight, seen } = AGAIN;
  const share = (usual * weight + (2 * pairs) / seen) / (weight + size);
  return Math.min(0.5, Math.max(least, share));
}

/** Relatives as often as those stored have them: where families apply, so do twins and sons. */
function relativesOf({ homes = 0, related = 0 }: Totals, weights: Weights): Weights['stored'] {
  const { household, twin, namesake } = weights.stored;
  const seen = (2 * related) / SAME_SURNAME;
  const times = (household * FEW + seen) / (FEW + homes) / household;
  return { household: household * times, twin: twin * times, namesake: namesake * times };
}

/** A population of counted values. */
export function populationOf(
  totals: Totals,
  count: (kind: Counted, value: string) => number,
  weights: Weights = SHIPPED,
): Population {
  const { size } = totals;
  const share = (kind: Counted, value: string): number => {
    const usual = COUNTED[kind];
    const expected = kind === 'birth' && value.length > 4
      ? share('year', value.slice(0, 4)) / DAYS_OF_YEAR
      : usual.share;
    return (count(kind, value) + usual.weight * expected) / (size + usual.weight);
  };
  const seen = (kind: Counted, value: string): number =>
    Math.max(0, count(kind, value) - 1) / (size + FEW);
  const [again, stored] = [againOf(totals), relativesOf(totals, weights)];
  return { size, again, stored, weights, share, seen };
}

/** A million persons of whom only the usual is known. */
export const USUAL: Population = {
  size: 1_000_000,
  again: AGAIN.usual,
  stored: SHIPPED.stored,
  weights: SHIPPED,
  share: (kind) => COUNTED[kind].share,
  seen: () => 0,
};
