// The line of a world: the number of the first world of its family of copies. Answers for a copy's
// line never being guessed; refuses to know where lines are read and what is derived from them.

/** From this number on a world is a copy; below, it is its own line. */
export const FIRST_COPY = 1_000_000_000;

/** The lines of the worlds that this process knows. A line never changes, so nothing grows old. */
export class Lines {
  readonly #copies = new Map<number, number>();

  /** The newest copy that is known; below `FIRST_COPY` while none is. */
  get newest(): number {
    return this.#newest;
  }
  #newest = FIRST_COPY - 1;

  /** The line of a world; a copy that is not known is a fault. */
  lineOf(world: number): number {
    if (world < FIRST_COPY) return world;
    const line = this.#copies.get(world);
    if (line === undefined) throw new Error('the line of a copied world is not known here');
    return line;
  }

  learn(rows: readonly { readonly world: number; readonly line: number }[]): void {
    for (const { world, line } of rows) {
      if (world < FIRST_COPY) continue;
      this.#copies.set(world, line);
      this.#newest = Math.max(this.#newest, world);
    }
  }
}
