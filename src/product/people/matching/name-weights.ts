// The weight of two names: part by part, each by its share in the population. Pure. [G-53]
import type { Features } from './features.ts';
import { wholeName, wordsIn, type Counted, type Population } from './population.ts';
import { likeness } from './similarity.ts';
import { BY_CHANCE, bitsOf, OF_ONE, SPELLINGS } from './weights.ts';

/** How the given names of two are alike. */
export type Alike = 'same' | 'spelt' | 'alike' | 'differs' | 'missing';

/** Bits of surname and given names, middle names with the given ones; 0 where one is missing. */
export interface NameWeights {
  readonly surname: number;
  readonly given: number;
  readonly alike: Alike;
}

type Kind = 'forename' | 'surname';

interface Word {
  readonly text: string;
  /** False for a middle name, which many leave out or replace by its initial. */
  readonly main: boolean;
}

/** Given name and surname swapped: about one person in thirty. */
const TURNED = 5;
/** A part that only one of the two states. */
const LEFT_OUT = 0.5;
/** Other middle names beside given names that agree. */
const OTHER_MIDDLE = 1;

function mains(text: string): Word[] {
  return wordsIn(text).map((word) => ({ text: word, main: true }));
}

function forenamesOf({ given, middle }: Features): Word[] {
  return [...mains(given), ...wordsIn(middle).map((text) => ({ text, main: false }))];
}

/** Bits of two words; null where they are no form of one name. */
function wordBits(kind: Kind, one: string, other: string, { share, seen }: Population): number {
  const degree = likeness(one, other);
  const ofOne = OF_ONE[kind];
  switch (degree) {
    case 'same':
      return Math.max(0, bitsOf(ofOne.same / Math.max(share(kind, one), share(kind, other))));
    case 'form':
    case 'spelt':
      // A stranger has a form of a name about as often as its forms are seen.
      return bitsOf(ofOne[degree] / (share(kind, one) + share(kind, other)));
    case 'close':
    case 'near': {
      const rarer = Math.min(seen(kind, one), seen(kind, other));
      return bitsOf(ofOne[degree] / (BY_CHANCE.name[degree] + SPELLINGS[degree] * rarer));
    }
    case 'initial':
      return bitsOf(ofOne.initial / BY_CHANCE.name.initial);
    default:
      return -1;
  }
}

/** Pairs the words of two that are most alike, and weighs what is left over. */
function weighWords(
  mine: readonly Word[],
  theirs: readonly Word[],
  weigh: (one: string, other: string) => number,
  differs: number,
): number {
  if (mine.length === 0 || theirs.length === 0) return 0;
  const pairs = mine.flatMap((one) =>
    theirs.map((other) => {
      // Of equal pairs the order must not depend on which of the two came first.
      const rank = Number(one.main) + Number(other.main);
      const texts = [one.text, other.text].sort().join(' ');
      return { one, other, rank, texts, bits: weigh(one.text, other.text) };
    }),
  );
  pairs.sort((a, b) => b.bits - a.bits || b.rank - a.rank || (a.texts < b.texts ? -1 : 1));
  const [left, right] = [new Set(mine), new Set(theirs)];
  let sum = 0;
  for (const { one, other, bits } of pairs) {
    if (bits < 0 || !left.has(one) || !right.has(other)) continue;
    left.delete(one);
    right.delete(other);
    sum += bits;
  }
  if (left.size === 0 && right.size === 0) return sum;
  if (left.size === 0 || right.size === 0) return Math.max(0, sum - LEFT_OUT);
  const isMain = (words: Set<Word>): boolean => [...words].some(({ main }) => main);
  return sum + (isMain(left) && isMain(right) ? differs : -OTHER_MIDDLE);
}

