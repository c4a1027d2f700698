// Generates invented persons by the million, with a realistic spread of names, households, missing
// fields, shared streets and typing mistakes. The same seed gives the same persons. Half of the
// frequent names are ones that the product's lists do not know.
import { COMMON_GIVEN, COMMON_SURNAMES } from '../src/product/people/matching/names-data.ts';
import type { Stated } from '../src/product/people/matching/features.ts';

/** A number from 0 to below 1; the seed fixes the sequence. */
export type Rng = () => number;

/** Mulberry32: small, fast, and good enough for names. */
export function rngOf(seed: number): Rng {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let word = Math.imul(state ^ (state >>> 15), state | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return ((word ^ (word >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** One of a list. */
export function pick<T>(rng: Rng, list: readonly T[]): T {
  return list[Math.floor(rng() * list.length)] as T;
}

const ONSETS = 'b br c ch d dr f g gr h j k kr l m n p ph r s sh st t th tr v w y z'.split(' ');
const VOWELS = 'a e i o u ai ea ee ie ou'.split(' ');
const CODAS = ['', '', '', 'n', 'r', 'l', 's', 'm', 'ck', 'th', 'nd', 'rt', 'ng', 'ss'];

function invented(rng: Rng, syllables: number): string {
  const one = (): string => pick(rng, ONSETS) + pick(rng, VOWELS) + pick(rng, CODAS);
  return Array.from({ length: syllables }, one).join('');
}

/** Draws from a list in which the n-th is as frequent as n to the power of -`steepness`. */
function zipf(list: readonly string[], steepness: number): (rng: Rng) => string {
  let sum = 0;
  const sums = Float64Array.from(list, (_, at) => (sum += (at + 1) ** -steepness));
  return (rng) => {
    const at = rng() * sum;
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
  const rng = rngOf(seed);
  const listed = [...known].values();
  return Array.from({ length: count }, (_, at) => {
    const listedName = at % 2 === 0 ? listed.next().value : undefined;
    return listedName ?? invented(rng, rng() < 0.3 ? 3 : 2);
  });
}

const GIVEN = zipf(names(COMMON_GIVEN, 2_000, 1), 0.8);
const SURNAME = zipf(names(COMMON_SURNAMES, 60_000, 2), 0.75);
const STREET = zipf(names([], 3_000, 3), 0.6);
const KINDS = ['street', 'road', 'avenue', 'lane', 'court', 'place', 'crescent', 'drive'];
const CITY = names([], 1_500, 4);
const AREA = zipf(Array.from({ length: 3_000 }, (_, at) => String(at)), 0.4);

function digits(rng: Rng, count: number): string {
  return Array.from({ length: count }, () => Math.floor(rng() * 10)).join('');
}

function birthDate(rng: Rng): string {
  const day = new Date(Date.UTC(1935, 0, 1) + Math.floor(rng() * 72 * 365.25) * 86_400_000);
  const text = day.toISOString().slice(0, 10);
  // Someone who does not know the day states the first of the year.
  return rng() < 0.02 ? `${text.slice(0, 4)}-01-01` : text;
}

/** That share of people leave a field out. */
function unless(rng: Rng, share: number, text: () => string): string {
  const value = text();
  return rng() < share ? '' : value;
}

function alone(rng: Rng): Stated {
  const area = Number(AREA(rng));
  return {
    ...{ first: GIVEN(rng), middle: unless(rng, 0.7, () => GIVEN(rng)), last: SURNAME(rng) },
    date_of_birth: unless(rng, 0.03, () => birthDate(rng)),
    street: `${1 + Math.floor(250 * rng() ** 2)} ${STREET(rng)} ${pick(rng, KINDS)}`,
    street2: unless(rng, 0.8, () => `unit ${1 + Math.floor(rng() * 40)}`),
    city: CITY[area >> 1] ?? '',
    region: `r${area % 8}`,
    zip: String(10_000 + area * 29),
    country: 'US',
    phone_number: unless(rng, 0.3, () => digits(rng, 10)),
    ssn_last4: unless(rng, 0.2, () => digits(rng, 4)),
  };
}

/** Another person of the same household. */
export function housemate(rng: Rng, person: Stated): Stated {
  const { first, middle, last, date_of_birth, phone_number, ssn_last4 } = alone(rng);
  const own = { first, middle, date_of_birth, ssn_last4 };
  const family = rng() < 0.8 ? person.last : last;
  const phone = pick(rng, [phone_number, person.phone_number]);
  return { ...person, ...own, last: family, phone_number: phone };
}

/** Endless persons: a third live with the one before. */
export function* strangers(seed: number): Generator<Stated, never> {
  const rng = rngOf(seed);
  let person = alone(rng);
  for (;;) {
    yield person;
    person = rng() < 1 / 3 ? housemate(rng, person) : alone(rng);
  }
}

function misspelt(rng: Rng, text: string): string {
  const at = Math.floor(rng() * text.length);
  return text.slice(0, at) + pick(rng, ['', 'e', 'x', '7']) + text.slice(at + 1);
}

type Field = keyof Stated;
const MISTAKEN: readonly Field[] = [
  ...(['first', 'last', 'date_of_birth', 'street', 'city', 'zip', 'ssn_last4'] as const),
];

/** The same person with one field wrong: misspelt, missing, or different. */
export function mistaken(rng: Rng, person: Stated): Stated {
  const field = pick(rng, MISTAKEN);
  const kind = rng();
  if (kind < 0.5) return { ...person, [field]: misspelt(rng, person[field]) };
  return { ...person, [field]: kind < 0.75 ? '' : alone(rng)[field] };
}
