// The event stream for terminal tools: its newest event, what came after a number, and what each
// event is about.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from './server.ts';

/** One event, as delivered. [G-60] */
export interface EventSeen {
  readonly event_id: string;
  readonly event_name: string;
  readonly sequence: number;
  readonly sent_at: string;
  readonly message: Readonly<Record<string, unknown>>;
}

/** Milliseconds between reads while the stream is followed. */
export const LOOK_EVERY_MS = 300;
/** The same, while waiting for an event that must come at once. */
const AWAIT_EVERY_MS = 100;

/** Up to `limit` events after a sequence number, in order. */
export async function eventsAfter(
  server: Server,
  after: number,
  limit: number,
): Promise<EventSeen[]> {
  const path = `/v1/events?after=${after}&limit=${limit}`;
  return ((await server.call('invoicing', 'GET', path)) as { events: EventSeen[] }).events;
}

/**
 * The newest event, or null for none. The stream can only be read from a number, and numbers have
 * no gaps: doubling and bisection finds the end in a few small calls.
 */
export async function newestEvent(server: Server): Promise<EventSeen | null> {
  const next = async (after: number): Promise<EventSeen | null> =>
    (await eventsAfter(server, after, 1))[0] ?? null;
  let newest = await next(0);
  if (newest === null) return null;
  let beyond = 2;
  for (;;) {
    const found = await next(beyond - 1);
    if (found === null) break;
    newest = found;
    beyond *= 2;
  }
  while (newest.sequence + 1 < beyond) {
    const middle = Math.floor((newest.sequence + beyond) / 2);
    const found = await next(middle - 1);
    if (found === null) beyond = middle;
    else newest = found;
  }
  return newest;
}

/** Waits for the first matching event after a number; null if none came in time. */
export async function awaitEvent(
  server: Server,
  after: number,
  fits: (event: EventSeen) => boolean,
  withinMs: number,
): Promise<EventSeen | null> {
  const deadline = Date.now() + withinMs;
  let last = after;
  for (;;) {
    const events = await eventsAfter(server, last, 100);
    const found = events.find(fits);
    if (found !== undefined) return found;
    last = events.at(-1)?.sequence ?? last;
    if (Date.now() > deadline) return null;
    if (events.length === 0) await sleep(AWAIT_EVERY_MS);
  }
}

/** Names of id fields in payloads, the most specific first. */
const IDS = [
  'id',
  'payout_status_id',
  'deposit_id',
  'payment_method_id',
  'entity_id',
  'refund_id',
  'invoice_id',
  'account_id',
];
const STATES = ['state', 'status', 'entity_status'];

/** The id of what an event is about, and its state if it has one; else empty texts. */
export function subjectOf({ message }: EventSeen): { readonly id: string; readonly state: string } {
  const all = { ...(message['refund'] as object | undefined), ...message };
  const first = (names: readonly string[]): string => {
    const texts = names.map((name) => Reflect.get(all, name) as unknown);
    return texts.find((text) => typeof text === 'string' && text !== '')?.toString() ?? '';
  };
  return { id: first(IDS), state: first(STATES) };
}
