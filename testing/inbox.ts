// Events that came and were not asked for yet, in their order. Answers for giving each one once,
// and for a wait with an end that says what came instead. Refuses to know where they come from.
import type { WebhookEvent } from '../client/index.ts';
import { onlyKnown, type NamesOf } from './options.ts';

/** The name of an event. */
export type EventName = WebhookEvent['event_name'];

/** The event of one name. */
export type EventOf<Name extends EventName> = Extract<WebhookEvent, { event_name: Name }>;

/** Which event is waited for, and how long. */
export interface Wait<Event> {
  /** Says whether it is this one; the first of its name when absent. */
  readonly where?: (event: Event) => boolean;
  /** Milliseconds; 5 seconds when absent. */
  readonly timeoutMs?: number;
}

/** Nothing that was waited for came in time; the message says what came. */
export class EventMissing extends Error {
  override readonly name = 'EventMissing';
}

const NAMES: NamesOf<Wait<never>> = { where: true, timeoutMs: true };
const TIMEOUT_MS = 5_000;
const LOOK_EVERY_MS = 20;

/** Waits in order: what `look` fetches (or others put in) is given once each. */
export class Inbox {
  readonly #left: WebhookEvent[] = [];
  readonly #look: () => Promise<void>;
  readonly #advice: string;
  #looking: Promise<void> | null = null;

  /** `look` fetches what is new; `advice` ends the message of a wait in vain. */
  constructor(look: () => Promise<void>, advice: string) {
    this.#look = look;
    this.#advice = advice;
  }

  /** Adds what came. */
  put(...events: readonly WebhookEvent[]): void {
    this.#left.push(...events);
  }

  /** Forgets what nobody asked for. */
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

  /** Several who wait at once look together, so that nothing is fetched twice. */
  #lookOnce(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  #reproach(name: string, timeoutMs: number): string {
    const came = this.#left.map(({ event_name }) => event_name).join(', ');
    const instead = came === '' ? 'Nothing else came' : `What came and was not asked for: ${came}`;
    return `No ${name} that fits came within ${timeoutMs} ms. ${instead}. ${this.#advice}`;
  }
}
