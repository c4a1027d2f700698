// Rejects unknown options, so that a mistyped one is not silently ignored where no compiler checks.
import { unknownName } from '../src/cli/suggestion.ts';

export { unknownName };

/** The names of all options of a type; the compiler requires the list to be complete. */
export type NamesOf<Options> = Readonly<Record<keyof Options, true>>;

/** Throws a TypeError for the first option of `taker` that is not among the known names. */
export function onlyKnown(taker: string, given: object, known: object): void {
  const names = Object.keys(known);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw new TypeError(`${taker}: ${unknownName('option', unknown, names)}`);
}
