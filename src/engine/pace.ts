// When the next group of commands starts. A group costs much for itself and less for each command
// in it, so beside one under way a small one is not worth it yet: a moment later it is larger.

/** Counts the groups of one sort that are under way. */
export class Pace {
  readonly #most: number;
  #underWay = 0;
  /** Commands in the group that started last. */
  #last = 0;

  /** `most`: groups under way at once. */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Whether a group of so many commands may start: alone always, beside another if it is at least
   * as large as that. So nobody waits for longer than the group under way takes.
   */
  allows(size: number): boolean {
    return this.#underWay < this.#most && (this.#underWay === 0 || size >= this.#last);
  }

  started(size: number): void {
    this.#underWay += 1;
    this.#last = size;
  }

  ended(): void {
    this.#underWay -= 1;
  }
}
