// Writes an answer to the socket, also if the request's body was not read.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Refusal } from '../core/refusal.ts';
import { hasBody } from './body.ts';
import { answerHeaders, failureBody, failureOf, oauthErrorOf } from './envelope.ts';
import { linger } from './linger.ts';
import { NOTE_HEADERS } from '../markup/note-page.ts';
import { REQUEST_ID, workOf } from './request-work.ts';
import { troublePage } from './trouble.ts';

/** An unread body up to this size is left to Node to discard, which keeps the connection usable. */
const SMALL_BODY = 65_536;

/**
 * Sends one answer; `body` null: none. If a large body was not read, the answer goes out at once
 * and the client has time to take it.
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
  list.push(REQUEST_ID, workOf(request).cause.requestId);
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
  // A client waiting for "100 Continue" has not sent its body, so nothing is to be discarded.
  if (request.headers.expect !== undefined) return false;
  const length = request.headers['content-length'];
  return length !== undefined && Number(length) <= SMALL_BODY;
}

/** How a refusal is shown: with OAuth's members, and with which challenge. */
export interface RefusalStyle {
  /** True on OAuth's endpoints. */
  readonly oauth: boolean;
  /** The missing scope, for the challenge. */
  readonly scope?: string;
  /** Methods allowed at the path, for a 405. */
  readonly allow?: readonly string[];
  /** True to answer a person with a page. */
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
  // The token is valid, but not for this. (RFC 6750, section 3.1)
  if (code === 'INSUFFICIENT_SCOPE' || code === 'TOKEN_KIND_REFUSED') return lacking(style);
  return 'Bearer realm="holdfast", error="invalid_token"';
}

function lacking({ scope }: RefusalStyle): string {
  const named = scope === undefined ? '' : `, scope="${scope}"`;
  return `Bearer realm="holdfast", error="insufficient_scope"${named}`;
}

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

/** Sends the error page; `reference` identifies a fault. */
export function sendTrouble(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  code: string,
  more: { readonly headers?: Readonly<Record<string, string>>; readonly reference?: string },
): void {
  const text = troublePage(code, more.reference, request.headers);
  const headers = { ...more.headers, ...NOTE_HEADERS };
  send(request, response, status, text, headers, 'text/html; charset=utf-8');
}
