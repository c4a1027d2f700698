// A workspace's events from GET /v1/events: in order, none missed, each given once. Begins at the
// time at which it was opened.
import type { WebhookEvent } from '../client/index.ts';
import type { Caller } from './caller.ts';
import { Inbox, type EventName, type EventOf, type Wait } from './inbox.ts';

const PAGE = 100;
const ADVICE =
  'Scheduled events arrive after `world.clock.untilIdle()` or `world.clock.next()`; ' +
  '`world.explain(id)` shows what happened so far.';

/** The events of a workspace since it was opened, rolled back or reset. */
export class Events {
  readonly #caller: Caller;
  readonly #inbox: Inbox;
  /** Milliseconds since 1970 by the workspace's clock: older events are not this test's. */
  #since = 0;
  /** The sequence number read so far. */
  #after = 0;

  constructor(caller: Caller) {
    this.#caller = caller;
    this.#inbox = new Inbox(async () => {
      const { events, after } = await this.#read(this.#after);
      this.#after = after;
      this.#inbox.put(...events);
    }, ADVICE);
  }

  /** The oldest event of this name that was not given yet; waits for one. Throws EventMissing. */
  next<Name extends EventName>(
    name: Name,
    wait: Wait<EventOf<Name>> = {},
  ): Promise<EventOf<Name>> {
    return this.#inbox.next(name, wait);
  }

  /** True for an event since the workspace was opened. */
  isOurs({ sent_at }: WebhookEvent): boolean {
    return Date.parse(sent_at) >= this.#since;
  }

  /** Every event since the workspace was opened, given or not. */
  async list(): Promise<readonly WebhookEvent[]> {
    return (await this.#read(0)).events;
  }

  /**
   * Begins at a time of the workspace's clock. By time and not by sequence: a snapshot can hold an
   * event that has no number yet.
   */
  begin(now: string): void {
    this.#since = Date.parse(now);
    this.#after = 0;
    this.#inbox.clear();
  }

  async #read(
    from: number,
  ): Promise<{ readonly events: readonly WebhookEvent[]; readonly after: number }> {
    const found: WebhookEvent[] = [];
    for (let after = from; ; ) {
      const page = { after, limit: PAGE };
      const { events, next_after } = await this.#caller.client.invoicing.listEvents(page);
      const read = events as unknown as readonly WebhookEvent[];
      found.push(...read.filter((event) => this.isOurs(event)));
      if (events.length < PAGE) return { events: found, after: Math.max(after, next_after) };
      after = next_after;
    }
  }
}
