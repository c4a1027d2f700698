// A seeded random number generator: the same seed makes the same program on every machine.

/** A stream of choices. */
export class Rng {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** The next whole number from 0 to 2^32 - 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  /** A whole number from 0 to `n` - 1. */
  below(n: number): number {
    return this.next() % n;
  }

  /** True once in `n` times. */
  once(n: number): boolean {
    return this.below(n) === 0;
  }

  /** One of a list that is not empty. */
  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** One of the rows, each as often as its weight says. */
  weighted<T extends { readonly weight: number }>(rows: readonly T[]): T {
    let left = this.below(rows.reduce((sum, row) => sum + row.weight, 0));
    for (const row of rows) {
      left -= row.weight;
      if (left < 0) return row;
    }
    throw new Error('no rows to choose from');
  }

  /** One that fits, mostly; sometimes any; null where there is none. */
  mostly<T>(list: readonly T[], fits: (one: T) => boolean): T | null {
    const these = this.once(9) ? list : list.filter(fits);
    return these.length === 0 ? null : this.of(these);
  }

  /** The list in another order, cut to `most`. */
  shuffled<T>(list: readonly T[], most = list.length): T[] {
    const rest = [...list];
    const taken: T[] = [];
    while (taken.length < most && rest.length > 0) {
      taken.push(rest.splice(this.below(rest.length), 1)[0] as T);
    }
    return taken;
  }
}
