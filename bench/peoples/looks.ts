// Who is looked up in a population: strangers, relatives of those stored, and those stored, stated
// again with mistakes. The same for a store in the database and one in memory.
import type { Stated } from '../../src/product/people/matching/features.ts';
import { rngFor } from './draw.ts';
import { KIN, type Peopled, type Person } from './persons.ts';
import { again, WRONGS } from './wrongs.ts';

/** The seed of those stored; nobody of the other is. */
export const STORED = 1;
export const STRANGERS = 77_000;

/** Scores of look-ups, the likeliest of each; for those who are stored, of themselves. */
export type Scores = readonly number[];

export interface Told {
  readonly strangers: Scores;
  readonly kin: Readonly<Record<string, Scores>>;
  readonly wrong: Readonly<Record<string, Scores>>;
}

export interface Asked {
  /** How many of the population are stored. */
  readonly stored: number;
  readonly strangers: number;
  /** Look-ups of each kind of relative and of mistake. */
  readonly each: number;
  /** Whether those who are looked up state tax digits. */
  readonly tax: boolean;
}

/** The score of the likeliest of those stored; with `own`, of the one with that number. */
export type Look = (stated: Stated, own?: number) => Promise<number>;

/** Look-ups under way at once. */
const AT_ONCE = 8;

async function all(count: number, work: (at: number) => Promise<number>): Promise<number[]> {
  const scores: number[] = [];
  for (let at = 0; at < count; at += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - at) }, (_, n) => work(at + n));
    scores.push(...(await Promise.all(some)));
  }
  return scores;
}

/** Some of those stored, evenly spread, with their numbers. */
export function known(from: Peopled, stored: number, count: number): [Person, number][] {
  const [source, step] = [from.persons(STORED), Math.floor(stored / Math.max(1, count))];
  const some: [Person, number][] = [];
  for (let at = 0; at < stored && some.length < count; at += 1) {
    const { value } = source.next();
    if (at % step === 0) some.push([value, at]);
  }
  return some;
}

/** Looks everybody up. */
export async function looks(from: Peopled, asked: Asked, look: Look): Promise<Told> {
  const one: Look = (stated, own) => look(asked.tax ? stated : { ...stated, ssn_last4: '' }, own);
  const fresh = from.persons(STRANGERS);
  const strangers = await all(asked.strangers, () => one(fresh.next().value.stated));
  const some = known(from, asked.stored, asked.each);
  const rng = rngFor(3, from.people.key);
  const each = async <K extends string>(
    kinds: readonly K[],
    draw: (person: Person, kind: K) => Stated,
  ): Promise<Record<string, number[]>> => {
    const told: Record<string, number[]> = {};
    for (const kind of some.length > 0 ? kinds : []) {
      told[kind] = await all(some.length, (at) => {
        const [person, own] = some[at] as [Person, number];
        return one(draw(person, kind), own);
      });
    }
    return told;
  };
  const kin = await each(KIN, (person, kind) => from.kin(rng, person, kind).stated);
  const wrong = await each(WRONGS, (person, kind) => again(rng, from, person, kind));
  return { strangers, kin, wrong };
}
