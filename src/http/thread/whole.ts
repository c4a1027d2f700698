// A request that came whole from the HTTP thread, and its answer, which goes there whole: the main
// thread neither parses nor writes to a socket for them.
import { EventEmitter } from 'node:events';
import { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { WholeAnswer, WholeRequest } from './messages.ts';

/** By which Node's parser gives a request its headers: which are joined, and which count once. */
interface ParsedInto {
  _addHeaderLines(raw: readonly string[], count: number): void;
}

/** A request whose body is here. */
export class ArrivedRequest extends IncomingMessage {
  readonly #body: string;

  constructor([, , method, url, minor, host, peer, rawHeaders, body]: WholeRequest) {
    super({ remoteAddress: peer } as Socket);
    this.method = method;
    this.url = url;
    this.httpVersionMajor = 1;
    this.httpVersionMinor = minor;
    this.httpVersion = `1.${minor}`;
    (this as unknown as ParsedInto)._addHeaderLines(rawHeaders, rawHeaders.length);
    if (host !== undefined) this.headers.host = host;
    this.complete = true;
    this.#body = body;
  }

  /** The whole body. */
  get bytes(): Buffer {
    return Buffer.from(this.#body, 'latin1');
  }

  override _read(): void {
    this.push(this.bytes);
    this.push(null);
  }

  override _destroy(error: Error | null, destroyed: (error?: Error | null) => void): void {
    destroyed(error);
  }
}

/** Its answer: what is written is kept until the end, then sent at once. */
export class ArrivedAnswer extends EventEmitter {
  statusCode = 200;
  headersSent = false;
  readonly destroyed = false;
  readonly #id: number;
  readonly #send: (answer: WholeAnswer) => void;
  #headers: readonly string[] = [];

  constructor(id: number, send: (answer: WholeAnswer) => void) {
    super();
    this.#id = id;
    this.#send = send;
  }

  writeHead(status: number, headers: readonly string[]): void {
    this.statusCode = status;
    this.#headers = headers;
    this.headersSent = true;
  }

  end(body: string | Uint8Array | null = null): void {
    this.#send([this.#id, this.statusCode, this.#headers, body]);
  }
}
