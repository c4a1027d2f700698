// Changes that no test can or should notice, and why. A change is known by its file, the source
// line it is in, and what stands in whose place, so that a row outlives moved lines.
import type { Mutant } from './mutator.ts';
import { brief } from './battery.ts';

export interface Reason {
  readonly file: string;
  /** The line of the source, trimmed; any line of the file where it is left out. */
  readonly line?: string;
  readonly from: string;
  /** Any replacement where it is left out. */
  readonly to?: string;
  readonly why: string;
}

export const REASONS: readonly Reason[] = [];

/** Why a survivor may live, or null. */
export function reasonFor({ file, context, from, to }: Mutant): string | null {
  const found = REASONS.find(
    (row) =>
      row.file === file &&
      (row.line ?? context) === context &&
      row.from === brief(from) &&
      (row.to ?? brief(to)) === brief(to),
  );
  return found?.why ?? null;
}
