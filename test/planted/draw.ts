// Draws the changes to plant. A change's place in the draw comes from the seed and the change
// alone, so that work elsewhere in the tree moves no other change in or out. Every group gets some,
// large ones more; what does not compile is counted, and the next one is taken.
import { hash } from 'node:crypto';
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
    const mutants: Mutant[] = [];
    let refused = 0;
    for (const one of ordered(found, seed)) {
      if (mutants.length === quota) break;
      if (types.fits(one)) mutants.push(one);
      else refused += 1;
    }
    return { group, of: found.length, mutants, refused };
  });
}

/** In an order that a seed says; the same change of the same line twice in a file counts twice. */
function ordered(found: readonly Mutant[], seed: number): Mutant[] {
  const times = new Map<string, number>();
  return found
    .map((mutant) => {
      const { file, context, from, to } = mutant;
      const key = JSON.stringify([seed, file, context, from, to]);
      const nth = (times.get(key) ?? 0) + 1;
      times.set(key, nth);
      return { mutant, place: hash('sha256', `${key} ${nth}`) };
    })
    .toSorted((one, other) => (one.place < other.place ? -1 : 1))
    .map(({ mutant }) => mutant);
}
