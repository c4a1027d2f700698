// Waiting for what comes by itself: an event, a state, a row.
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';

const LOOK_EVERY_MS = 20;

/** What is looked for: null, undefined or false is "not yet". */
type Look<T> = () => Promise<T | null | undefined | false> | T | null | undefined | false;

/** Looks until something is there and returns it; throws after the time, in milliseconds. */
export async function until<T>(what: string, look: Look<T>, withinMs = 40_000): Promise<T> {
  for (const end = Date.now() + withinMs; ; await delay(LOOK_EVERY_MS)) {
    const found = await look();
    if (found !== null && found !== undefined && found !== false) return found;
    assert.ok(Date.now() < end, `${what}: not within ${withinMs} ms`);
  }
}
