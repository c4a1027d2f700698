// The shop's own HTTP: reads requests and sends answers, with a body limit, forms accepted from our
// own pages only, and headers that let nothing foreign run.
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Html } from './html.ts';

/** One request, read. */
export interface Visit {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  /** The bytes; empty for a GET. */
  readonly body: Buffer;
}

/** One answer. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Why a request is refused: a status, and a sentence for a person. */
export class Objection extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const LARGEST_BODY = 1_048_576;

/** Reads a request to its end. Throws Objection 413. */
export async function readVisit(request: IncomingMessage): Promise<Visit> {
  const [path = '/', query = ''] = (request.url ?? '/').split('?', 2);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST_BODY) throw new Objection(413, 'That was too much to send at once.');
    chunks.push(chunk);
  }
  const { method = 'GET', headers } = request;
  const asked = new URLSearchParams(query);
  return { method, path, query: asked, headers, body: Buffer.concat(chunks) };
}

/** The fields of a form. */
export function formOf({ body }: Visit): URLSearchParams {
  return new URLSearchParams(body.toString());
}

/** True if one of the shop's own pages sent it, so that no other site can act for the visitor. */
export function fromHere({ headers }: Visit, origin: string): boolean {
  if (headers.origin !== undefined) return headers.origin === origin;
  return headers['sec-fetch-site'] === 'same-origin';
}

/** What was chosen in this browser, such as a person; '' for nothing. */
export function chosen({ headers }: Visit, name: 'who' | 'language'): string {
  const pairs = (headers.cookie ?? '').split(/;\s*/).map((pair) => pair.split('='));
  return pairs.find(([key]) => key === `kiln_${name}`)?.[1] ?? '';
}

/** The cookie that stores the choice, for this browser and this site alone. */
export function choose(name: 'who' | 'language', value: string): Record<string, string> {
  return { 'set-cookie': `kiln_${name}=${value}; Path=/; HttpOnly; SameSite=Lax` };
}

/** A page. */
export function page(body: Html, status = 200): Reply {
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body: body.text };
}

/** Redirects the browser, with a GET. */
export function goTo(path: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status: 303, headers: { location: path, ...headers }, body: '' };
}

/** An answer to the page's own script. */
export function json(value: unknown): Reply {
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(value),
  };
}

/** A file that browsers cache until it changes. */
export function file(visit: Visit, type: string, body: string): Reply {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 20)}"`;
  const headers = { 'content-type': type, 'cache-control': 'no-cache', etag };
  if (visit.headers['if-none-match'] === etag) return { status: 304, headers, body: '' };
  return { status: 200, headers, body };
}

/** Sends an answer, with headers under which only our files and the widget run. */
export function send(response: ServerResponse, reply: Reply, widget: string): void {
  response.writeHead(reply.status, {
    'cache-control': 'no-store',
    'content-security-policy': policy(widget),
    // Windows of browser logins, opened by the widget's frame, can still report back.
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'permissions-policy': `camera=(self "${widget}"), payment=(self "${widget}")`,
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    ...reply.headers,
  });
  response.end(reply.body);
}

function policy(widget: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${widget}`,
    `frame-src ${widget}`,
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
