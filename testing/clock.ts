// The clock of a workspace: everything virtual follows it, and when a call returns, everything due
// has been done.
import type {
  ClockState,
  DueAction,
  SandboxMoveClockAnswer,
  SandboxMoveClockInput,
} from '../client/generated.ts';
import type { Caller } from './caller.ts';
import { onlyKnown } from './options.ts';

/** `90s`, `15m`, `36h`, `7d` or `2w`; parts that add up; or seconds. */
export type Span =
  | number
  | `${number}${'s' | 'm' | 'h' | 'd' | 'w'}`
  | {
      readonly weeks?: number;
      readonly days?: number;
      readonly hours?: number;
      readonly minutes?: number;
      readonly seconds?: number;
    };

/** Something scheduled: RFC 3339, by the workspace's clock. */
export type DueThing = DueAction;

/** Result of moving the clock; `steps` are what became due, in order. */
export type ClockMove = SandboxMoveClockAnswer;

export type { ClockState };

/** The platform answers within 50 seconds, however much became due. */
const MOVED_WITHIN_MS = 60_000;
const SECONDS = { seconds: 1, minutes: 60, hours: 3_600, days: 86_400, weeks: 604_800 } as const;

/** The seconds of a span. Throws a RangeError for an invalid one, a TypeError for another unit. */
export function secondsOf(span: Span): number {
  if (typeof span === 'number') return span;
  if (typeof span === 'object') {
    onlyKnown('a span', span, SECONDS);
    const parts = Object.entries(SECONDS) as [keyof typeof SECONDS, number][];
    return parts.reduce((sum, [unit, seconds]) => sum + (span[unit] ?? 0) * seconds, 0);
  }
  const [, count = '', letter = ''] = /^(\d+(?:\.\d+)?)([smhdw])$/.exec(span) ?? [];
  const unit = Object.entries(SECONDS).find(([name]) => name.startsWith(letter));
  if (letter !== '' && unit !== undefined) return Number(count) * unit[1];
  throw new RangeError(`A span is seconds, { days: 1 } or 90s, 15m, 36h, 7d, 2w; not "${span}".`);
}

/** The clock of one workspace. */
export class Clock {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** The workspace's time. */
  async now(): Promise<Date> {
    return new Date((await this.state()).now);
  }

  /** The clock's time, and what is due when. */
  state(): Promise<ClockState> {
    return this.#caller.client.invoicing.sandboxClock();
  }

  /** Advances by that much; everything due runs at its own time. */
  advance(span: Span): Promise<ClockMove> {
    return this.#move({ advance_seconds: secondsOf(span) });
  }

  /** Advances to a time, which must be later than now. */
  advanceTo(moment: Date | string): Promise<ClockMove> {
    return this.#move({ to: typeof moment === 'string' ? moment : moment.toISOString() });
  }

  /** Advances to the next due thing of any kind. */
  next(): Promise<ClockMove> {
    return this.#move({ next: true });
  }

  /** Advances until nothing is in progress, but not to limits such as the expiry of a link. */
  untilIdle(): Promise<ClockMove> {
    return this.#move({ until_idle: true });
  }

  #move(wish: SandboxMoveClockInput): Promise<ClockMove> {
    const { invoicing } = this.#caller.client;
    return invoicing.sandboxMoveClock(wish, { timeoutMs: MOVED_WITHIN_MS });
  }
}
