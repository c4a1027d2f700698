// A law over stored rows, as `holdfast verify` and the tests check it.

/** One law. `text` returns one row per breach; `what` names ids only. */
export interface Proof {
  readonly name: string;
  readonly law: string;
  readonly text: string;
}

/** A row of a list of laws. */
export function law(name: string, sentence: string, text: string): Proof {
  return { name, law: sentence, text };
}
