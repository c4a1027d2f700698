// Answers for the bytes of a request's body: how many are declared, and reading no more than a
// limit. Refuses to know what they say.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { inputRefusals } from '../kernel/input-refusals.ts';
import { refuse } from '../kernel/refusal.ts';

/** Body limit of an operation that names none: 1 MB. [G-70] */
export const DEFAULT_BODY_LIMIT = 1_048_576;

/** The peer went away before its request was read: there is nobody to answer. */
export class ClientGone {}

/** True when the request announces a body of at least one byte, or of unknown length. */
export function hasBody(request: IncomingMessage): boolean {
  if (request.headers['transfer-encoding'] !== undefined) return true;
  const length = request.headers['content-length'];
  return length !== undefined && length !== '0';
}

/** Refuses a body that declares more than `limit` bytes before one of them is read. */
export function refuseDeclaredLength(request: IncomingMessage, limit: number): void {
  const length = request.headers['content-length'];
  if (length !== undefined && Number(length) > limit) throw refuse(inputRefusals.BODY_TOO_LARGE);
}

/**
 * Reads the whole body, at most `limit` bytes: the byte that is one too many ends the reading with
 * 413, and what was read is dropped. A peer that goes away rejects with `ClientGone`.
 */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  limit: number,
): Promise<Buffer> {
  // Asked for only now, so that a refused request is not invited to send its body.
  if (request.headers.expect !== undefined) response.writeContinue();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= limit) {
        chunks.push(chunk);
        return;
      }
      leave();
      request.pause();
      reject(refuse(inputRefusals.BODY_TOO_LARGE));
    };
    const onEnd = (): void => {
      leave();
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size));
    };
    const onGone = (): void => {
      leave();
      reject(new ClientGone());
    };
    const leave = (): void => {
      request.off('data', onData);
      request.off('end', onEnd);
      request.off('close', onGone);
      request.off('error', onGone);
      // A later error of a socket that nobody reads must not end the process.
      request.on('error', ignore);
    };
    request.on('data', onData);
    request.on('end', onEnd);
    request.on('close', onGone);
    request.on('error', onGone);
  });
}

function ignore(): void {}
