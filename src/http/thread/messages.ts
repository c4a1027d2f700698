// What goes from thread to thread. Requests and answers travel as lists, one for each turn of an
// event loop: alone a message costs seven times as much.
import type { ListenerLimits } from '../listener.ts';

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

/** What the main thread tells; `lag` is a question. */
export type ToThread = Order | { readonly kind: 'lag' } | readonly WholeAnswer[];
