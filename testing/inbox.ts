// Events that came and were not taken yet, in order. Each is given once, and a wait in vain ends
// with a message that says what came instead.
import type { WebhookEvent } from '../client/index.ts';
import { onlyKnown, type NamesOf } from './options.ts';

/** The name of an event. */
export type EventName = WebhookEvent['event_name'];

/** The event of one name. */
export type EventOf<Name extends EventName> = Extract<WebhookEvent, { event_name: Name }>;

/** Which event is awaited, and how long. */
export interface Wait<Event> {
  /** Selects the event; default: the first of its name. */
  readonly where?: (event: Event) => boolean;
  /** Milliseconds; default 5 seconds. */
  readonly timeoutMs?: number;
}

/** The awaited event did not come in time; the message says what came. */
export class EventMissing extends Error {
  override readonly name = 'EventMissing';
}

const NAMES: NamesOf<Wait<never>> = { where: true, timeoutMs: true };
const TIMEOUT_MS = 5_000;
const LOOK_EVERY_MS = 20;

/** Gives out in order what `look` fetches (or others put in), each once. */
export class Inbox {
  readonly #left: WebhookEvent[] = [];
  readonly #look: () => Promise<void>;
  readonly #advice: string;
  #looking: Promise<void> | null = null;

  /** `look` fetches new events; `advice` ends the message of a wait in vain. */
  constructor(look: () => Promise<void>, advice: string) {
    this.#look = look;
    this.#advice = advice;
  }

  /** Adds events. */
  put(...events: readonly WebhookEvent[]): void {
    this.#left.push(...events);
  }

  /** Drops events that nobody took. */
  clear(): void {
    this.#left.length = 0;
  }

  /** The oldest event of the name that was not given yet; waits for it. Throws EventMissing. */
  async next<Name extends EventName>(
    name: Name,
    wait: Wait<EventOf<Name>>,
  ): Promise<EventOf<Name>> {
    onlyKnown('next', wait, NAMES);
    const { where = () => true, timeoutMs = TIMEOUT_MS } = wait;
    const deadline = Date.now() + timeoutMs;
    const fits = (event: WebhookEvent): event is EventOf<Name> =>
      event.event_name === name && where(event as EventOf<Name>);
    for (;;) {
      await this.#lookOnce();
      const at = this.#left.findIndex(fits);
      if (at >= 0) return this.#left.splice(at, 1)[0] as EventOf<Name>;
      if (Date.now() >= deadline) throw new EventMissing(this.#reproach(name, timeoutMs));
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }

  /** Concurrent waiters fetch together, so that nothing is fetched twice. */
  #lookOnce(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  #reproach(name: string, timeoutMs: number): string {
    const came = this.#left.map(({ event_name }) => event_name).join(', ');
    const instead = came === '' ? 'Nothing else arrived' : `Arrived instead: ${came}`;
    return `No matching ${name} arrived within ${timeoutMs} ms. ${instead}. ${this.#advice}`;
  }
}
