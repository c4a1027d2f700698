// Calls of a workspace's clock, for tests, by token.
import type { Api } from '../kit/api.ts';

/** Seconds of a day. */
export const DAY = 86_400;

/** An entry of the schedule. */
export interface Due {
  readonly at: string;
  readonly what: string;
  readonly id: string;
}

/** The state of a clock. */
export interface Clock {
  readonly now: string;
  readonly offset_seconds: number;
  readonly under_way: number;
  readonly next: Due | null;
  readonly due: readonly Due[];
}

/** Result of moving the clock. */
export interface Moved {
  readonly before: string;
  readonly now: string;
  readonly steps: readonly Due[];
  readonly idle: boolean;
  readonly next: Due | null;
}

/** The clock of one workspace. */
export interface Clocks {
  read(): Promise<Clock>;
  move(body: object): Promise<Moved>;
}

/** The clock of the token's workspace; without a token, of the sandbox's own. */
export function clockOf(api: Api, token?: string): Clocks {
  const call = token === undefined ? {} : { token };
  return {
    read: () => api.must(200, 'invoicing', 'GET', '/sandbox/clock', call),
    move: (body) => api.must(200, 'invoicing', 'POST', '/sandbox/clock', { body, ...call }),
  };
}

/** Seconds from one moment to another. */
export function secondsBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 1_000;
}
