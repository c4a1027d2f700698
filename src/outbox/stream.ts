// The bytes of sealed events. An event that announces a record is stored without it: its body is
// rendered from the immutable rows of that version, so every delivery attempt gets the same bytes.
import type { Queryable } from '../db/index.ts';
import { jsonTextOf } from '../core/json-text.ts';
import type { Records } from './records.ts';
import type { OutboxRow } from './tables.ts';

/** A sealed event as stored. */
export interface StoredEvent extends Omit<OutboxRow, 'message'> {
  readonly sequence: bigint;
  readonly body: string | null;
}

/** Columns of `StoredEvent` for a statement that calls the table `v`; the time is `event_at`. */
export const EVENT_COLUMNS =
  'v.sequence, v.event_id, v.name, v.resource_id, v.resource_version, v.at, v.record, v.body';

/** The exact bytes of events. [G-60] */
export class Stream {
  readonly #db: Queryable;
  readonly #records: Records;
  readonly #environment: string;

  /** `environment` is shown as bucket_key. */
  constructor(db: Queryable, records: Records, environment: string) {
    this.#db = db;
    this.#records = records;
    this.#environment = environment;
  }

  /** Bodies in the order of the events; a missing record is a fault. */
  async bodies(events: readonly StoredEvent[]): Promise<string[]> {
    const bodies = events.map((event) => event.body ?? '');
    for (const kind of new Set(events.map((event) => event.record))) {
      if (kind === null) continue;
      const places = events.flatMap((event, at) => (event.record === kind ? [at] : []));
      const keys = places.map((at) => {
        const { workspace, resource_id: id, resource_version: version } = events[at] as StoredEvent;
        return { workspace, id, version };
      });
      const messages = await this.#records.compose(this.#db, kind, keys);
      places.forEach((at, n) => {
        const event = events[at] as StoredEvent;
        bodies[at] = eventBody(this.#environment, event, jsonTextOf(messages[n]));
      });
    }
    return bodies;
  }
}

/** The envelope around a message. [G-60] */
export function eventBody(
  environment: string,
  event: Omit<StoredEvent, 'workspace' | 'record' | 'body'>,
  message: string,
): string {
  const head = JSON.stringify({
    event_id: event.event_id,
    event_name: event.name,
    bucket_key: environment,
    sent_at: event.at,
    sequence: Number(event.sequence),
    resource_version: event.resource_version,
  });
  return `${head.slice(0, -1)},"message":${message}}`;
}
