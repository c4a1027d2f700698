// The end of an answer whose client is still sending its body.
import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * How long a client has to take an early answer, and how much unwanted body is still read. A busy
 * one sends its body for seconds before it reads.
 */
const LINGER_MS = 5_000;
const LINGER_BYTES = 262_144;

/**
 * Ends an answer that is written already once the client has sent its body or gone, after five
 * seconds at most: a connection closed before would be reset, and the answer lost.
 */
export function linger(request: IncomingMessage, response: ServerResponse): void {
  let bytes = 0;
  const finish = (): void => {
    clearTimeout(timer);
    request.off('data', onData);
    request.pause();
    response.end();
  };
  const onData = (chunk: Buffer): void => {
    bytes += chunk.length;
    // Not closed yet: while the client still writes, a reset would destroy the answer.
    if (bytes > LINGER_BYTES) request.pause();
  };
  const timer = setTimeout(finish, LINGER_MS);
  request.on('data', onData);
  request.once('end', finish);
  request.once('close', finish);
  request.on('error', () => {});
  request.resume();
}
