// Keys that protect keys. Answers for wrapping data keys under a master key and for keyed hashes;
// knows nothing of what is sealed with them. The default adapter holds the master key in a file;
// the interface is asynchronous so that a cloud key service fits behind it.

/** Wraps and unwraps data keys; makes keyed hashes for look-ups. */
export interface Keys {
  /**
   * Wraps a 32-byte data key; the context (tenant, table, row) is bound to it. Text names the key's
   * version.
   */
  wrap(key: Buffer, context: string): Promise<string>;
  /** Opens a wrapped key; a wrong context or an unknown version is a fault. */
  unwrap(wrapped: string, context: string): Promise<Buffer>;
  /**
   * HMAC-SHA256 in hex under a key of its own for each purpose (username index, client secrets).
   */
  mac(purpose: string, text: string): string;
  /**
   * What stands for a world in contexts, places and purposes: its line, so that a copy of a world
   * opens what was sealed in it. A copy that is not known is a fault.
   */
  lineOf(world: number): number;
}
