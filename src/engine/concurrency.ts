// Concurrency limit for batches and discovery. Each group has a fixed cost, so a group smaller than
// the one in progress waits: a moment later it is larger.

/** Counts the running groups of one kind. */
export class ConcurrencyLimit {
  readonly #most: number;
  #underWay = 0;
  /** Number of commands in the group that started last. */
  #last = 0;

  /** `most`: groups running at once. */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * True if a group of this size may start: always if none is running, beside another only if it is
   * at least as large. So nobody waits longer than the running group takes.
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
