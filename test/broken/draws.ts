// Which call is broken, and how: drawn from the seed, the number of the history, the place of the
// call and how often it was reached, never from time. Counts what was broken where.
import { createHash } from 'node:crypto';

/** What can become of a call on its way. */
export const FAULTS = ['lost before', 'lost after', 'late', 'twice', 'refused'] as const;
export type Fault = (typeof FAULTS)[number];

/** Half of the places fail in a history, so that rare combinations are reached. */
const QUIET = 2;
/** Between two faults of one place lie at least so many calls, and more each time. */
const FIRST_GAP = 2;

function hash(...parts: readonly (string | number)[]): number {
  return createHash('md5').update(parts.join('/')).digest().readUInt32LE(0);
}

/** How often each fault was played at a place, and how often the place was reached. */
export type Coverage = Map<string, { reached: number; readonly played: Map<Fault, number> }>;

/** The faults of one history. */
export class Draws {
  readonly #seed: number;
  readonly #number: number;
  readonly #coverage: Coverage;
  readonly #places = new Map<string, { next: number; gap: number; reached: number; turn: number }>();
  /** False: nothing fails, and nothing is counted. */
  on = false;

  constructor(seed: number, number: number, coverage: Coverage) {
    this.#seed = seed;
    this.#number = number;
    this.#coverage = coverage;
  }

  /** What becomes of this call; null: it goes well. */
  at(place: string, possible: readonly Fault[]): Fault | null {
    if (!this.on) return null;
    const state = this.#stateOf(place);
    const row = this.#coverage.get(place) ?? { reached: 0, played: new Map<Fault, number>() };
    this.#coverage.set(place, row);
    row.reached += 1;
    state.reached += 1;
    if (state.reached !== state.next) return null;
    const fault = possible[state.turn % possible.length] as Fault;
    row.played.set(fault, (row.played.get(fault) ?? 0) + 1);
    state.turn += 1;
    state.gap *= 2;
    state.next += 1 + (hash(this.#seed, this.#number, place, state.turn) % state.gap);
    return fault;
  }

  /** A number for the details of a fault: the same for the same place and turn. */
  detail(place: string): number {
    const { turn } = this.#stateOf(place);
    return hash(this.#seed, this.#number, place, turn, 'detail');
  }

  #stateOf(place: string) {
    const known = this.#places.get(place);
    if (known !== undefined) return known;
    const drawn = hash(this.#seed, this.#number, place);
    const quiet = drawn % QUIET > 0;
    const first = 1 + ((drawn >>> 8) % FIRST_GAP);
    // Histories one after another begin with another fault at each place.
    const turn = hash(this.#seed, place) % FAULTS.length + Math.floor(this.#number);
    const state = { next: quiet ? -1 : first, gap: FIRST_GAP, reached: 0, turn };
    this.#places.set(place, state);
    return state;
  }
}
