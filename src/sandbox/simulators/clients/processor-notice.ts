// Authenticates a webhook of the processor: signed, fresh, and about a key.
import type { Notice, Processor } from '../../../providers/processor/port.ts';
import { readSigned } from '../store/signing.ts';
import { SIGNING } from '../processor/notice-signature.ts';

/** Reads a webhook; null unless it is signed and fresh. Compares signatures in constant time. */
export function readNotice(
  keyOf: (workspace: number) => string,
  headers: Parameters<Processor['readNotice']>[0],
  body: unknown,
  nowMs: number,
): Notice | null {
  const read = readSigned(SIGNING, keyOf, headers, body, nowMs);
  if (read === null) return null;
  const { notice_id: id, key, about } = read.body;
  return { workspace: read.workspace, id, key, about };
}
