// Answers for the ways in which one exchange with the sandbox processor can go, each a row: what
// happens in the book, and what the caller gets to see of it. Test cards and scripts name rows of
// this list, so a new kind of trouble is one more row. Knows nothing of cards, SQL or HTTP.
import type { CardFailureCode } from './protocol.ts';
import { CARD_FAILURE_CODES } from './protocol.ts';

/** One way in which an exchange goes. */
export interface Exchange {
  /** Milliseconds before anything happens in the book. */
  readonly waitMs: number;
  /** What happens in the book; `none`: nothing. */
  readonly effect: 'none' | 'honest' | 'decline' | 'one_less' | 'other_currency';
  /** The code of a decline. */
  readonly code?: CardFailureCode;
  /** What is sent: the truth, nothing for a long time, a status, or words that make no sense. */
  readonly reply: 'truth' | 'silence' | 'fault' | 'busy' | 'garbled';
}

const SLOW_MS = 2_000;
/** Longer than any client of ours waits, so the effect comes after the client has given up. */
const LATE_MS = 15_000;
/** A connection without an answer is closed with a 504 after this long. */
export const SILENCE_MS = 60_000;

const TROUBLES = {
  honest: { waitMs: 0, effect: 'honest', reply: 'truth' },
  slow: { waitMs: SLOW_MS, effect: 'honest', reply: 'truth' },
  timeout_before_effect: { waitMs: 0, effect: 'none', reply: 'silence' },
  timeout_after_effect: { waitMs: 0, effect: 'honest', reply: 'silence' },
  late_effect: { waitMs: LATE_MS, effect: 'honest', reply: 'silence' },
  fault_before_effect: { waitMs: 0, effect: 'none', reply: 'fault' },
  fault_after_effect: { waitMs: 0, effect: 'honest', reply: 'fault' },
  busy: { waitMs: 0, effect: 'none', reply: 'busy' },
  garbled_after_effect: { waitMs: 0, effect: 'honest', reply: 'garbled' },
  one_less: { waitMs: 0, effect: 'one_less', reply: 'truth' },
  other_currency: { waitMs: 0, effect: 'other_currency', reply: 'truth' },
} as const satisfies Record<string, Exchange>;

type TroubleName = keyof typeof TROUBLES;
type DeclineName = `decline_${CardFailureCode}`;
/** Names that test cards and scripts use. */
export type ExchangeName = TroubleName | DeclineName;

const ROWS: ReadonlyMap<string, Exchange> = new Map<string, Exchange>([
  ...Object.entries(TROUBLES),
  ...CARD_FAILURE_CODES.map(
    (code) =>
      [`decline_${code}`, { waitMs: 0, effect: 'decline', code, reply: 'truth' }] as const,
  ),
]);

/** Every name, for the validation of scripts and for the docs. */
export const EXCHANGE_NAMES: readonly string[] = [...ROWS.keys()];

/** The row of a name; a name that is not in the list is a fault. */
export function exchangeOf(name: string): Exchange {
  const row = ROWS.get(name);
  if (row === undefined) throw new Error('the book names an exchange that does not exist');
  return row;
}

/** True when the caller does not learn what happened; a test card does this once for each key. */
export function leavesDoubt(exchange: Exchange): boolean {
  return exchange.reply !== 'truth';
}
