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
  /** Which of the possible faults is next. */
  turn: number;
}

/** The faults of one history. */
export class Draws {
  readonly #seed: number;
  readonly #number: number;
  readonly #coverage: Coverage;
  readonly #places = new Map<string, Place>();
  /** False: nothing fails, and nothing is counted. */
  on = false;

  constructor(seed: number, number: number, coverage: Coverage) {
    this.#seed = seed;
    this.#number = number;
    this.#coverage = coverage;
  }

  /** What becomes of this call; null: it goes well. */
  at(name: string, possible: readonly Fault[]): Fault | null {
    if (!this.on) return null;
    const place = this.#place(name, possible.length);
    const row = this.#coverage.get(name) ?? { reached: 0, played: new Map<Fault, number>() };
    this.#coverage.set(name, row);
    row.reached += 1;
    place.reached += 1;
    if (place.reached !== place.next) return null;
    const fault = possible[place.turn % possible.length] as Fault;
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
   * Histories one after another begin with each fault in turn. In a fourth of them a place of the
   * database is spared, so that rare combinations are reached.
   */
  #place(name: string, faults: number): Place {
    const known = this.#places.get(name);
    if (known !== undefined) return known;
    const spared = name.includes(': ') && hash(this.#seed, this.#number, name) % 4 === 0;
    const turn = (hash(this.#seed, name) % faults) + this.#number;
    const place = { reached: 0, next: spared ? null : 1, gap: 1, turn };
    this.#places.set(name, place);
    return place;
  }
}
