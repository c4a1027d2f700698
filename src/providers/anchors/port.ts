// Storage outside the database for the audit chains' block hashes, so that rewriting the database
// alone is detected. Append-only. The default adapter is a file; write-once storage can implement
// it too.

/** Append-only lines. */
export interface Anchors {
  /** Appends lines; durable when it resolves. */
  append(lines: readonly string[]): Promise<void>;
  /**
   * Fixes the end of what is there now and yields the lines up to it, oldest first; null if nothing
   * was ever stored.
   */
  read(): Promise<AsyncIterable<string> | null>;
}
