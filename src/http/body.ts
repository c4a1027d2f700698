// Receives the bytes of a request's body: its declared length, and reading within a limit.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { inputRefusals } from '../core/input-refusals.ts';
import { refuse } from '../core/refusal.ts';
import { ArrivedRequest } from './thread/whole.ts';

/** Body limit of an operation that sets none: 1 MB. [G-70] */
export const DEFAULT_BODY_LIMIT = 1_048_576;

/** The client disconnected before its request was read: there is nobody to answer. */
export class ClientGone {}

/** True if the request announces a body of at least one byte, or of unknown length. */
export function hasBody(request: IncomingMessage): boolean {
  if (request.headers['transfer-encoding'] !== undefined) return true;
  const length = request.headers['content-length'];
  return length !== undefined && length !== '0';
}

/** Refuses a body that declares more than `limit` bytes before any is read. */
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
  if (request instanceof ArrivedRequest) return request.bytes;
  const chunks: Buffer[] = [];
  const size = await receiveBody(request, response, limit, (chunk) => chunks.push(chunk));
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size);
}

/**
 * Passes on the body as it arrives and resolves with its size; one byte too many ends it with 413.
 * Rejects with `ClientGone` if the client disconnects or has done so.
 */
export function receiveBody(
  request: IncomingMessage,
  response: ServerResponse,
  limit: number,
  take: (chunk: Buffer) => void,
): Promise<number> {
  if (request.destroyed) return Promise.reject(new ClientGone());
  // Sent only now, so that a refused request is not invited to send its body.
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
      // A later error of an unread socket must not end the process.
      request.on('error', ignore);
    };
    request.on('data', onData);
    request.on('end', onEnd);
    request.on('close', onGone);
    request.on('error', onGone);
  });
}

function ignore(): void {}
