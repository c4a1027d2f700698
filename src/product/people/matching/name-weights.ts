// The weight of two names: part by part, each by its share in the population. Pure. [G-53]
import type { Features } from './features.ts';
import { joined, wholeName, wordsIn, type Population, type Value } from './population.ts';
import { isOneEdit, likeness } from './similarity.ts';
import { BY_CHANCE, bitsOf, SPELLINGS, SPELT, type NameErrors } from './weights.ts';

/** From the least to the most that two names can differ. */
const ORDER = [
  ...(['missing', 'same', 'spelt', 'initial', 'close', 'left', 'part', 'differs'] as const),
] as const;

/** How two names are alike as a whole; `left`: one lacks a part; `part`: another part differs. */
export type Alike = (typeof ORDER)[number];

/** Two names as weighed. */
export interface Weighed {
  /** That they are of one person. */
  readonly bits: number;
  /** Of the parts that agree alone, as relatives may have them in common. */
  readonly shared: number;
  readonly alike: Alike;
}

/** Surname and given names, middle names with the given ones; 0 bits where one is missing. */
export interface NameWeights {
  readonly surname: Weighed;
  readonly given: Weighed;
}

type Kind = 'forename' | 'surname';

interface Word {
  readonly text: string;
  /** False for a middle name, which many leave out or replace by its initial. */
  readonly main: boolean;
}

/** Given name and surname swapped: about one person in thirty. */
const TURNED = 5;
/** A middle name that only one of the two states, or parts that one writes together. */
const LEFT_OUT = 0.5;
/** Other middle names beside given names that agree. */
const OTHER_MIDDLE = 1;

function mains(text: string): Word[] {
  return wordsIn(text).map((word) => ({ text: word, main: true }));
}

function forenamesOf({ given, middle }: Features): Word[] {
  return [...mains(given), ...wordsIn(middle).map((text) => ({ text, main: false }))];
}

/** Two words as weighed; below 0 where they are no form of one name. */
interface Pair {
  readonly bits: number;
  readonly alike: Alike;
}

const UNLIKE: Pair = { bits: -1, alike: 'differs' };

function errorsOf(kind: Kind, { weights }: Population): NameErrors {
  return weights[kind];
}

function weighPair(kind: Kind, one: string, other: string, population: Population): Pair {
  const { share, seen } = population;
  const found = likeness(one, other);
  const isWord = one.length > 1 && other.length > 1;
  const isSlip = found === 'differs' && isWord && isOneEdit(one, other);
  const degree = isSlip ? 'slip' : found;
  const errors = errorsOf(kind, population);
  switch (degree) {
    case 'same': {
      const usual = Math.max(share(kind, one), share(kind, other));
      return { bits: Math.max(0, bitsOf(errors.same / usual)), alike: 'same' };
    }
    case 'form':
    case 'spelt': {
      // A stranger has a form of a name about as often as its forms are seen.
      const ofOne = degree === 'form' ? errors.form : SPELT;
      const bits = bitsOf(ofOne / (share(kind, one) + share(kind, other)));
      return { bits, alike: degree === 'form' ? 'same' : 'spelt' };
    }
    case 'close':
    case 'near':
    case 'slip': {
      const rarer = Math.min(seen(kind, one), seen(kind, other));
      const ofOne = errors[degree === 'near' ? 'near' : 'close'];
      const bits = bitsOf(ofOne / (BY_CHANCE.name[degree] + SPELLINGS[degree] * rarer));
      return { bits, alike: 'close' };
    }
    case 'initial':
      return { bits: bitsOf(errors.initial / BY_CHANCE.name.initial), alike: 'initial' };
    default:
      return UNLIKE;
  }
}

type Weigh = (one: string, other: string) => Pair;

const MISSING: Weighed = { bits: 0, shared: 0, alike: 'missing' };

function isMain(words: ReadonlySet<Word>): boolean {
  return [...words].some(({ main }) => main);
}

/** Pairs the words of two that are most alike, and weighs what is left over. */
function weighWords(
  mine: readonly Word[],
  theirs: readonly Word[],
  weigh: Weigh,
  errors: NameErrors,
): Weighed {
  if (mine.length === 0 || theirs.length === 0) return MISSING;
  const pairs = mine.flatMap((one) =>
    theirs.map((other) => {
      // Of equal pairs the order must not depend on which of the two came first.
      const rank = Number(one.main) + Number(other.main);
      const texts = [one.text, other.text].sort().join(' ');
      return { one, other, rank, texts, ...weigh(one.text, other.text) };
    }),
  );
  pairs.sort((a, b) => b.bits - a.bits || b.rank - a.rank || (a.texts < b.texts ? -1 : 1));
  const [left, right] = [new Set(mine), new Set(theirs)];
  let shared = 0;
  let most = 0;
  for (const { one, other, bits, alike } of pairs) {
    if (bits < 0 || !left.has(one) || !right.has(other)) continue;
    left.delete(one);
    right.delete(other);
    shared += bits;
    most = Math.max(most, ORDER.indexOf(alike));
  }
  if (left.size > 0 && right.size > 0 && (isMain(left) || isMain(right))) {
    const isPart = most > 0;
    const differs = bitsOf(isPart ? errors.part : errors.differs);
    return { bits: shared + differs, shared, alike: isPart ? 'part' : 'differs' };
  }
  const alike = ORDER[most] as Alike;
  if (left.size === 0 && right.size === 0) return { bits: shared, shared, alike };
  if (left.size > 0 && right.size > 0) return { bits: shared - OTHER_MIDDLE, shared, alike };
  if (!isMain(left.size > 0 ? left : right)) {
    return { bits: Math.max(0, shared - LEFT_OUT), shared, alike };
  }
  const lacks = bitsOf(errors.left / BY_CHANCE.name.left);
  return { bits: Math.max(0, shared + lacks), shared, alike: 'left' };
}

