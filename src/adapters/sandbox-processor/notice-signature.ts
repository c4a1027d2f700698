// Answers for how a notice is signed: what is signed, in which headers it stands. The book signs,
// the client checks; both read this. Knows nothing of when notices are sent.
import { createHmac } from 'node:crypto';
import type { NoticeBody } from './protocol.ts';

export const SIGNATURE_HEADER = 'processor-signature';
export const WORLD_HEADER = 'processor-world';

/** 64 hexadecimal digits under the secret of the world; `seconds`: of the sending, UTC. */
export function noticeSignature(
  secret: string,
  seconds: number,
  world: number,
  { notice_id, key, about }: Omit<NoticeBody, 'at'>,
): string {
  const text = `${seconds}.${world}.${notice_id}.${key}.${about}`;
  return createHmac('sha256', secret).update(text).digest('hex');
}
