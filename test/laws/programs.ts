// Programs: what happens in a market, step by step, as numbers. Made from a seed, shrunk to the
// shortest that still fails, and reported with how to repeat it.
import { Rng } from './rng.ts';

/** One history. Each step draws its choices from its own number, so steps can be left out. */
export interface Program {
  readonly seed: number;
  /** True where anybody may answer for the processor; else it answers by its book. */
  readonly lying: boolean;
  readonly steps: readonly number[];
}

const [SHORTEST, LONGEST] = [20, 60];

/** The program of a seed. */
export function programOf(seed: number, lying: boolean): Program {
  const rng = new Rng(seed);
  const length = SHORTEST + rng.below(LONGEST - SHORTEST + 1);
  return { seed, lying, steps: Array.from({ length }, () => rng.next()) };
}

/** Plays a program; throws where a law does not hold. The trace, if any, takes what happened. */
export type Play = (program: Program, trace: string[] | null) => unknown;

function failureOf(play: Play, program: Program, trace: string[] | null = null): Error | null {
  try {
    play(program, trace);
    return null;
  } catch (error) {
    return error as Error;
  }
}

/** Leaves steps out, in pieces that get smaller, as long as the rest still fails. */
function shrunk(play: Play, program: Program): Program {
  let best = program;
  for (let size = Math.ceil(best.steps.length / 2); size > 0; size = Math.floor(size / 2)) {
    for (let at = 0; at < best.steps.length; ) {
      const steps = best.steps.toSpliced(at, size);
      const less = { ...best, steps };
      if (failureOf(play, less) === null) at += size;
      else best = less;
    }
  }
  return best;
}

/** Plays a program; where it fails, throws with the shortest one that does, and its seed. */
export function hold(play: Play, program: Program): void {
  if (failureOf(play, program) === null) return;
  const least = shrunk(play, program);
  const trace: string[] = [];
  const error = failureOf(play, least, trace);
  const { seed, lying } = program;
  throw new Error(
    `program ${seed}${lying ? ' (lying)' : ''}, shrunk to ${least.steps.length} steps: ` +
      `${error?.message ?? 'holds when repeated'}\n${trace.join('\n')}`,
    { cause: error },
  );
}
