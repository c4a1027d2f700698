// How likely it is that two descriptions are of one person: match weights of the fields in bits,
// after Fellegi and Sunter, against the population that they are compared in. Who is not the same
// person may be a stranger, somebody of the household, a twin, or a parent or child of the same
// name: each of them is weighed. Pure and symmetric. [G-53]
import type { Features } from './features.ts';
import { nameWeights, type NameWeights, type Weighed } from './name-weights.ts';
import { placeWeight } from './place-weights.ts';
import { FEW, USUAL, type Population } from './population.ts';
import { isOneEdit } from './similarity.ts';
import { BY_CHANCE, bitsOf, SPELT, type KinName, type NameErrors } from './weights.ts';

/** The score from which two applications are a match. */
export const MATCH_THRESHOLD = 0.95;
/** The score from which a person should compare the two. */
export const REVIEW_THRESHOLD = 0.5;

/** An unlikelihood that nothing outweighs. */
const NEVER = -40;
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
function birthWeight(one: string, other: string, { share, weights }: Population): number {
  const { same, turned, close, near, differs } = weights.birth;
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
  { share, weights }: Population,
): number {
  const ofOne = weights[kind];
  if (one === '' || other === '') return 0;
  const least = kind === 'phone' ? BY_CHANCE.phoneLeast : 0;
  if (one === other) return Math.max(0, bitsOf(ofOne.same / Math.max(least, share(kind, one))));
  const isClose = isOneEdit(one, other);
  return bitsOf(isClose ? ofOne.close / BY_CHANCE[kind].close : ofOne.differs);
}

/** Bits of a name that relatives have, where they are as often of each degree. */
function kinName(
  { bits, shared, alike }: Weighed,
  errors: NameErrors,
  kin: KinName,
  spelt: number,
): number {
  switch (alike) {
    case 'same':
      return bits + bitsOf(kin.same);
    case 'spelt':
      return bits + bitsOf(spelt);
    case 'close':
      return bits + bitsOf(kin.close / errors.close);
    case 'left':
      return shared + bitsOf(kin.left / BY_CHANCE.name.left);
    case 'part':
      return shared + bitsOf(kin.part);
    case 'differs':
      return bitsOf(kin.differs);
    default:
      return Math.min(0, bits);
  }
}

function yearsBetween(one: Features, other: Features): number {
  const years = [one, other].map(({ birth }) => Number(birth.slice(0, 4)));
  return one.birth === '' || other.birth === '' ? GENERATION : Math.abs(years[0]! - years[1]!);
}

/** What could explain two descriptions, each as its logarithm of odds against two strangers. */
export interface Hypotheses {
  readonly one: number;
  readonly household: number;
  readonly twin: number;
  readonly namesake: number;
}

/** What two descriptions weigh in each field, and what could explain them. */
export interface Evidence {
  readonly fields: Omit<MatchWeights, 'relatives' | 'prior'>;
  readonly hypotheses: Hypotheses;
}

/** Weighs two descriptions against a population. */
export function evidenceOf(one: Features, other: Features, population: Population): Evidence {
  const { weights, stored } = population;
  const { surname, given }: NameWeights = nameWeights(one, other, population);
  const birth = birthWeight(one.birth, other.birth, population);
  const place = placeWeight(one, other, population);
  const phone = numberWeight('phone', one.phone, other.phone, population);
  const tax = numberWeight('tax', one.tax, other.tax, population);
  const { householdPhone } = weights;
  const isStated = one.phone !== '' && other.phone !== '';
  const isShared = isStated && one.phone === other.phone;
  const line = isShared
    ? phone + bitsOf(householdPhone.same / weights.phone.same)
    : isStated ? bitsOf(householdPhone.differs) : 0;
  const { householdSurname, householdGiven, twinGiven } = weights;
  const family = kinName(surname, weights.surname, householdSurname, householdSurname.same);
  // Names that are spelt otherwise are of one person, those of two who live together alike.
  const alike = (kin: KinName): number => kinName(given, weights.forename, kin, kin.close / SPELT);
  // A family avoids the same name; people of different families have it by chance.
  const least = surname.alike === 'differs' ? bitsOf(householdGiven.differs) : NEVER;
  const beside = Math.max(least, alike(householdGiven));
  const born = birth + alike(twinGiven);
  const isParent = yearsBetween(one, other) >= GENERATION;
  const among = population.size + FEW;
  const fields = { surname: surname.bits, given: given.bits, birth, place, phone, tax };
  const all = surname.bits + given.bits + birth + place + phone + tax;
  const named = surname.bits + given.bits + Math.max(0, place);
  return {
    fields,
    hypotheses: {
      one: all + bitsOf(population.again / among),
      household: family + beside + place + line + bitsOf(stored.household / among),
      twin: surname.bits + born + place + line + bitsOf(stored.twin / among),
      // Who may live elsewhere by now.
      namesake: (isParent ? named + line : NEVER) + bitsOf(stored.namesake / among),
    },
  };
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
  const { fields, hypotheses } = evidenceOf(one, other, population);
  const { household, twin, namesake } = hypotheses;
  const relatives = -bitsOf(1 + 2 ** household + 2 ** twin + 2 ** namesake);
  const prior = bitsOf(population.again / (population.size + FEW));
  return { ...fields, relatives, prior };
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
