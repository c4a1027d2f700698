// A law over stored rows, as `holdfast verify` and the tests check it.

/** One law. `text` returns one row per breach; `what` names ids only. */
export interface Proof {
  readonly name: string;
  readonly law: string;
  readonly text: string;
  /**
   * The same of what may have changed since it was last proven. It may read `proven`: of each
   * `workspace` the last event, by its `sequence`, that was proven with its resource.
   */
  readonly since?: string;
}

/** A row of a list of laws. */
export function law(name: string, sentence: string, text: string): Proof {
  return { name, law: sentence, text };
}

/** A law that need not be proven again of what has ended; `text` gets the condition that says so. */
export function lawSince(
  name: string,
  sentence: string,
  ongoing: string,
  text: (which: string) => string,
): Proof {
  return { name, law: sentence, text: text('true'), since: text(ongoing) };
}
