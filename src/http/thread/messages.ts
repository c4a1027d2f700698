// What the HTTP thread and the main thread tell each other. Requests and answers travel as lists,
// one for each turn of an event loop: alone a message costs seven times as much.
import type { MessagePort } from 'node:worker_threads';
import type { ListenerLimits } from '../server.ts';

/** A whole request. Its body is bytes as Latin-1, which copies faster than a view of them. */
export type WholeRequest = readonly [
  id: number,
  listener: number,
  method: string,
  url: string,
  minorVersion: number,
  host: string | undefined,
  peer: string | undefined,
  rawHeaders: string[],
  body: string,
];

/** A whole answer; names and values of its headers alternate. */
export type WholeAnswer = readonly [
  id: number,
  status: number,
  headers: readonly string[],
  body: string | Uint8Array | null,
];

/** What the main thread asks for, by the number of a listener. */
export type Order =
  | { readonly kind: 'make'; readonly listener: number; readonly limits: ListenerLimits }
  | {
      readonly kind: 'listen';
      readonly listener: number;
      readonly port: number;
      readonly address: string;
    }
  | { readonly kind: 'drain'; readonly listener: number }
  | { readonly kind: 'close'; readonly listener: number; readonly graceMs: number };

/** What an order to listen or to close came to. */
export interface Done {
  readonly kind: 'done';
  readonly listener: number;
  /** The port that is listened on; null where it was taken. */
  readonly port: number | null;
  /** Why it could not be done. */
  readonly failure: string | null;
}

/** A request that is passed on as it arrives, over a port of its own. */
export interface Relayed {
  readonly kind: 'relayed';
  readonly listener: number;
  readonly peer: string | undefined;
  readonly port: MessagePort;
}

export type ToThread = Order | readonly WholeAnswer[];
export type FromThread = Done | Relayed | readonly WholeRequest[];
