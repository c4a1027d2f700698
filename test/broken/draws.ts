// Which call is broken, and how: drawn from the seed, the number of the history, the place of the
// call and how often it was reached, never from time. Counts what was broken where.
import { createHash } from 'node:crypto';

/** What can become of a call on its way. */
export const FAULTS = ['lost before', 'lost after', 'late', 'twice', 'refused'] as const;
export type Fault = (typeof FAULTS)[number];
/** What can become of a call over a socket: nobody sends one twice by itself. */
export const OF_SOCKETS = FAULTS.filter((fault) => fault !== 'twice');

function hash(...parts: readonly (string | number)[]): number {
  return createHash('md5').update(parts.join('/')).digest().readUInt32LE(0);
}

/** How often each fault was played at a place, and how often the place was reached. */
export type Coverage = Map<string, { reached: number; readonly played: Map<Fault, number> }>;

interface Place {
  reached: number;
  /** Which call fails next; null: none in this history. */
  next: number | null;
  /** Calls between two faults at most: more each time, so that everything comes to an end. */
  gap: number;
  /** The possible faults, in the order in which they are played here. */
  readonly order: readonly Fault[];
  /** How many were played. */
  turn: number;
}

/** A fault at a place. */
export type Wanted = readonly [place: string, fault: Fault];

/** The faults of one history. */
export class Draws {
  readonly #seed: number;
  readonly #number: number;
  readonly #coverage: Coverage;
  readonly #wanted: readonly Wanted[];
  readonly #places = new Map<string, Place>();
  /** False: nothing fails, and nothing is counted. */
  on = false;

  /** What is wanted comes first at its place. */
  constructor(
    seed: number,
    number: number,
    coverage: Coverage,
    wanted: readonly Wanted[] = [],
  ) {
    this.#seed = seed;
    this.#number = number;
    this.#coverage = coverage;
    this.#wanted = wanted;
  }

  /** What becomes of this call; null: it goes well. */
  at(name: string, possible: readonly Fault[]): Fault | null {
    if (!this.on) return null;
    const place = this.#place(name, possible);
    const row = this.#coverage.get(name) ?? { reached: 0, played: new Map<Fault, number>() };
    this.#coverage.set(name, row);
    row.reached += 1;
    place.reached += 1;
    if (place.reached !== place.next) return null;
    const fault = place.order[place.turn % place.order.length] as Fault;
    row.played.set(fault, (row.played.get(fault) ?? 0) + 1);
    place.turn += 1;
    place.gap *= 2;
    place.next += 1 + (hash(this.#seed, this.#number, name, place.turn) % place.gap);
    return fault;
  }

  /** A number for the details of the last fault of a place. */
  detail(name: string): number {
    return hash(this.#seed, this.#number, name, this.#places.get(name)?.turn ?? 0, 'detail');
  }

  /**
   * In a fourth of the histories a place of the database is spared, so that rare combinations are
   * reached.
   */
  #place(name: string, possible: readonly Fault[]): Place {
    const known = this.#places.get(name);
    if (known !== undefined) return known;
    const spared = name.includes(': ') && hash(this.#seed, this.#number, name) % 4 === 0;
    const order = this.#order(name, possible);
    const place = { reached: 0, next: spared ? null : 1, gap: 1, order, turn: 0 };
    this.#places.set(name, place);
    return place;
  }

  /**
   * As many histories as there are faults begin with another each, in an order of the place's own:
   * with one order for all, a place that is reached after one fault of another meets only one.
   */
  #order(name: string, possible: readonly Fault[]): readonly Fault[] {
    const round = Math.floor(this.#number / possible.length);
    const rank = (fault: Fault): number => hash(this.#seed, round, name, fault);
    const drawn = possible.toSorted((one, other) => rank(one) - rank(other));
    const first = this.#number % possible.length;
    const wanted = this.#wanted.filter(([place]) => place === name).map(([, fault]) => fault);
    return [...new Set([...wanted, ...drawn.slice(first), ...drawn.slice(0, first)])];
  }
}
