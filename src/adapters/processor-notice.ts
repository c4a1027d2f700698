// Answers for whether a notice was really sent by the processor, just now, about that key. Knows
// nothing of what a notice leads to.
import type { Notice, Processor } from '../ports/processor.ts';
import { readSigned } from './sandbox-book/signing.ts';
import { SIGNING } from './sandbox-processor/notice-signature.ts';

/** Reads a notice; null unless it is signed and fresh. Takes constant time over the signature. */
export function readNotice(
  keyOf: (world: number) => string,
  headers: Parameters<Processor['readNotice']>[0],
  body: unknown,
  nowMs: number,
): Notice | null {
  const read = readSigned(SIGNING, keyOf, headers, body, nowMs);
  if (read === null) return null;
  const { notice_id: id, key, about } = read.body;
  return { world: read.world, id, key, about };
}
