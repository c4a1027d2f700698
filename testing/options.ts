// Options that nobody knows: a mistyped one must not be as good as none where no compiler looks.
// Answers for one sentence that names the nearest; refuses to know what any option means.
import { unknownName } from '../src/cli/nearest.ts';

export { unknownName };

/** The names of all options of a type; the compiler holds the list to it. */
export type NamesOf<Options> = Readonly<Record<keyof Options, true>>;

/** Throws a TypeError for the first option of `taker` that is not among the known names. */
export function onlyKnown(taker: string, given: object, known: object): void {
  const names = Object.keys(known);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw new TypeError(`${taker}: ${unknownName('option', unknown, names)}`);
}
