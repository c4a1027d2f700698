// What a listener is, on whichever thread it listens: its limits, and the door to who answers.
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Limits of a listener. [reliability: back-pressure] */
export interface ListenerLimits {
  /** Milliseconds for all headers of a request. */
  readonly headersMs: number;
  /** Milliseconds for a whole request, from first to last byte. */
  readonly requestMs: number;
  /** Milliseconds that an idle connection is kept. */
  readonly keepAliveMs: number;
  /** Requests per connection; 0 for no limit. */
  readonly requestsPerSocket: number;
  /** Concurrent connections; more are closed unanswered. */
  readonly connections: number;
}

export const DEFAULT_LIMITS: ListenerLimits = {
  headersMs: 10_000,
  requestMs: 30_000,
  // Longer than a proxy's own keep-alive, so that it never reuses a connection being closed.
  keepAliveMs: 80_000,
  requestsPerSocket: 0,
  connections: 2_000,
};

/** Handles a valid HTTP request. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Who answers the requests of a listener: another once its host is ready. */
export interface Door {
  handle: Handler;
}

/** A socket that listens, on whichever thread. */
export interface Listener {
  /** The port it listens on from now on; null if the address is taken. 0 chooses one. */
  listen(port: number, address: string): Promise<number | null>;
  /** From now on every answer closes its connection, also of running requests. */
  drain(): void;
  /** Accepts no more connections; running requests get `graceMs` to finish, then are cut. */
  close(graceMs: number): Promise<void>;
}