/** As `weighWords`, and as one word: some write parts together. The higher counts. */
function weighNames(
  mine: readonly Word[],
  theirs: readonly Word[],
  kinds: readonly Kind[],
  population: Population,
): Weighed {
  const weigh: Weigh = (one, other) =>
    kinds
      .map((kind) => weighPair(kind, one, other, population))
      .reduce((low, next) => (next.bits < low.bits ? next : low));
  const apart = weighWords(mine, theirs, weigh, errorsOf(kinds[0] as Kind, population));
  if (mine.length === theirs.length) return apart;
  const whole = (words: readonly Word[]): string =>
    words.flatMap(({ text, main }) => (main ? [text] : [])).join('');
  const [one, other] = [whole(mine), whole(theirs)];
  if (one === '' || other === '' || (one !== other && apart.bits > 0)) return apart;
  if (one !== other) {
    const { bits, alike } = weigh(one, other);
    return bits > LEFT_OUT ? { bits: bits - LEFT_OUT, shared: bits, alike } : apart;
  }
  const of = (words: readonly Word[]): number =>
    words.reduce((sum, { text, main }) => sum + (main ? weigh(text, text).bits : 0), 0);
  const bits = Math.min(of(mine), of(theirs));
  return bits > apart.bits ? { bits, shared: bits, alike: 'same' } : apart;
}

function asTheyStand(one: Features, other: Features, population: Population): NameWeights {
  return {
    surname: weighNames(mains(one.surname), mains(other.surname), ['surname'], population),
    given: weighNames(forenamesOf(one), forenamesOf(other), ['forename'], population),
  };
}

function swapped(one: Features, other: Features, population: Population): NameWeights {
  const kinds = ['forename', 'surname'] as const;
  const weigh = (mine: Word[], theirs: Word[]) => weighNames(mine, theirs, kinds, population);
  const surname = weigh(forenamesOf(one), mains(other.surname));
  return {
    surname: { ...surname, bits: surname.bits - TURNED },
    given: weigh(mains(one.surname), forenamesOf(other)),
  };
}

/** What parts of a name weigh more, apart, than the count of the whole allows. */
function excessOf(whole: Value, parts: readonly Value[], population: Population): number {
  const { same } = population.weights.forename;
  const seen = population.seen(...whole);
  if (seen === 0) return 0;
  const bits = parts.map((part) => Math.max(0, bitsOf(same / population.share(...part))));
  const all = bits.reduce((sum, of) => sum + of, 0);
  return Math.max(0, all - Math.max(bitsOf(same / seen), ...bits));
}

/** The excess of given names that agree, and of first given name and surname: the greater. */
function excessIn(one: Features, other: Features, population: Population): number {
  const [name, given] = [wholeName(one), wordsIn(one.given)];
  const parts = given.map((word): Value => ['forename', word]);
  const isGiven = parts.length > 1 && joined(one.given) === joined(other.given);
  const [first, [surname = '']] = [parts.slice(0, 1), wordsIn(one.surname)];
  return Math.max(
    isGiven ? excessOf(['forename', joined(one.given)], parts, population) : 0,
    name !== '' && name === wholeName(other)
      ? excessOf(['name', name], [...first, ['surname', surname]], population)
      : 0,
  );
}

/** True where a reading weighs more; of two that weigh as much, in an order of their own. */
function isBefore(one: NameWeights, other: NameWeights): boolean {
  const of = ({ surname, given }: NameWeights): number[] =>
    [surname.bits + given.bits, surname.bits, given.shared, ORDER.indexOf(given.alike)];
  const [mine, theirs] = [of(one), of(other)];
  const at = mine.findIndex((value, index) => value !== theirs[index]);
  return at >= 0 && (mine[at] as number) > (theirs[at] as number);
}

/** The weights of two persons' names, as they stand or swapped: the reading that weighs more. */
export function nameWeights(
  one: Features,
  other: Features,
  population: Population,
): NameWeights {
  const straight = asTheyStand(one, other, population);
  const isSame = straight.surname.alike === 'same' && straight.given.alike === 'same';
  const others = isSame
    ? []
    : [swapped(one, other, population), swapped(other, one, population)];
  const { surname, given } = others.reduce(
    (high, next) => (isBefore(next, high) ? next : high),
    straight,
  );
  const excess = Math.min(excessIn(one, other, population), excessIn(other, one, population));
  const { bits, shared, alike } = given;
  return { surname, given: { bits: bits - excess, shared: Math.max(0, shared - excess), alike } };
}
