// Draws the changes to plant: a seed gives the same ones on the same tree. Every group gets some,
// large ones more; what does not compile is drawn again and counted.
import { Rng } from '../laws/rng.ts';
import { filesOf, type GroupName } from './groups.ts';
import type { Mutant } from './mutator.ts';
import type { Types } from './types.ts';

export interface Drawn {
  readonly group: GroupName;
  /** How many changes the group's files offer. */
  readonly of: number;
  readonly mutants: readonly Mutant[];
  /** Drawn, and refused by the compiler. */
  readonly refused: number;
}

/** Half is spread evenly, half by how much there is to change. */
export function draw(
  types: Types,
  groups: readonly GroupName[],
  count: number,
  seed: number,
): Drawn[] {
  const all = groups.map((group) => ({
    group,
    found: filesOf(group).flatMap((file) => types.mutantsOf(file)),
  }));
  const sum = all.reduce((total, { found }) => total + found.length, 0);
  return all.map(({ group, found }) => {
    const quota = Math.ceil(count / 2 / groups.length + (count / 2) * (found.length / sum));
    // A group's draw is its own: the others' sizes move its length, not its order.
    const dice = new Rng(seed);
    const mutants: Mutant[] = [];
    let refused = 0;
    const left = [...found];
    while (mutants.length < quota && left.length > 0) {
      const [one] = left.splice(dice.below(left.length), 1) as [Mutant];
      if (types.fits(one)) mutants.push(one);
      else refused += 1;
    }
    return { group, of: found.length, mutants, refused };
  });
}
