// One connection that never waits for ever. The driver knows no limit for an answer, and an error
// that is thrown while it reads ends the process: here both end the connection alone, and whoever
// waits on it hears that it was lost.
import pg from 'pg';
import type { Duplex } from 'node:stream';

/** The connection was given up: it fell silent, or it sent what makes no sense. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

/** What a connection is made with, beyond what the driver asks. */
export interface ClientOptions extends pg.ClientConfig {
  /** Milliseconds without an answer to what was sent; absent: no limit. */
  readonly answerMs?: number;
  /** Told of the SQLSTATE of each error that the database answers. */
  readonly told?: (state: string) => void;
}

/** What is used of the driver's own connection. */
interface Wire {
  readonly stream: Duplex;
  attachListeners(stream: Duplex): void;
  on(event: 'errorMessage', listener: (message: { code?: string }) => void): void;
  on(event: 'commandComplete' | 'emptyQuery' | 'readyForQuery', listener: () => void): void;
}

/** How long a new connection is waited for. */
export const CONNECT_MS = 2_000;

const SWEEP_MS = 250;

const watched = new Set<Client>();
let sweeping: NodeJS.Timeout | null = null;
let sweptAt = 0;

/** A client of the driver whose silence and whose nonsense cost itself only. */
export class Client extends pg.Client {
  readonly #answerMs: number;
  /** Statements and groups that were answered. */
  #answers = 0;
  #seen = 0;
  /** When the last answer was seen, and for how long one has been waited for since. */
  #heardAt = performance.now();
  #waitedMs = 0;
  #leaving = false;

  constructor(options: ClientOptions = {}) {
    super({
      ...options,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      connectionTimeoutMillis: CONNECT_MS,
    });
    this.#answerMs = options.answerMs ?? Number.POSITIVE_INFINITY;
    const wire = this.#wire();
    const attach = wire.attachListeners.bind(wire);
    wire.attachListeners = (stream) => {
      attach(stream);
      guard(stream);
    };
    this.#listen(wire, options.told);
    // The driver keeps the socket open after an error that leaves nothing to be done with it.
    this.on('error', () => this.#wire().stream.destroy());
    this.once('connect', () => watch(this));
    this.once('end', () => watched.delete(this));
  }

  /** Hears each end of an answer before the driver does, and refuses what cannot be one. */
  #listen(wire: Wire, told: ClientOptions['told']): void {
    // The first one ends the greeting.
    let complete = true;
    const answered = (): void => {
      this.#answers += 1;
      complete = true;
    };
    wire.on('commandComplete', answered);
    wire.on('emptyQuery', answered);
    wire.on('errorMessage', ({ code }) => {
      // So the driver reports bytes that are no message.
      if (code === undefined) throw new Error('the database sent no message that is known');
      complete = true;
      told?.(code);
    });
    wire.on('readyForQuery', () => {
      if (!complete) throw new Error('the database is ready without an answer');
      this.#answers += 1;
      complete = false;
    });
  }

  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | void {
    this.#leaving = true;
    return callback === undefined ? super.end() : super.end(callback);
  }

  /** Counts the time without an answer; past the limit the connection is lost. */
  sweep(now: number, passed: number): void {
    if (this.#answers !== this.#seen) {
      this.#seen = this.#answers;
      this.#heardAt = now;
      this.#waitedMs = 0;
    } else if (this.#waits || this.#leaving) {
      this.#waitedMs += passed;
    }
    if (this.#waitedMs <= this.#answerMs) return;
    this.#lose(`the database did not answer within ${this.#answerMs} ms`);
    // Those that lie idle and were not heard since would each cost somebody the same wait.
    for (const other of watched) other.#loseIdle(now - this.#waitedMs);
  }

  #loseIdle(since: number): void {
    if (this.#heardAt >= since + 2 * SWEEP_MS || this.getTransactionStatus() !== 'I') return;
    if (!this.#waits) this.#lose('another connection to the database fell silent');
  }

  /** True while something that was sent has no answer. */
  get #waits(): boolean {
    return (this as unknown as { readonly readyForQuery?: boolean }).readyForQuery === false;
  }

  #lose(why: string): void {
    watched.delete(this);
    this.#wire().stream.destroy(new ConnectionLost(why));
  }

  #wire(): Wire {
    return (this as unknown as { readonly connection: Wire }).connection;
  }
}

/** Whatever is thrown while an answer is read ends the connection that sent it. */
function guard(stream: Duplex): void {
  const read = stream.listeners('data').at(-1) as (bytes: Buffer) => void;
  stream.off('data', read);
  stream.on('data', (bytes: Buffer) => {
    try {
      read(bytes);
    } catch (cause) {
      stream.destroy(new ConnectionLost('the database sent what makes no sense here', { cause }));
    }
  });
}

/** One timer for all connections of the process; it keeps no process alive. */
function watch(client: Client): void {
  watched.add(client);
  if (sweeping !== null) return;
  sweptAt = performance.now();
  sweeping = setInterval(sweepAll, SWEEP_MS).unref();
}

function sweepAll(): void {
  const now = performance.now();
  // While this process stood still, answers may have come that nobody has read yet.
  const passed = Math.min(now - sweptAt, 2 * SWEEP_MS);
  sweptAt = now;
  for (const client of watched) client.sweep(now, passed);
  if (watched.size > 0 || sweeping === null) return;
  clearInterval(sweeping);
  sweeping = null;
}
