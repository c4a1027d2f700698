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

/** Reads the whole body, at most `limit` bytes, as `receiveBody` does. */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  limit: number,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const size = await receiveBody(request, response, limit, (chunk) => chunks.push(chunk));
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size);
}

/**
 * Hands on the body as it arrives, and gives its size: the byte that is one too many ends the
 * reading with 413. A peer that goes away, or is gone already, rejects with `ClientGone`.
 */
export function receiveBody(
  request: IncomingMessage,
  response: ServerResponse,
  limit: number,
  take: (chunk: Buffer) => void,
): Promise<number> {
  if (request.destroyed) return Promise.reject(new ClientGone());
  // Asked for only now, so that a refused request is not invited to send its body.
  if (request.headers.expect !== undefined) response.writeContinue();
  return new Promise((resolve, reject) => {
    let size = 0;
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= limit) {
        take(chunk);
        return;
      }
      leave();
      request.pause();
      reject(refuse(inputRefusals.BODY_TOO_LARGE));
    };
    const onEnd = (): void => {
      leave();
      resolve(size);
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
