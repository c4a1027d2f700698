// Where the heads of the audit chains are kept outside the database, so that whoever rewrites the
// database alone is found. Answers for lines that are added and never changed; knows nothing of
// what they say. The default adapter is a file; a store that writes once fits behind it.

/** A place of lines apart from the database. */
export interface Anchors {
  /** Adds lines at the end; they are there for good when it resolves. */
  append(lines: readonly string[]): Promise<void>;
  /**
   * Fixes how far to read, then gives the lines up to there, oldest first; null where nothing was
   * ever kept.
   */
  read(): Promise<AsyncIterable<string> | null>;
}
