// How likely it is that two descriptions are of one person: match weights of the fields in bits,
// after Fellegi and Sunter, against the population that they are compared in. Who is not the same
// person may be a stranger, somebody of the household, a twin, or a parent or child of the same
// name: each of them is weighed. Pure and symmetric. [G-53]
import type { Features } from './features.ts';
import { nameWeights, type Alike, type NameWeights } from './name-weights.ts';
import { placeWeight } from './place-weights.ts';
import { FEW, USUAL, type Population } from './population.ts';
import { isOneEdit } from './similarity.ts';
import { BY_CHANCE, bitsOf, OF_ONE, STORED } from './weights.ts';

/** The score from which two applications are a match. */
export const MATCH_THRESHOLD = 0.95;
/** The score from which a person should compare the two. */
export const REVIEW_THRESHOLD = 0.5;

/** An unlikelihood that nothing outweighs. */
const NEVER = -20;
/** Of those who live together, bits for a surname and a telephone that they do not share. */
const OTHER_SURNAME = -2;
const OTHER_PHONE = -0.5;
/** What a telephone of a household weighs less than one of a person. */
const SHARED_PHONE = 0.6;
/** Twins of one whole name are as good as never, of two spellings seldom; of alike names, often. */
const TWIN_SAME = -15;
const TWIN_SPELT = -3;
const TWIN_ALIKE = -0.5;
const SIBLING_ALIKE = -3;
/** A parent is at least so many years older. */
const GENERATION = 15;

/** What each field adds, in bits. */
export interface MatchWeights {
  readonly surname: number;
  readonly given: number;
  readonly birth: number;
  readonly place: number;
  readonly phone: number;
  readonly tax: number;
  /** Below 0: somebody of their family or household may be stored, whom this fits as well. */
  readonly relatives: number;
  /** Below 0: how seldom one who applies is stored already, among so many. */
  readonly prior: number;
}

/** Swapped day and month are turned, two equal parts of three are near. */
function birthWeight(one: string, other: string, { share }: Population): number {
  const { same, turned, close, near, differs } = OF_ONE.birth;
  if (one === '' || other === '') return 0;
  const usual = Math.max(share('birth', one), share('birth', other));
  if (one === other) return Math.max(0, bitsOf(same / usual));
  const parts = (text: string) => [text.slice(0, 4), text.slice(4, 6), text.slice(6)] as const;
  const [year, month, day] = parts(one);
  const [theirYear, theirMonth, theirDay] = parts(other);
  if (year === theirYear && month === theirDay && day === theirMonth) return bitsOf(turned / usual);
  if (isOneEdit(one, other)) return bitsOf(close / BY_CHANCE.birth.close);
  const equal = [year === theirYear, month === theirMonth, day === theirDay].filter(Boolean).length;
  return equal === 2 ? bitsOf(near / BY_CHANCE.birth.near) : bitsOf(differs);
}

function numberWeight(
  kind: 'tax' | 'phone',
  one: string,
  other: string,
  { share }: Population,
): number {
  const ofOne = OF_ONE[kind];
  if (one === '' || other === '') return 0;
  const least = kind === 'phone' ? BY_CHANCE.phoneLeast : 0;
  if (one === other) return Math.max(0, bitsOf(ofOne.same / Math.max(least, share(kind, one))));
  const isClose = isOneEdit(one, other);
  return bitsOf(isClose ? ofOne.close / BY_CHANCE[kind].close : ofOne.differs);
}

type Fields = Omit<MatchWeights, 'relatives' | 'prior'>;

/** Bits of what those share who live together; siblings often have a part of their names alike. */
function household({ surname, given, place, phone }: Fields, alike: Alike): number {
  const family = surname < 0 ? OTHER_SURNAME : surname;
  const name = alike === 'alike' ? Math.max(0, given + SIBLING_ALIKE) : 0;
  const shared = phone > 0 ? Math.max(0, phone - SHARED_PHONE) : phone && OTHER_PHONE;
  return family + name + place + shared;
}

const TWIN_GIVEN: Readonly<Record<Alike, (given: number) => number>> = {
  same: (given) => given + TWIN_SAME,
  spelt: (given) => given + TWIN_SPELT,
  alike: (given) => given + TWIN_ALIKE,
  differs: () => 0,
  missing: (given) => (given > 0 ? given + TWIN_SAME : 0),
};

/** Bits of a twin: born on one day, in one household. */
function twin(fields: Fields, alike: Alike, isBorn: boolean): number {
  if (!isBorn) return NEVER;
  return household(fields, 'differs') + fields.birth + TWIN_GIVEN[alike](fields.given);
}

/** Bits of a parent or child of the same name, who may live elsewhere by now. */
function namesake(fields: Fields, alike: Alike, years: number): number {
  if (alike === 'differs' || fields.surname < 0 || years < GENERATION) return NEVER;
  const together = household({ ...fields, place: Math.max(0, fields.place) }, 'differs');
  return together + fields.given;
}

function yearsBetween(one: Features, other: Features): number {
  const years = [one, other].map(({ birth }) => Number(birth.slice(0, 4)));
  return one.birth === '' || other.birth === '' ? GENERATION : Math.abs(years[0]! - years[1]!);
}

/**
 * What each field adds to the weight that two descriptions are of one person, for `n` persons
 * stored. The sum is the logarithm, in bits, of the odds.
 */
export function weightsOf(
  one: Features,
  other: Features,
  population: Population = USUAL,
): MatchWeights {
  const names: NameWeights = nameWeights(one, other, population);
  const fields = {
    surname: names.surname,
    given: names.given,
    birth: birthWeight(one.birth, other.birth, population),
    place: placeWeight(one, other, population),
    phone: numberWeight('phone', one.phone, other.phone, population),
    tax: numberWeight('tax', one.tax, other.tax, population),
  };
  const among = population.size + FEW;
  const others = [
    (STORED.housemate / among) * 2 ** household(fields, names.alike),
    (STORED.twin / among) * 2 ** twin(fields, names.alike, one.birth === other.birth),
    (STORED.namesake / among) * 2 ** namesake(fields, names.alike, yearsBetween(one, other)),
  ];
  const relatives = -bitsOf(others.reduce((sum, odds) => sum + odds, 1));
  return { ...fields, relatives, prior: bitsOf(population.again / among) };
}

/** Bits of weight that two descriptions are of one person; below 0: rather of two. Symmetric. */
export function matchWeightOf(
  one: Features,
  other: Features,
  population: Population = USUAL,
): number {
  return Object.values(weightsOf(one, other, population)).reduce((sum, bits) => sum + bits, 0);
}

/** The highest score of a match that is not perfect. */
const NEARLY = 0.9999;

/** The score of a weight: 0 to 1 with four digits; 1 where all fields are equal. */
export function scoreFrom(weight: number, isPerfect: boolean): number {
  if (isPerfect && weight > 0) return 1;
  const odds = 2 ** weight;
  return Math.min(NEARLY, Math.round((odds / (1 + odds)) * 10_000) / 10_000);
}
