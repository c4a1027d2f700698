// JSON over HTTP to a provider: one call with a time limit and a size limit, no redirects, no
// retries. Errors never contain what was sent.
import { Readable } from 'node:stream';
import { Agent, request } from 'undici';
import { headersOfWork } from '../../../concurrency/cause.ts';
import { readJson } from '../../../core/json.ts';

/** Where the provider is, and its limits. */
export interface LineOptions {
  /** Base URL without a slash at the end. */
  readonly url: string;
  /** The workspace's secret at the provider. */
  keyOf(workspace: number): string;
  /** For the whole call, connecting and reading included. Default 10,000. */
  readonly timeoutMs?: number;
  /** For connecting. Default 2,000. */
  readonly connectMs?: number;
  /** Most connections; further calls wait within their time. Default 64. */
  readonly connections?: number;
}

/** An answer as it arrived. */
export interface Reply {
  readonly status: number;
  /** The parsed body, or null if it is not JSON. */
  readonly body: unknown;
}

/** A long body produced while it is sent. */
export class JsonPieces {
  /** Bytes of all pieces. */
  readonly length: number;
  readonly pieces: Iterable<string>;

  constructor(length: number, pieces: Iterable<string>) {
    this.length = length;
    this.pieces = pieces;
  }
}

/** The connection to one provider. */
export interface JsonLine {
  /** One call, a POST if there is a body; rejects on network trouble or timeout. */
  send(workspace: number, path: string, body: object | null): Promise<Reply>;
  /** As `send`, but null without an answer: the request may still have arrived. */
  tried(workspace: number, path: string, body: object | null): Promise<Reply | null>;
  close(): Promise<void>;
}

const TIMEOUT_MS = 10_000;
const CONNECT_MS = 2_000;
const CONNECTIONS = 64;
const ANSWER_BYTES_MAX = 65_536;

/** Opens the connection, to be closed by the caller; a longer answer than given counts as none. */
export function openLine(options: LineOptions, answerBytesMax = ANSWER_BYTES_MAX): JsonLine {
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  const agent = new Agent({
    connect: { timeout: options.connectMs ?? CONNECT_MS },
    connections: options.connections ?? CONNECTIONS,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: answerBytesMax,
  });

  async function send(workspace: number, path: string, body: object | null): Promise<Reply> {
    const response = await request(options.url + path, {
      dispatcher: agent,
      method: body === null ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${options.keyOf(workspace)}`,
        accept: 'application/json',
        ...headersOfWork(),
        ...(body === null ? {} : { 'content-type': 'application/json' }),
        ...(body instanceof JsonPieces ? { 'content-length': String(body.length) } : {}),
      },
      body: textOf(body),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const read = readJson(new Uint8Array(await response.body.arrayBuffer()));
    return { status: response.statusCode, body: read.ok ? read.value : null };
  }

  return {
    send,
    tried: (...exchange) => send(...exchange).catch(() => null),
    close: () => agent.close(),
  };
}

function textOf(body: object | null): string | Readable | null {
  if (body === null) return null;
  return body instanceof JsonPieces ? Readable.from(body.pieces) : JSON.stringify(body);
}
