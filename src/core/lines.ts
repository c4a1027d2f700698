// The lineage of a workspace: the number of the first workspace of its family of clones, from which
// ids are derived. An unknown clone is a fault, because a guessed lineage would give wrong ids.

/** Workspaces from this number on are clones; below it, a workspace is its own lineage. */
export const FIRST_COPY = 1_000_000_000;

/** The lineages this process knows. A lineage never changes, so entries never expire. */
export class Lines {
  readonly #copies = new Map<number, number>();

  /** The newest known clone; below `FIRST_COPY` if there is none. */
  get newest(): number {
    return this.#newest;
  }
  #newest = FIRST_COPY - 1;

  /** The workspace's lineage; an unknown clone is a fault. */
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
