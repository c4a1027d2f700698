// Key management: wraps data keys under a master key and makes keyed hashes. The default adapter
// holds the master key in a file; wrapping is asynchronous so that a cloud key service can
// implement it.
import type { Place, Purpose } from '../../core/labels.ts';

/** Wraps and unwraps data keys; makes keyed hashes for look-ups. */
export interface Keys {
  /**
   * Wraps a 32-byte data key, bound to the context (tenant, table, row). The text names the key's
   * version.
   */
  wrap(key: Buffer, context: Place): Promise<string>;
  /** Unwraps a key; a wrong context or unknown version is a fault. */
  unwrap(wrapped: string, context: Place): Promise<Buffer>;
  /** HMAC-SHA256 in hex, with a key per purpose (username index, client secrets). */
  mac(purpose: Purpose, text: string): string;
  /**
   * The lineage that stands for a workspace in contexts, places and purposes, so that a clone can
   * open what was encrypted in its source. An unknown clone is a fault.
   */
  lineageOf(workspace: number): number;
}
