// Answers for whether a notice was really sent by the processor, just now, about that key. Whoever
// cannot show this is not told why. Knows nothing of what a notice leads to.
import { timingSafeEqual } from 'node:crypto';
import type { Notice, Processor } from '../ports/processor.ts';
import {
  noticeSignature,
  SIGNATURE_HEADER,
  WORLD_HEADER,
} from './sandbox-processor/notice-signature.ts';
import { noticeBody } from './sandbox-processor/protocol.ts';

/** Seconds that the clocks of both sides and the way between them may differ. */
const AGE_MAX = 300;
const WORLD = /^[1-9][0-9]{0,9}$/;
const LARGEST_WORLD = 2_147_483_647;
const SIGNATURE = /^t=([0-9]{1,12}),v1=([0-9a-f]{64})$/;

/** Reads a notice; null unless it is signed and fresh. Takes constant time over the signature. */
export function readNotice(
  keyOf: (world: number) => string,
  headers: Parameters<Processor['readNotice']>[0],
  body: unknown,
  nowMs: number,
): Notice | null {
  const [named, signed] = [headers[WORLD_HEADER], headers[SIGNATURE_HEADER]];
  const read = noticeBody.safeParse(body);
  if (typeof named !== 'string' || typeof signed !== 'string' || !read.success) return null;
  const [world, parts] = [Number(named), SIGNATURE.exec(signed)];
  if (!WORLD.test(named) || world > LARGEST_WORLD || parts === null) return null;
  const seconds = Number(parts[1]);
  const right = noticeSignature(keyOf(world), seconds, world, read.data);
  const equal = timingSafeEqual(Buffer.from(parts[2] ?? '', 'hex'), Buffer.from(right, 'hex'));
  if (!equal || Math.abs(nowMs / 1000 - seconds) > AGE_MAX) return null;
  const { notice_id: id, key, about } = read.data;
  return { world, id, key, about };
}
