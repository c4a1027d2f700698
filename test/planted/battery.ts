// Plants what was drawn, several changes at a time, each before the tests of its folder that run
// the changed place: the file's own first, then the quickest.
import { availableParallelism } from 'node:os';
import { cover, type Covered } from './coverage.ts';
import { draw, type Drawn } from './draw.ts';
import { testsOf, type GroupName } from './groups.ts';
import { sentence, type Mutant } from './mutator.ts';
import { isKnown } from './reasons.ts';
import { Scratch, SURVIVED, type Outcome } from './scratch.ts';
import { Types } from './types.ts';

/** At the same time; each has a copy and a server of its own. */
const WORKERS = Math.max(2, availableParallelism());

/** Changes that can change the type of what is exported. */
const TYPED = new Set(['list', 'member', 'name', 'result', 'row']);

export interface Result extends Outcome {
  readonly group: GroupName;
  readonly mutant: Mutant;
  /** Test files that run the place. */
  readonly tests: number;
}

export interface Battery {
  readonly drawn: readonly Drawn[];
  /** Of those that compile. */
  readonly results: readonly Result[];
  /** Survivors with which another file does not compile: no mutants. */
  readonly refusedLater: number;
}

export interface Asked {
  readonly groups: readonly GroupName[];
  readonly count: number;
  readonly seed: number;
  readonly say: (line: string) => void;
}

export async function runBattery({ groups, count, seed, say }: Asked): Promise<Battery> {
  const types = new Types();
  const scratches = await Promise.all(Array.from({ length: WORKERS }, () => Scratch.open()));
  try {
    const drawn = draw(types, groups, count, seed);
    const planted = drawn.flatMap(({ group, mutants }) =>
      mutants.map((mutant) => ({ group, mutant, files: testsOf(group, mutant.file) })),
    );
    say(`${planted.length} changes are drawn with seed ${seed}`);
    const all = new Set(planted.flatMap(({ files }) => files));
    const covered = await share(scratches, [...all], cover);
    const byFile = new Map(covered.map((one) => [one.file, one]));
    say(`${covered.length} test files ran untouched`);
    let done = 0;
    const results = await share(scratches, planted, async (scratch, { group, mutant, files }) => {
      const tests = noticing(files.map((file) => byFile.get(file) as Covered), mutant);
      // What nothing can notice is not tried again; it counts as a survivor.
      const known = isKnown(mutant);
      const outcome = known ? SURVIVED : await scratch.attempt(mutant, tests);
      done += 1;
      if (outcome.end === 'survived' && !known) say(`${done} ${sentence(mutant)}`);
      return { ...outcome, group, mutant, tests: tests.length };
    });
    const valid = results.filter(
      ({ end, mutant }) => end !== 'survived' || !TYPED.has(mutant.kind) || types.fitsAll(mutant),
    );
    return { drawn, results: valid, refusedLater: results.length - valid.length };
  } finally {
    types.close();
    await Promise.all(scratches.map((scratch) => scratch.close()));
  }
}

/** The test files that run the changed place: the file's own first, then the quickest. */
function noticing(covered: readonly Covered[], { file, at, kind }: Mutant): Covered[] {
  // From an operator on, only its right side is counted: `??` itself runs where the left side does.
  const place = kind === 'operator' ? at - 1 : at;
  const own = file.slice(0, -'.ts'.length);
  const isOwn = (test: Covered): number => Number(test.file.startsWith(`${own}.`));
  return covered
    .filter((test) => test.covers(file, place))
    .toSorted((one, other) => isOwn(other) - isOwn(one) || one.ms - other.ms);
}

/** Works through a list with all copies at once; the answers keep the list's order. */
async function share<T, R>(
  scratches: readonly Scratch[],
  list: readonly T[],
  work: (scratch: Scratch, one: T) => Promise<R>,
): Promise<R[]> {
  const answers: R[] = [];
  let next = 0;
  await Promise.all(
    scratches.map(async (scratch) => {
      while (next < list.length) {
        const at = next;
        next += 1;
        answers[at] = await work(scratch, list[at] as T);
      }
    }),
  );
  return answers;
}
