// Why two descriptions match: what each field adds, how it compares, and how many people of the
// tenant share what agrees. As the counts are now, not as they were at the submission. [G-53]
import type { Queryable } from '../../../db/index.ts';
import type { Keys } from '../../../providers/keys/port.ts';
import { loadPopulation } from './counts.ts';
import { featuresOf, isSame, type Features, type Stated } from './features.ts';
import { textLikeness } from './place-weights.ts';
import {
  addressesOf,
  FEW,
  joined,
  lanesOf,
  namesOf,
  valuesOf,
  wholeName,
  type Population,
  type Value,
} from './population.ts';
import { scoreFrom, weightsOf, type MatchWeights } from './score.ts';
import { isOneEdit } from './similarity.ts';

/** How the two compare in a field; for an address the smallest part that agrees. */
export type Comparison =
  | 'missing'
  | 'same'
  | 'swapped'
  | 'surname'
  | 'given'
  | 'alike'
  | 'turned'
  | 'digit'
  | 'parts'
  | 'house'
  | 'street'
  | 'postcode'
  | 'town'
  | 'region'
  | 'differs';

/** Given names and surname are told as one name: of a usual whole name neither says much. */
type Uncompared = 'surname' | 'given' | 'relatives' | 'prior';

/** What one field says. */
export interface Evidence {
  readonly field: 'name' | Exclude<keyof MatchWeights, Uncompared>;
  readonly comparison: Comparison;
  /** Above 0: for one person. */
  readonly bits: number;
  /** How many people have the value that agrees, these two among them; null where none does. */
  readonly shared: number | null;
}

/** Why two descriptions match. */
export interface Explained {
  readonly fields: readonly Evidence[];
  /** Bits that a relative or somebody of the household would explain as well: 0 or below. */
  readonly relatives: number;
  /** Bits before any field is compared: how seldom one who applies is stored already. */
  readonly prior: number;
  /** The sum of all. */
  readonly weight: number;
  /** 0 to 1. */
  readonly score: number;
  /** How many people the tenant has. */
  readonly persons: number;
}

/** Explains the matches of one description, in the order of the others. */
export async function explainMatches(
  { db, keys }: { readonly db: Queryable; readonly keys: Keys },
  workspace: number,
  stated: Stated,
  others: readonly Stated[],
): Promise<Explained[]> {
  const one = featuresOf(stated);
  const theirs = others.map(featuresOf);
  const values = [...valuesOf(one), ...theirs.flatMap(namesOf)];
  const population = await loadPopulation(db, keys, workspace, values);
  return theirs.map((other) => explain(one, other, population));
}

/** Explains one match. Pure. */
export function explain(one: Features, other: Features, population: Population): Explained {
  const weights = weightsOf(one, other, population);
  const { surname, given, birth, place, phone, tax, relatives, prior } = weights;
  const evidence = (field: Evidence['field'], bits: number, [comparison, value]: Compared) => {
    const shared = value === null || value[1] === '' ? null : countOf(value, population);
    return { field, comparison, bits, shared };
  };
  const fields = [
    evidence('name', surname + given, ofNames(one, other, weights)),
    evidence('birth', birth, ofBirth(one, other)),
    evidence('place', place, ofPlace(one, other, place)),
    evidence('phone', phone, ofNumber('phone', one, other)),
    evidence('tax', tax, ofNumber('tax', one, other)),
  ];
  const weight = fields.reduce((sum, field) => sum + field.bits, relatives + prior);
  const score = scoreFrom(weight, isSame(one, other));
  return { fields, relatives, prior, weight, score, persons: population.size };
}

function countOf([kind, value]: Value, { seen, size }: Population): number {
  return Math.round(seen(kind, value) * (size + FEW)) + 1;
}

/** How a field compares, and the value that both have. */
type Compared = readonly [Comparison, Value | null];

function ofNames(
  one: Features,
  other: Features,
  { surname, given }: Pick<MatchWeights, 'surname' | 'given'>,
): Compared {
  const names = [one, other].flatMap((person) => [person.given, person.surname]);
  if (names.includes('')) return ['missing', null];
  if (one.surname === other.surname && one.given === other.given) {
    return ['same', ['name', wholeName(one)]];
  }
  if (one.given === other.surname && one.surname === other.given) return ['swapped', null];
  if (given > 0) return [surname > 0 ? 'alike' : 'given', null];
  return [surname > 0 ? 'surname' : 'differs', null];
}

function ofBirth({ birth: one }: Features, { birth: other }: Features): Compared {
  if (one === '' || other === '') return ['missing', null];
  if (one === other) return ['same', ['birth', one]];
  const parts = (text: string): string[] => [text.slice(0, 4), text.slice(4, 6), text.slice(6)];
  const [mine, theirs] = [parts(one), parts(other)];
  const [year, month, day] = mine;
  if (theirs.join() === [year, day, month].join()) return ['turned', null];
  if (isOneEdit(one, other)) return ['digit', null];
  const equal = mine.filter((part, at) => part === theirs[at]).length;
  return [equal === 2 ? 'parts' : 'differs', null];
}

function ofNumber(field: 'phone' | 'tax', one: Features, other: Features): Compared {
  const [mine, theirs] = [one[field], other[field]];
  if (mine === '' || theirs === '') return ['missing', null];
  if (mine === theirs) return ['same', [field, mine]];
  return [isOneEdit(mine, theirs) ? 'digit' : 'differs', null];
}

function ofPlace(one: Features, other: Features, bits: number): Compared {
  const common = (mine: readonly string[], theirs: readonly string[]): string | undefined =>
    mine.find((text) => theirs.includes(text));
  const address = common(addressesOf(one), addressesOf(other));
  if (address !== undefined) return ['house', ['address', address]];
  const lane = common(lanesOf(one), lanesOf(other));
  if (lane !== undefined) return ['street', ['lane', lane]];
  if (one.zip !== '' && one.zip === other.zip) return ['postcode', ['postcode', one.zip]];
  const [town, region] = [joined(one.city), joined(one.region)];
  if (town !== '' && town === joined(other.city)) return ['town', ['town', town]];
  const isStated = [one, other].every(({ street, city, zip }) => `${street}${city}${zip}` !== '');
  if (!isStated) return ['missing', null];
  if (region !== '' && region === joined(other.region)) return ['region', ['region', region]];
  const isAlike = bits > 0 || textLikeness(one.street, other.street) === 'same';
  return [isAlike ? 'alike' : 'differs', null];
}
