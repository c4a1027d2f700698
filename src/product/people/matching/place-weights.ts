// The weight of two addresses. Town, postcode, street and house lie in each other, so all that
// agrees weighs as much as the smallest place of it, by how many live there; and who has moved
// differs in all of them at once. Pure. [G-53]
import type { Features } from './features.ts';
import { addressesOf, joined, lanesOf, postcodesOf, type Population } from './population.ts';
import { isOneEdit, likeness, type Degree } from './similarity.ts';
import { BY_CHANCE, bitsOf } from './weights.ts';

/** Bits of a text that is misspelt, or somewhat alike, in place of the one that agrees. */
const ALIKE: Readonly<Partial<Record<Degree, number>>> = { form: 3, close: 3, near: 1 };
const OTHER_HOUSE = -1.5;
const OTHER_STREET = -2.5;
const OTHER_POSTCODE = -1.5;
const NEAR_POSTCODE = -0.5;
/** How often one person's postcodes are one slip apart. */
const CLOSE_POSTCODE = 0.05;
const OTHER_BUILDING = -1.5;
const OTHER_COUNTRY = -3;
/** Neighbouring postcodes weigh no more than this. */
const NEIGHBOURS_MAX = 3;
const TURNED = 2;
/** So many letters at the beginning make a text close, such as a kind of street written with it. */
const BEGINS = 4;

/** Compares texts of several words: one shared word that is half of the shorter text is close. */
export function textLikeness(one: string, other: string): Degree {
  if (one === other) return one === '' ? 'missing' : 'same';
  const whole = likeness(joined(one), joined(other));
  if (whole !== 'differs' && whole !== 'near' && whole !== 'initial') return whole;
  const words = other.split(' ');
  const [short, long] = [joined(one), joined(other)].sort((a, b) => a.length - b.length);
  // Less of it is a word for the kind of place, such as the gil of Korean streets.
  const least = Math.max(3, short!.length / 2);
  const shared = one.split(' ').some((word) => word.length >= least && words.includes(word));
  const begins = short!.length >= BEGINS && long!.startsWith(short!);
  return shared || begins ? 'close' : whole;
}

function common(mine: readonly string[], theirs: readonly string[]): string[] {
  return mine.filter((one) => theirs.includes(one));
}

/** The smallest place that agrees, as the share of those who live there; 1: none does. */
function smallestOf(
  one: Features,
  other: Features,
  { town, street, isNear }: Degrees,
  { share }: Population,
): number {
  let smallest = 1;
  const within = (part: number): void => {
    smallest = Math.min(part, smallest);
  };
  if (joined(one.region) === joined(other.region) && one.region !== '') {
    within(share('region', joined(one.region)));
  }
  if (town === 'same') within(share('town', joined(one.city)));
  if (one.zip !== '' && one.zip === other.zip) within(share('postcode', one.zip));
  if (street === 'same') {
    if (isNear) within(smallest * BY_CHANCE.street);
    within(share('street', joined(one.street)));
    for (const lane of common(lanesOf(one), lanesOf(other))) within(share('lane', lane));
  }
  if (one.house !== '' && one.house === other.house && isNear && street !== 'differs') {
    const addresses = common(addressesOf(one), addressesOf(other));
    if (addresses.length === 0) within(smallest * BY_CHANCE.house);
    for (const address of addresses) within(share('address', address));
  }
  if (textLikeness(one.place, other.place) === 'same') {
    const part = share('building', joined(one.place));
    if (isNear) within(smallest * Math.max(part, BY_CHANCE.building));
    within(part);
  }
  return smallest;
}

interface Degrees {
  readonly town: Degree;
  readonly street: Degree;
  /** Town or postcode agrees. */
  readonly isNear: boolean;
}

/** The strongest sign that two live apart: whoever moved differs in many parts at once. */
function apart(
  one: Features,
  other: Features,
  { town, street, isNear }: Degrees,
  { weights }: Population,
): number {
  const differ = (mine: string, theirs: string): boolean =>
    mine !== '' && theirs !== '' && mine !== theirs;
  const otherZip = differ(one.zip, other.zip);
  const signs = [
    otherZip ? (isOneEdit(one.zip, other.zip) ? NEAR_POSTCODE : OTHER_POSTCODE) : 0,
    town === 'differs' && !isNear ? bitsOf(weights.place.differs) : 0,
    street === 'differs' ? OTHER_STREET : 0,
    street !== 'differs' && differ(one.house, other.house) ? OTHER_HOUSE : 0,
  ];
  const building = textLikeness(one.place, other.place) === 'differs' ? OTHER_BUILDING : 0;
  const country = differ(one.country, other.country) ? OTHER_COUNTRY : 0;
  return Math.min(...signs) + building + country;
}

/** Bits of two addresses; above 0 where a place agrees that few share. */
function straight(one: Features, other: Features, population: Population): number {
  const town = textLikeness(one.city, other.city);
  const isNear = town === 'same' || (one.zip !== '' && one.zip === other.zip);
  const degrees = { town, isNear, street: textLikeness(one.street, other.street) };
  const { same } = population.weights.place;
  const smallest = bitsOf(same / smallestOf(one, other, degrees, population));
  const area = Math.max(0, smallest, ALIKE[town] ?? 0, neighbours(one, other, population));
  const street = isNear ? (ALIKE[degrees.street] ?? 0) : 0;
  return area + street + apart(one, other, degrees, population);
}

function neighbours(one: Features, other: Features, { share }: Population): number {
  if (one.zip === other.zip || !isOneEdit(one.zip, other.zip)) return 0;
  const near = postcodesOf(one) === postcodesOf(other) ? share('postcodes', postcodesOf(one)) : 0;
  return Math.min(NEIGHBOURS_MAX, bitsOf(CLOSE_POSTCODE / Math.max(near, BY_CHANCE.postcode)));
}

function turned({ street, place, ...rest }: Features): Features {
  return { ...rest, street: place, place: street };
}

/** The weight of two addresses, also with street and second line swapped; symmetric. */
export function placeWeight(one: Features, other: Features, population: Population): number {
  const asTheyStand = straight(one, other, population);
  if (one.place === '' && other.place === '') return asTheyStand;
  return Math.max(
    asTheyStand,
    straight(one, turned(other), population) - TURNED,
    straight(turned(one), other, population) - TURNED,
  );
}
