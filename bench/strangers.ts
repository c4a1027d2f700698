// Generates invented persons by the million, with a realistic spread of names, households, missing
// fields, shared streets and typing mistakes. The same seed gives the same persons. Half of the
// frequent names are ones that the product's lists do not know.
import { COMMON_GIVEN, COMMON_SURNAMES } from '../src/product/people/matching/names-data.ts';
import type { Stated } from '../src/product/people/matching/features.ts';

/** A number from 0 to below 1; the seed fixes the sequence. */
export type Dice = () => number;

/** Mulberry32: small, fast, and good enough for names. */
export function diceOf(seed: number): Dice {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let word = Math.imul(state ^ (state >>> 15), state | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return ((word ^ (word >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** One of a list. */
export function pick<T>(dice: Dice, list: readonly T[]): T {
  return list[Math.floor(dice() * list.length)] as T;
}

const ONSETS = 'b br c ch d dr f g gr h j k kr l m n p ph r s sh st t th tr v w y z'.split(' ');
const VOWELS = 'a e i o u ai ea ee ie ou'.split(' ');
const CODAS = ['', '', '', 'n', 'r', 'l', 's', 'm', 'ck', 'th', 'nd', 'rt', 'ng', 'ss'];

function invented(dice: Dice, syllables: number): string {
  const one = (): string => pick(dice, ONSETS) + pick(dice, VOWELS) + pick(dice, CODAS);
  return Array.from({ length: syllables }, one).join('');
}

/** Draws from a list in which the n-th is as frequent as n to the power of -`steepness`. */
function zipf(list: readonly string[], steepness: number): (dice: Dice) => string {
  let sum = 0;
  const sums = Float64Array.from(list, (_, at) => (sum += (at + 1) ** -steepness));
  return (dice) => {
    const at = dice() * sum;
    let [low, high] = [0, list.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] as number) < at) low = middle + 1;
      else high = middle;
    }
    return list[low] as string;
  };
}

/** Names in order of frequency; every other frequent one comes from a list. */
function names(known: Iterable<string>, count: number, seed: number): string[] {
  const dice = diceOf(seed);
  const listed = [...known].values();
  return Array.from({ length: count }, (_, at) => {
    const listedName = at % 2 === 0 ? listed.next().value : undefined;
    return listedName ?? invented(dice, dice() < 0.3 ? 3 : 2);
  });
}

const GIVEN = zipf(names(COMMON_GIVEN, 2_000, 1), 0.8);
const SURNAME = zipf(names(COMMON_SURNAMES, 60_000, 2), 0.75);
const STREET = zipf(names([], 3_000, 3), 0.6);
const KINDS = ['street', 'road', 'avenue', 'lane', 'court', 'place', 'crescent', 'drive'];
const CITY = names([], 1_500, 4);
const AREA = zipf(Array.from({ length: 3_000 }, (_, at) => String(at)), 0.4);

function digits(dice: Dice, count: number): string {
  return Array.from({ length: count }, () => Math.floor(dice() * 10)).join('');
}

function birthDate(dice: Dice): string {
  const day = new Date(Date.UTC(1935, 0, 1) + Math.floor(dice() * 72 * 365.25) * 86_400_000);
  const text = day.toISOString().slice(0, 10);
  // Someone who does not know the day states the first of the year.
  return dice() < 0.02 ? `${text.slice(0, 4)}-01-01` : text;
}

/** That share of people leave a field out. */
function unless(dice: Dice, share: number, text: () => string): string {
  const value = text();
  return dice() < share ? '' : value;
}

function alone(dice: Dice): Stated {
  const area = Number(AREA(dice));
  return {
    ...{ first: GIVEN(dice), middle: unless(dice, 0.7, () => GIVEN(dice)), last: SURNAME(dice) },
    date_of_birth: unless(dice, 0.03, () => birthDate(dice)),
    street: `${1 + Math.floor(250 * dice() ** 2)} ${STREET(dice)} ${pick(dice, KINDS)}`,
    street2: unless(dice, 0.8, () => `unit ${1 + Math.floor(dice() * 40)}`),
    city: CITY[area >> 1] ?? '',
    region: `r${area % 8}`,
    zip: String(10_000 + area * 29),
    country: 'US',
    phone_number: unless(dice, 0.3, () => digits(dice, 10)),
    ssn_last4: unless(dice, 0.2, () => digits(dice, 4)),
  };
}

/** Another person of the same household. */
export function housemate(dice: Dice, person: Stated): Stated {
  const { first, middle, last, date_of_birth, phone_number, ssn_last4 } = alone(dice);
  const own = { first, middle, date_of_birth, ssn_last4 };
  const family = dice() < 0.8 ? person.last : last;
  const phone = pick(dice, [phone_number, person.phone_number]);
  return { ...person, ...own, last: family, phone_number: phone };
}

/** Endless persons: a third live with the one before. */
export function* strangers(seed: number): Generator<Stated, never> {
  const dice = diceOf(seed);
  let person = alone(dice);
  for (;;) {
    yield person;
    person = dice() < 1 / 3 ? housemate(dice, person) : alone(dice);
  }
}

function misspelt(dice: Dice, text: string): string {
  const at = Math.floor(dice() * text.length);
  return text.slice(0, at) + pick(dice, ['', 'e', 'x', '7']) + text.slice(at + 1);
}

type Field = keyof Stated;
const MISTAKEN: readonly Field[] = [
  ...(['first', 'last', 'date_of_birth', 'street', 'city', 'zip', 'ssn_last4'] as const),
];

/** The same person with one field wrong: misspelt, missing, or different. */
export function mistaken(dice: Dice, person: Stated): Stated {
  const field = pick(dice, MISTAKEN);
  const kind = dice();
  if (kind < 0.5) return { ...person, [field]: misspelt(dice, person[field]) };
  return { ...person, [field]: kind < 0.75 ? '' : alone(dice)[field] };
}