/** As `weighWords`, and as one word: some write parts together. The higher counts. */
function weighNames(
  mine: readonly Word[],
  theirs: readonly Word[],
  kinds: readonly Kind[],
  population: Population,
): number {
  const differs = bitsOf(OF_ONE[kinds[0] as Kind].differs);
  const weigh = (one: string, other: string): number =>
    Math.min(...kinds.map((kind) => wordBits(kind, one, other, population)));
  const apart = weighWords(mine, theirs, weigh, differs);
  if (mine.length === theirs.length) return apart;
  const whole = (words: readonly Word[]): string =>
    words.flatMap(({ text, main }) => (main ? [text] : [])).join('');
  const [one, other] = [whole(mine), whole(theirs)];
  if (one === '' || other === '' || (one !== other && apart > 0)) return apart;
  if (one !== other) {
    const alike = weigh(one, other) - LEFT_OUT;
    return alike > 0 ? alike : apart;
  }
  const of = (words: readonly Word[]): number =>
    words.reduce((sum, { text, main }) => sum + (main ? weigh(text, text) : 0), 0);
  return Math.max(apart, Math.min(of(mine), of(theirs)));
}

function asTheyStand(one: Features, other: Features, population: Population): NameWeights {
  const surname = weighNames(mains(one.surname), mains(other.surname), ['surname'], population);
  const given = weighNames(forenamesOf(one), forenamesOf(other), ['forename'], population);
  return { surname, given, alike: alikeOf(wordsIn(one.given), wordsIn(other.given), given) };
}

function swapped(one: Features, other: Features, population: Population): NameWeights {
  const kinds = ['forename', 'surname'] as const;
  const weigh = (mine: Word[], theirs: Word[]) => weighNames(mine, theirs, kinds, population);
  const given = weigh(mains(one.surname), forenamesOf(other));
  const surname = weigh(forenamesOf(one), mains(other.surname)) - TURNED;
  return { surname, given, alike: alikeOf(wordsIn(one.surname), wordsIn(other.given), given) };
}

function alikeOf(one: readonly string[], other: readonly string[], bits: number): Alike {
  if (one.length === 0 || other.length === 0) return 'missing';
  const degree = likeness(one.join(''), other.join(''));
  if (degree === 'same' || degree === 'form') return 'same';
  if (degree === 'spelt' || degree === 'initial') return 'spelt';
  return bits > 0 ? 'alike' : 'differs';
}

/** What first given name and surname weigh more, apart, than the count of their pair allows. */
function excessOf(one: Features, other: Features, population: Population): number {
  const whole = wholeName(one);
  if (whole === '' || whole !== wholeName(other)) return 0;
  const of = (kind: Counted, text: string): number => {
    const [first = ''] = wordsIn(text);
    return Math.max(0, bitsOf(OF_ONE.forename.same / population.share(kind, first)));
  };
  const [given, surname] = [of('forename', one.given), of('surname', one.surname)];
  const seen = population.seen('name', whole);
  if (seen === 0) return 0;
  const pair = bitsOf(OF_ONE.forename.same / seen);
  return Math.max(0, given + surname - Math.max(pair, given, surname));
}

function sum({ surname, given }: NameWeights): number {
  return surname + given;
}

/** True where a reading weighs more; of two that weigh as much, in an order of their own. */
function isBefore(one: NameWeights, other: NameWeights): boolean {
  const [more, surname] = [sum(one) - sum(other), one.surname - other.surname];
  return more > 0 || (more === 0 && (surname > 0 || (surname === 0 && one.alike < other.alike)));
}

/** The weights of two persons' names, as they stand or swapped: the reading that weighs more. */
export function nameWeights(
  one: Features,
  other: Features,
  population: Population,
): NameWeights {
  const best = [
    asTheyStand(one, other, population),
    swapped(one, other, population),
    swapped(other, one, population),
  ].reduce((high, next) => (isBefore(next, high) ? next : high));
  const excess = Math.min(excessOf(one, other, population), excessOf(other, one, population));
  return { ...best, given: best.given - excess };
}
