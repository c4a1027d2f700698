// Answers for putting an answer on the socket, also when the request's body was not read. Refuses
// to know what the answer says.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Refusal } from '../kernel/refusal.ts';
import { hasBody } from './body.ts';
import { answerHeaders, failureBody, failureOf, oauthErrorOf } from './envelope.ts';
import { TROUBLE_HEADERS, troublePage } from './trouble.ts';

/**
 * After an early answer, how long and how much of an unwanted body is still taken off the socket.
 */
const LINGER_MS = 1_000;
const LINGER_BYTES = 262_144;
/**
 * An unread body up to this is left to Node to discard, so that the connection can be used again.
 */
const SMALL_BODY = 65_536;

/**
 * Sends one answer. `body` null: none. Of a body that was not read no more than a little is taken:
 * the answer goes out at once, the connection lingers for a second so that the answer is not lost
 * to a reset, and closes.
 */
export function send(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  body: string | null,
  headers?: Readonly<Record<string, string>>,
  type?: string,
): void {
  if (response.headersSent || response.destroyed) return;
  const length = body === null ? null : Buffer.byteLength(body);
  const list = answerHeaders(length, headers, type);
  if (!request.complete && hasBody(request) && !isSmall(request)) {
    list.push('Connection', 'close');
    response.writeHead(status, list);
    if (body !== null && request.method !== 'HEAD') response.write(body);
    else response.flushHeaders();
    linger(request, response);
    return;
  }
  response.writeHead(status, list);
  if (body === null) response.end();
  else response.end(body);
}

function isSmall(request: IncomingMessage): boolean {
  // A client that waits for "100 Continue" has not begun to send, so there is nothing to discard.
  if (request.headers.expect !== undefined) return false;
  const length = request.headers['content-length'];
  return length !== undefined && Number(length) <= SMALL_BODY;
}

function linger(request: IncomingMessage, response: ServerResponse): void {
  let bytes = 0;
  const finish = (): void => {
    clearTimeout(timer);
    request.off('data', onData);
    request.pause();
    response.end();
  };
  const onData = (chunk: Buffer): void => {
    bytes += chunk.length;
    // Not closed at once: the answer would be lost to the reset while the client still writes.
    if (bytes > LINGER_BYTES) request.pause();
  };
  const timer = setTimeout(finish, LINGER_MS);
  request.on('data', onData);
  request.once('end', finish);
  request.once('close', finish);
  request.on('error', () => {});
  request.resume();
}

/** How a refusal is shown: with OAuth's members, and as the answer to which kind of credentials. */
export interface RefusalStyle {
  /** True on the endpoints of OAuth. */
  readonly oauth: boolean;
  /** The scope that was missing, for the challenge. */
  readonly scope?: string;
  /** Methods that the address has, for a 405. */
  readonly allow?: readonly string[];
  /** True for a person, who is shown a page that says the same. */
  readonly page?: boolean;
}

/** Body and headers of a refusal. */
export function refusalAnswer(
  refusal: Refusal,
  style: RefusalStyle,
): { status: number; body: string; headers: Record<string, string> } {
  const { status, code } = refusal.spec;
  const headers: Record<string, string> = {};
  if (status === 401) headers['WWW-Authenticate'] = challenge(code, style);
  if (status === 403 && style.scope !== undefined) {
    headers['WWW-Authenticate'] = lacking(style);
  }
  if (refusal.retryAfter !== null) headers['Retry-After'] = String(refusal.retryAfter);
  if (style.allow !== undefined) headers['Allow'] = style.allow.join(', ');
  const oauthError = style.oauth ? oauthErrorOf(code, status) : null;
  return { status, body: failureBody(failureOf(refusal), oauthError), headers };
}

function challenge(code: string, style: RefusalStyle): string {
  if (style.oauth) return 'Basic realm="holdfast"';
  if (code === 'TOKEN_MISSING') return 'Bearer realm="holdfast"';
  // The token is good, only not for this. (RFC 6750, section 3.1)
  if (code === 'INSUFFICIENT_SCOPE' || code === 'TOKEN_KIND_REFUSED') return lacking(style);
  return 'Bearer realm="holdfast", error="invalid_token"';
}

function lacking({ scope }: RefusalStyle): string {
  const named = scope === undefined ? '' : `, scope="${scope}"`;
  return `Bearer realm="holdfast", error="insufficient_scope"${named}`;
}

/** Sends a refusal. */
export function sendRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  refusal: Refusal,
  style: RefusalStyle = { oauth: false },
): void {
  const { status, body, headers } = refusalAnswer(refusal, style);
  if (style.page === true) sendTrouble(request, response, status, refusal.spec.code, { headers });
  else send(request, response, status, body, headers);
}

/** Sends the page of a trouble; `reference` names a fault of ours. */
export function sendTrouble(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  code: string,
  more: { readonly headers?: Readonly<Record<string, string>>; readonly reference?: string },
): void {
  const text = troublePage(code, more.reference);
  const headers = { ...more.headers, ...TROUBLE_HEADERS };
  send(request, response, status, text, headers, 'text/html; charset=utf-8');
}
