// The lineage of a workspace: the number of the first workspace of its family of clones, from which
// ids are derived. An unknown clone is a fault, because a guessed lineage would give wrong ids.

/** Workspaces from this number on are clones; below it, a workspace is its own lineage. */
export const FIRST_CLONE = 1_000_000_000;

/** The lineages this process knows. A lineage never changes, so entries never expire. */
export class Lineages {
  readonly #clones = new Map<number, number>();

  /** The newest known clone; below `FIRST_CLONE` if there is none. */
  get newest(): number {
    return this.#newest;
  }
  #newest = FIRST_CLONE - 1;

  /** The workspace's lineage; an unknown clone is a fault. */
  lineageOf(workspace: number): number {
    if (workspace < FIRST_CLONE) return workspace;
    const lineage = this.#clones.get(workspace);
    if (lineage === undefined)
      throw new Error('the lineage of a cloned workspace is not known here');
    return lineage;
  }

  learn(rows: readonly { readonly workspace: number; readonly lineage: number }[]): void {
    for (const { workspace, lineage } of rows) {
      if (workspace < FIRST_CLONE) continue;
      this.#clones.set(workspace, lineage);
      this.#newest = Math.max(this.#newest, workspace);
    }
  }
}
