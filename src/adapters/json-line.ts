// Answers for one exchange of JSON with a foreign system over HTTP: a limit of time, a limit of
// size, no redirect, no repetition. Whatever goes wrong is told without a word of what was sent.
// Refuses to know what an answer means.
import { Readable } from 'node:stream';
import { Agent, request } from 'undici';
import { readJson } from '../kernel/json.ts';

/** Where the system is and how long it is waited for. */
export interface LineOptions {
  /** Base address without a slash at the end. */
  readonly url: string;
  /** The secret of a world at the system. */
  keyOf(world: number): string;
  /** For one whole exchange, connecting and reading included. Default 10,000. */
  readonly timeoutMs?: number;
  /** For a connection. Default 2,000. */
  readonly connectMs?: number;
  /** Connections at most; more exchanges wait, within their time. Default 64. */
  readonly connections?: number;
}

/** An answer as it arrived. */
export interface Reply {
  readonly status: number;
  /** The parsed body, or null when it is not JSON. */
  readonly body: unknown;
}

/** A long body that is made while it is sent. */
export class JsonPieces {
  /** Bytes of all pieces. */
  readonly length: number;
  readonly pieces: Iterable<string>;

  constructor(length: number, pieces: Iterable<string>) {
    this.length = length;
    this.pieces = pieces;
  }
}

/** The way to one system. */
export interface JsonLine {
  /**
   * One exchange, a POST where there is a body; rejects on any trouble of the network or the clock.
   */
  send(world: number, path: string, body: object | null): Promise<Reply>;
  /** Null where no answer came: whatever went wrong, the request may have arrived. */
  tried(world: number, path: string, body: object | null): Promise<Reply | null>;
  close(): Promise<void>;
}

const TIMEOUT_MS = 10_000;
const CONNECT_MS = 2_000;
const CONNECTIONS = 64;
const ANSWER_BYTES_MAX = 65_536;

/** Opens the way; `answerBytesMax`: a longer answer is none. Close it when done. */
export function openLine(options: LineOptions, answerBytesMax = ANSWER_BYTES_MAX): JsonLine {
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  const agent = new Agent({
    connect: { timeout: options.connectMs ?? CONNECT_MS },
    connections: options.connections ?? CONNECTIONS,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: answerBytesMax,
  });

  async function send(world: number, path: string, body: object | null): Promise<Reply> {
    const response = await request(options.url + path, {
      dispatcher: agent,
      method: body === null ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${options.keyOf(world)}`,
        accept: 'application/json',
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
