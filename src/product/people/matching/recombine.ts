// Persons put together from stored ones: strangers who do not exist, and those stored, stated again
// with the usual mistakes. By looking them up a tenant's false alarms and misses are estimated;
// nothing of them is kept. Pure. [G-53]
import type { Features } from './features.ts';
import { leadingForm } from './names-data.ts';
import { lanesOf, wholeName, wordsIn, type Population } from './population.ts';
import type { Weights } from './weights.ts';

/** A number from 0 to below 1. */
export type Chance = () => number;

/** So many different persons make one who does not exist. */
export const PERSONS_OF_ONE = 8;
const YEAR = 4;
const DATE = 8;
/** Of numbers: the digits that come from one person, the rest from another. */
const PHONE_HEAD = 4;
const TAX_HEAD = 2;

function below(chance: Chance, count: number): number {
  return Math.min(count - 1, Math.floor(chance() * count));
}

function pick<T>(chance: Chance, list: readonly T[]): T {
  return list[below(chance, list.length)] as T;
}

/** Some of a list, each once. */
function some<T>(chance: Chance, list: readonly T[], count: number): T[] {
  const left = [...list];
  return Array.from({ length: count }, () => left.splice(below(chance, left.length), 1)[0] as T);
}

/** A number of two persons' digits; '' where the first states none, or nobody else does. */
function mixed(one: string, others: readonly string[], head: number, chance: Chance): string {
  const stated = others.filter((other) => other !== '' && other !== one);
  if (one === '' || stated.length === 0) return '';
  return one.slice(0, head) + pick(chance, stated).slice(head);
}

/**
 * A stranger of the population of `persons`, of whom there are at least `PERSONS_OF_ONE`. Whole
 * names and streets that several persons have come whole, as in the population; all else is of
 * different persons.
 */
export function strangerOf(
  persons: readonly Features[],
  { seen }: Pick<Population, 'seen'>,
  chance: Chance,
): Features {
  const drawn = some(chance, persons, PERSONS_OF_ONE);
  const [named, other, year, day, home, door, called, taxed] = drawn as [
    ...[Features, Features, Features, Features],
    ...[Features, Features, Features, Features],
  ];
  const { given, middle } = seen('name', wholeName(named)) > 0 ? named : other;
  const isLane = lanesOf(home).some((lane) => seen('lane', lane) > 0);
  const isBorn = year.birth.length === DATE && day.birth.length === DATE;
  const { city, zip, region, country } = home;
  return {
    ...{ given, middle, surname: named.surname, city, zip, region, country },
    birth: isBorn ? year.birth.slice(0, YEAR) + day.birth.slice(YEAR) : '',
    street: isLane ? home.street : door.street,
    house: door.house,
    place: door.place,
    phone: mixed(called.phone, persons.map(({ phone }) => phone), PHONE_HEAD, chance),
    tax: mixed(taxed.tax, persons.map(({ tax }) => tax), TAX_HEAD, chance),
  };
}

/** How one person's two statements of a field differ. */
const DEGREES = [
  ...(['same', 'turned', 'form', 'close', 'near', 'initial', 'part', 'left', 'differs'] as const),
] as const;
type Degree = (typeof DEGREES)[number];
/** How often they are of each degree; those without a number never. */
type Rates = Readonly<Partial<Record<Degree, number>>>;

/** A degree, as often as the rates say. */
function degree(chance: Chance, rates: Rates): Degree {
  const all = DEGREES.filter((name) => rates[name] !== undefined);
  let left = chance() * all.reduce((sum, name) => sum + (rates[name] ?? 0), 0);
  const found = all.find((name) => {
    left -= rates[name] ?? 0;
    return left < 0;
  });
  return found ?? 'differs';
}

const LETTERS = [...'aeinorst'];

/** One slip: a letter or digit replaced, or a letter left out or doubled. */
function slip(chance: Chance, text: string): string {
  if (text === '') return text;
  const at = below(chance, text.length);
  const was = text[at] as string;
  const isDigit = /\d/.test(was);
  const other = isDigit ? String((Number(was) + 1 + below(chance, 9)) % 10)
    : pick(chance, LETTERS.filter((letter) => letter !== was));
  const put = isDigit ? other : pick(chance, [other, '', was + was]);
  return text.slice(0, at) + put + text.slice(at + 1);
}

/** The words of a name with the mistakes of one who states it again. */
function renamed(text: string, others: string, rates: Rates, chance: Chance): string {
  const again = wordsIn(text).map((word, _at, { length }) => {
    const form = leadingForm(word);
    switch (degree(chance, rates)) {
      case 'same':
        return word;
      case 'form':
        return form === word ? slip(chance, word) : form;
      case 'close':
        return slip(chance, word);
      case 'near':
        return slip(chance, slip(chance, word));
      case 'initial':
        return word.slice(0, 1);
      case 'left':
        return length > 1 ? '' : word;
      default:
        return wordsIn(others)[0] ?? word;
    }
  });
  return again.filter(Boolean).join(' ');
}

function bornAgain(birth: string, other: string, rates: Rates, chance: Chance): string {
  const [year, month, day] = [birth.slice(0, YEAR), birth.slice(YEAR, 6), birth.slice(6)];
  switch (birth.length === DATE ? degree(chance, rates) : 'same') {
    case 'same':
      return birth;
    case 'turned':
      return Number(day) <= 12 && day !== month ? year + day + month : slip(chance, birth);
    case 'close':
      return slip(chance, birth);
    case 'near':
      return year + month + other.slice(6);
    default:
      return other;
  }
}

/** Where somebody lives who states it again: the same, elsewhere, or one part otherwise. */
function livesAgain(
  person: Features,
  other: Features,
  { same, differs }: Weights['place'],
  chance: Chance,
): Partial<Features> {
  const { house, street, place, city, zip, region, country } = other;
  switch (degree(chance, { same, differs, part: Math.max(0, 1 - same - differs) })) {
    case 'same':
      return {};
    case 'differs':
      return { house, street, place, city, zip, region, country };
    default:
      return pick(chance, [
        { house }, { place: '' }, { zip: slip(chance, person.zip) },
        { street: slip(chance, person.street) }, { city: slip(chance, person.city) },
      ]);
  }
}

/** A number stated again; left out as often as others state none. */
function numberAgain(
  kind: 'tax' | 'phone',
  person: Features,
  other: Features,
  rates: Rates,
  chance: Chance,
): string {
  if (person[kind] === '' || other[kind] === '') return '';
  const how = degree(chance, rates);
  if (how === 'same') return person[kind];
  return how === 'close' ? slip(chance, person[kind]) : other[kind];
}

/** One of those stored, stated again with mistakes as often as the weights expect them. */
export function statedAgain(
  person: Features,
  persons: readonly Features[],
  { weights }: Pick<Population, 'weights'>,
  chance: Chance,
): Features {
  const other = (): Features => pick(chance, persons);
  const { surname, forename, birth, place, phone, tax } = weights;
  return {
    ...person,
    given: renamed(person.given, other().given, forename, chance),
    middle: other().middle === '' ? '' : renamed(person.middle, other().given, forename, chance),
    surname: renamed(person.surname, other().surname, surname, chance),
    birth: bornAgain(person.birth, other().birth, birth, chance),
    ...livesAgain(person, other(), place, chance),
    phone: numberAgain('phone', person, other(), phone, chance),
    tax: numberAgain('tax', person, other(), tax, chance),
  };
}
